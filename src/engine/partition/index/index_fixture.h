// For tests: containers with indexes, and the contents of these.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doc/json.h"
#include "doc/path.h"
#include "engine/catalog/containers/index_page.h"
#include "engine/check/index_check.h"
#include "engine/engine_fixture.h"
#include "engine/records/ids/families.h"
#include "engine/records/index/index_value.h"
#include "engine/shard/builds/index_builder.h"
#include "engine/shard/reclaim/reclaimer.h"

namespace lapse::engine {

class IndexFixture : public EngineFixture {
 protected:
  explicit IndexFixture(const Derivation* derivation = nullptr) : EngineFixture(derivation) {}

  static std::string Bson(std::string_view json) {
    std::string bson;
    EXPECT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
    return bson;
  }

  // `a/?` for one value, `a/*` for all below.
  static IndexingDefinition Policy(const std::vector<std::string>& included,
                                   const std::vector<std::string>& excluded = {}) {
    IndexingDefinition policy;
    auto add = [&](const std::string& text, bool indexed) {
      std::vector<std::string> names = doc::Path::FromSlashes("/" + text)->names();
      const bool one_value = names.back() == "?";
      names.pop_back();
      policy.paths.push_back({names, one_value, indexed});
    };
    for (const std::string& path : included) add(path, true);
    for (const std::string& path : excluded) add(path, false);
    return policy;
  }

  ContainerPtr MakeIndexed(const IndexingDefinition& policy, std::optional<int32_t> default_ttl = std::nullopt,
                           int throughput = 0) {
    if (!engine_->catalog().FindDatabase("db").ok()) {
      EXPECT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
    }
    ContainerDefinition definition;
    definition.name = "c";
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.default_ttl = default_ttl;
    definition.throughput = throughput;
    definition.lifetime_property = "ttl";
    definition.indexing = policy;
    auto made = engine_->catalog_store().CreateContainer("db", definition);
    EXPECT_TRUE(made.ok()) << made.status().ToString();
    return made.ok() ? *made : nullptr;
  }

  Status ChangePolicy(const IndexingDefinition& policy) {
    const std::optional<int32_t> default_ttl = Find("c")->state()->definition.default_ttl;
    return engine_->catalog_store().ReplaceContainer("db", "c", {default_ttl, "", 0, policy}, 0).status();
  }

  Result<ItemWritten> PutJson(ItemWrite::Kind kind, std::string_view id, std::string_view json,
                              std::optional<int32_t> own_ttl = std::nullopt,
                              IndexingDirective directive = IndexingDirective::kDefault, std::string_view pk = "pk") {
    ItemWrite write;
    write.kind = kind;
    write.address = Address(*Find("c"), pk, id);
    if (kind != ItemWrite::Kind::kDelete) write.document = Bson(json);
    write.own_ttl = own_ttl;
    write.indexing = directive;
    return Write(Find("c"), std::move(write));
  }
  void Create(std::string_view id, std::string_view json, std::optional<int32_t> own_ttl = std::nullopt) {
    EXPECT_TRUE(PutJson(ItemWrite::Kind::kCreate, id, json, own_ttl).ok());
  }
  void Replace(std::string_view id, std::string_view json) {
    EXPECT_TRUE(PutJson(ItemWrite::Kind::kReplace, id, json).ok());
  }
  void Delete(std::string_view id) { EXPECT_TRUE(PutJson(ItemWrite::Kind::kDelete, id, "").ok()); }

  IndexFindings Check() {
    Result<IndexFindings> findings = CheckIndexes(*Find("c"));
    EXPECT_TRUE(findings.ok()) << findings.status().ToString();
    if (!findings.ok()) return {};
    EXPECT_TRUE(findings->sound()) << findings->first_problem;
    return *findings;
  }

  size_t StoredEntries() {
    size_t count = 0;
    const std::unique_ptr<store::Iterator> entries = shard_->NewIterator(kIndexFamily, {});
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) ++count;
    return count;
  }

  // Sweeps everything that has expired, then compacts.
  void PurgeAll() {
    while (engine_->SweepTurn()) continue;
    engine_->QuietReclaimTurn();
    ASSERT_TRUE(shard_->Compact(kIndexFamily, {}, {}).ok());
  }

  static PathNumber PathOf(std::string_view name) { return PathOfName(kRootPath, name); }

  static std::string ValueOf(std::string_view json) {
    const std::string bson = Bson("{\"v\":" + std::string(json) + "}");
    std::string bytes;
    PutIndexValue(&bytes, doc::Find(bson, "v"));
    return bytes;
  }

  // Returns the documents of the live items in a range, as JSON, in the order of the range.
  std::vector<std::string> Query(const IndexRange& range) {
    std::vector<std::string> found;
    const ContainerPtr container = Find("c");
    Result<std::unique_ptr<IndexPage>> page = container->OpenIndexPage();
    EXPECT_TRUE(page.ok()) << page.status().ToString();
    if (!page.ok() || (*page)->index() == nullptr) return {"no index"};
    for (size_t place = 0; place < container->partitions().size(); ++place) {
      IndexReader& reader = (*page)->Partition(place);
      std::vector<ItemNumber> items;
      const std::unique_ptr<EntryWalk> walk = reader.Walk(range);
      for (; walk->Valid(); walk->Next()) items.push_back(walk->item());
      EXPECT_TRUE(walk->status().ok()) << walk->status().ToString();
      std::vector<std::optional<HeadRecord>> live;
      const auto take = [&](const Item& item) {
        doc::ObjectToJson(item.document, &found.emplace_back());
        return true;
      };
      EXPECT_TRUE(reader.ReadLive(items, &live, take).ok());
    }
    return found;
  }
};

}  // namespace lapse::engine
