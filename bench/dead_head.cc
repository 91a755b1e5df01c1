// What a query in the order of an index costs whose first entries are all of items that have expired and that no
// compaction has taken away: ORDER BY LIMIT 10 without these, for the first time, and from the second time on; inside
// the engine.
//
//   dead_head --dir DIR --dead 300000 --live 10000 --queries 1000
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "bench/expiry/bench_engine.h"
#include "bench/measure/flags.h"
#include "bench/measure/timing.h"
#include "doc/value.h"
#include "query/exec/query_page.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"

namespace lapse::bench {
namespace {

constexpr int64_t kTtl_s = 60;
constexpr std::string_view kQuery = "SELECT * FROM c ORDER BY c.n OFFSET 0 LIMIT 10";

class Document : public query::exec::ScannedItem {
 public:
  void Set(const engine::Item& item) override { item_ = &item; }
  Meaning MeaningOf(std::string_view) const override { return Meaning::kNotAdded; }
  std::optional<engine::ItemNumber> NumberOf(std::string_view) const override { return std::nullopt; }
  query::Value Property(std::string_view name, query::Arena*) const override {
    return query::Value::FromBson(doc::Find(item_->document, name));
  }
  query::Value Whole(query::Arena*) const override { return query::Value::Object(item_->document); }

 private:
  const engine::Item* item_ = nullptr;
};

class DocumentRules : public query::exec::PageRules {
 public:
  std::unique_ptr<query::exec::ScannedItem> NewItem(const engine::ContainerState&,
                                                    const query::EvalSettings&) const override {
    return std::make_unique<Document>();
  }
};

class DeadHead {
 public:
  explicit DeadHead(const Flags& flags)
      : bench_({.directory = flags.Text("dir"), .background_sweeper = false}),
        dead_(static_cast<uint64_t>(flags.Number("dead"))),
        live_(static_cast<uint64_t>(flags.Number("live"))),
        queries_(flags.Number("queries")) {
    engine::ContainerDefinition definition;
    definition.name = "c";
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.default_ttl = ttl::kTtlForever;
    definition.indexing.paths.push_back({{}, false, true});
    Result<engine::ContainerPtr> made = bench_.engine().catalog_store().CreateContainer("bench", definition);
    CheckOk(made.status());
    container_ = *made;
  }

  void Run() {
    Write(dead_, dead_ + live_, std::nullopt);
    Report report;
    report.Add("clean_us", Median());
    // A slow query before leaves the processor's caches cold, as does the first one below.
    for (int i = 0; i < 30; ++i) Scan();
    report.Add("clean_after_scans_us", Ask());
    Write(0, dead_, kTtl_s);
    CheckOk(bench_.engine().clock().Advance((kTtl_s + 1) * 1000));
    int64_t pages = 0;
    report.Add("first_us", FirstTime(&pages)).Add("first_pages", pages);
    report.Add("second_us", Ask()).Add("third_us", Ask()).Add("later_us", Median());
    // Each write adds a new item among the dead ones, which has expired before the next query.
    uint64_t number = dead_ + live_;
    report.Add("later_with_writes_us", Median([&] {
                 const uint64_t n = Mix64(++number) % dead_;
                 WriteOne(number, n, std::nullopt);
                 Delete(number);
               }));
    report.Print();
  }

 private:
  void WriteOne(uint64_t number, uint64_t n, std::optional<int32_t> ttl) {
    Send(WriteOf(number, n, ttl));
    window_.WaitForNone();
  }

  void Write(uint64_t first, uint64_t end, std::optional<int32_t> ttl) {
    for (uint64_t number = first; number < end; ++number) Send(WriteOf(number, number, ttl));
    window_.WaitForNone();
  }

  void Delete(uint64_t number) {
    engine::ItemWrite write;
    write.kind = engine::ItemWrite::Kind::kDelete;
    write.address = AddressOf(*container_, number);
    Send(std::move(write));
    window_.WaitForNone();
  }

  engine::ItemWrite WriteOf(uint64_t number, uint64_t n, std::optional<int32_t> ttl) {
    engine::ItemWrite write;
    write.address = AddressOf(*container_, number);
    write.own_ttl = ttl;
    const std::string json = R"({"n":)" + std::to_string(n) + R"(,"text":")" + std::string(200, 't') + R"("})";
    CheckOk(doc::JsonToBson(json, {}, &write.document));
    return write;
  }

  void Send(engine::ItemWrite write) {
    window_.Enter();
    container_->Write(std::move(write), [this](const Result<engine::ItemWritten>& written) {
      CheckOk(written.status());
      window_.Leave();
    });
  }

  // Reads one page. Returns the continuation; empty: this was the last page.
  std::string AskPage(std::string_view text, const std::string& after, int* results) {
    const Result<query::sql::SyntaxTree> tree = query::sql::Parse(text);
    CheckOk(tree.status());
    const Result<query::plan::Plan> plan = query::sql::Bind(*tree, {});
    CheckOk(plan.status());
    query::exec::QueryOptions options;
    options.after = after;
    options.results_max = 100;
    const auto take = [&](query::Value, engine::Place) {
      ++*results;
      return true;
    };
    Result<query::exec::QueryPage> page =
        query::exec::ReadQueryPage(*plan, *container_, options, DocumentRules(), take, nullptr);
    CheckOk(page.status());
    return page->resume_after;
  }

  void Scan() {
    int results = 0;
    AskPage("SELECT VALUE COUNT(1) FROM c WHERE LENGTH(c.text) = 3", {}, &results);
  }

  double FirstTime(int64_t* pages) {
    const Stopwatch watch;
    int results = 0;
    std::string after;
    do {
      after = AskPage(kQuery, after, &results);
      ++*pages;
    } while (results == 0 && !after.empty());
    if (results != 10) Fail("there are not ten results");
    return static_cast<double>(watch.ns()) / 1e3;
  }

  double Ask() {
    int64_t pages = 0;
    const double took_us = FirstTime(&pages);
    if (pages != 1) Fail("there is more than one page");
    return took_us;
  }

  double Median(const std::function<void()>& before = [] {}) {
    Latencies latencies;
    for (int64_t i = 0; i < queries_; ++i) {
      before();
      latencies.Add(static_cast<int64_t>(Ask() * 1e3));
    }
    return static_cast<double>(latencies.Percentile(0.5)) / 1e3;
  }

  BenchEngine bench_;
  const uint64_t dead_;
  const uint64_t live_;
  const int64_t queries_;
  engine::ContainerPtr container_;
  WriteWindow window_;
};

int Main(int argc, char** argv) {
  const Flags flags(argc, argv, {{"dir", ""}, {"dead", "300000"}, {"live", "10000"}, {"queries", "1000"}});
  DeadHead(flags).Run();
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
