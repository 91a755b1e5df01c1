// The document layer beside libbson: the same work on the same item of about 1 KB (docs/dependencies.md has figures).
#include <benchmark/benchmark.h>
#include <bson/bson.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "bench/measure/json_item.h"
#include "doc/json.h"
#include "doc/path.h"
#include "doc/writer.h"

namespace lapse::doc {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

std::string ItemBson() {
  std::string bson;
  Require(JsonToBson(bench::JsonItem(), {}, &bson).ok());
  return bson;
}

// A view, as every user of libbson makes of bytes from elsewhere.
bson_t View(const std::string& bytes) {
  bson_t view;
  Require(bson_init_static(&view, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
  return view;
}

void BmValidateOurs(benchmark::State& state) {
  const std::string bson = ItemBson();
  for (auto _ : state) Require(Validate(bson, 128).ok());
}
BENCHMARK(BmValidateOurs);

void BmValidateLibbson(benchmark::State& state) {
  const std::string bson = ItemBson();
  const auto flags = static_cast<bson_validate_flags_t>(BSON_VALIDATE_UTF8 | BSON_VALIDATE_UTF8_ALLOW_NULL);
  for (auto _ : state) {
    const bson_t view = View(bson);
    Require(bson_validate(&view, flags, nullptr));
  }
}
BENCHMARK(BmValidateLibbson);

void BmFindOurs(benchmark::State& state) {
  const std::string bson = ItemBson();
  const Path path({"address", "zip"});
  for (auto _ : state) Require(FindPath(bson, path).AsString() == "8005");
}
BENCHMARK(BmFindOurs);

void BmFindLibbson(benchmark::State& state) {
  const std::string bson = ItemBson();
  for (auto _ : state) {
    const bson_t view = View(bson);
    bson_iter_t top, found;
    Require(bson_iter_init(&top, &view) && bson_iter_find_descendant(&top, "address.zip", &found));
    uint32_t size = 0;
    Require(std::string_view(bson_iter_utf8(&found, &size), 4) == "8005");
  }
}
BENCHMARK(BmFindLibbson);

// Builds a new document with two strings, two numbers and the item.
void BmAppendOurs(benchmark::State& state) {
  const std::string item = ItemBson();
  std::string out;
  for (auto _ : state) {
    out.clear();
    Writer writer(&out);
    writer.BeginDocument();
    writer.AppendString("_rid", "AAAAAYAAAAEAAAAAAAAAAQ==");
    writer.AppendString("_etag", "00000001-0000-0000-0000-000000000001");
    writer.AppendInt64("_lsn", 7);
    writer.AppendInt64("_ts", 1731628800);
    writer.AppendDocument("item", item);
    writer.End();
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(BmAppendOurs);

void BmAppendLibbson(benchmark::State& state) {
  const std::string item = ItemBson();
  bson_t out;
  bson_init(&out);
  for (auto _ : state) {
    bson_reinit(&out);
    const bson_t view = View(item);
    BSON_APPEND_UTF8(&out, "_rid", "AAAAAYAAAAEAAAAAAAAAAQ==");
    BSON_APPEND_UTF8(&out, "_etag", "00000001-0000-0000-0000-000000000001");
    BSON_APPEND_INT64(&out, "_lsn", 7);
    BSON_APPEND_INT64(&out, "_ts", 1731628800);
    BSON_APPEND_DOCUMENT(&out, "item", &view);
    benchmark::DoNotOptimize(bson_get_data(&out));
  }
  bson_destroy(&out);
}
BENCHMARK(BmAppendLibbson);

void BmPrintOurs(benchmark::State& state) {
  const std::string bson = ItemBson();
  std::string json;
  for (auto _ : state) {
    json.clear();
    ObjectToJson(bson, &json);
    benchmark::DoNotOptimize(json.data());
  }
}
BENCHMARK(BmPrintOurs);

void BmPrintLibbson(benchmark::State& state) {
  const std::string bson = ItemBson();
  for (auto _ : state) {
    const bson_t view = View(bson);
    char* json = bson_as_relaxed_extended_json(&view, nullptr);
    benchmark::DoNotOptimize(json);
    bson_free(json);
  }
}
BENCHMARK(BmPrintLibbson);

void BmParseOurs(benchmark::State& state) {
  const std::string json = bench::JsonItem();
  std::string bson;
  for (auto _ : state) {
    bson.clear();
    Require(JsonToBson(json, {}, &bson).ok());
    benchmark::DoNotOptimize(bson.data());
  }
}
BENCHMARK(BmParseOurs);

void BmParseLibbson(benchmark::State& state) {
  const std::string json = bench::JsonItem();
  for (auto _ : state) {
    bson_t* bson =
        bson_new_from_json(reinterpret_cast<const uint8_t*>(json.data()), static_cast<ssize_t>(json.size()), nullptr);
    Require(bson != nullptr);
    bson_destroy(bson);
  }
}
BENCHMARK(BmParseLibbson);

}  // namespace
}  // namespace lapse::doc

BENCHMARK_MAIN();
