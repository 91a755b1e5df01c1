// The price list of docs/request-units.md, line by line.
#include "engine/request_units/prices.h"

#include <gtest/gtest.h>

#include <string>

#include "doc/json.h"
#include "engine/request_units/indexed_paths.h"

namespace lapse::engine {
namespace {

using Kind = ItemWrite::Kind;

std::string Bson(const std::string& json) {
  std::string bson;
  EXPECT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
  return bson;
}

constexpr const char* kDefaultPolicy =
    R"("indexingMode":"consistent","includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/\"_etag\"/?"}])";
constexpr const char* kNothing = R"("indexingMode":"consistent","includedPaths":[],"excludedPaths":[{"path":"/*"}])";

int64_t Entries(const std::string& policy, const std::string& json) {
  return IndexedPaths(Bson(R"({"id":"c","indexingPolicy":{)" + policy + "}}")).CountEntries(Bson(json));
}

int64_t Write(Kind kind, bool created, const std::string& policy, const std::string& json) {
  IndexedPaths indexed(Bson(R"({"indexingPolicy":{)" + policy + "}}"));
  return WriteMilliRu(kind, created, Bson(json), indexed);
}

TEST(PricesTest, NoDocumentCostsNothing) {
  EXPECT_EQ(PricedBytes(""), 0U);
}

TEST(PricesTest, PointReadsCostByKilobyte) {
  EXPECT_EQ(PointReadMilliRu(0), 1000);
  EXPECT_EQ(PointReadMilliRu(1024), 1000);
  EXPECT_EQ(PointReadMilliRu(1025), 1090);
  EXPECT_EQ(PointReadMilliRu(100 * 1024), 10'000);
  EXPECT_EQ(PointReadMilliRu(200 * 1024), 19'090);
}

TEST(PricesTest, WritesCostBySizeAndIndexEntries) {
  const std::string item = R"({"id":"1","pk":"p","a":1,"b":true,"c":null})";
  EXPECT_EQ(Write(Kind::kCreate, true, kDefaultPolicy, item), 5500);
  EXPECT_EQ(Write(Kind::kUpsert, true, kDefaultPolicy, item), 5500);
  EXPECT_EQ(Write(Kind::kUpsert, false, kDefaultPolicy, item), 6000);
  EXPECT_EQ(Write(Kind::kReplace, false, kDefaultPolicy, item), 6000);
  EXPECT_EQ(Write(Kind::kCreate, true, kNothing, item), 5000);
  EXPECT_EQ(Write(Kind::kReplace, false, kNothing, item), 5000);
  const std::string large = R"({"id":"1","x":")" + std::string(100 * 1024 - 40, 'x') + "\"}";
  EXPECT_EQ(Write(Kind::kCreate, true, kNothing, large), 50'000);
  EXPECT_EQ(Write(Kind::kDelete, false, kDefaultPolicy, "{}"), kDeleteMilliRu);
  IndexedPaths indexed("");
  EXPECT_EQ(WriteMilliRu(Kind::kDelete, false, "", indexed), kDeleteMilliRu);
}

TEST(PricesTest, TtlAddsNothing) {
  const std::string text = R"("id":"1","x":")" + std::string(1024 - 40, 'x') + "\"";
  const std::string plain = "{" + text + "}";
  for (const std::string& ttl : {"{\"ttl\":5," + text + "}", "{" + text + ",\"ttl\":2147483648}"}) {
    EXPECT_EQ(PricedBytes(Bson(ttl)), PricedBytes(Bson(plain)));
    EXPECT_EQ(Write(Kind::kCreate, true, kDefaultPolicy, ttl), Write(Kind::kCreate, true, kDefaultPolicy, plain));
    EXPECT_EQ(Write(Kind::kReplace, false, kDefaultPolicy, ttl), Write(Kind::kReplace, false, kDefaultPolicy, plain));
    EXPECT_EQ(PointReadMilliRu(PricedBytes(Bson(ttl))), PointReadMilliRu(PricedBytes(Bson(plain))));
  }
}

TEST(PricesTest, PagesCostByWhatTheyReturn) {
  EXPECT_EQ(PageItemMilliRu(1), 60);
  EXPECT_EQ(PageItemMilliRu(128), 60);
  EXPECT_EQ(PageItemMilliRu(129), 70);
  EXPECT_EQ(PageItemMilliRu(1024), 130);
  EXPECT_EQ(PageMilliRu(0, false), 1000);
  EXPECT_EQ(PageMilliRu(100 * PageItemMilliRu(1024), false), 14'000);
  EXPECT_EQ(PageMilliRu(100 * PageItemMilliRu(1024), true), 13'000);
}

TEST(PricesTest, EveryPriceIsInWholeHundredths) {
  for (size_t kilobytes = 1; kilobytes <= 2048; ++kilobytes) {
    EXPECT_EQ(PointReadMilliRu(kilobytes * 1024) % 10, 0);
    EXPECT_EQ(PageItemMilliRu(kilobytes * 1024 + kilobytes) % 10, 0);
  }
}

TEST(IndexedPathsTest, CountsSingleValues) {
  EXPECT_EQ(Entries(kDefaultPolicy, "{}"), 0);
  EXPECT_EQ(Entries(kDefaultPolicy, R"({"a":1,"b":{"c":2,"d":{}},"e":[1,"x",{"f":null}],"g":[]})"), 5);
  EXPECT_EQ(Entries(kDefaultPolicy, R"({"a":1,"ttl":5,"b":{"ttl":5}})"), 2) << "only the item's own ttl is free";
}

TEST(IndexedPathsTest, NoPolicyMeansNoIndex) {
  EXPECT_EQ(Entries(R"("indexingMode":"none")", R"({"a":1})"), 0);
  EXPECT_EQ(IndexedPaths("").CountEntries(Bson(R"({"a":1})")), 0);
  EXPECT_EQ(IndexedPaths("not a document").CountEntries(Bson(R"({"a":1})")), 0);
  EXPECT_EQ(IndexedPaths(Bson(R"({"id":"c"})")).CountEntries(Bson(R"({"a":1})")), 0);
}

TEST(IndexedPathsTest, TheLongestPathDecides) {
  const std::string only = R"("includedPaths":[{"path":"/a/?"},{"path":"/b/*"},{"path":"/list/[]/n/?"}],)"
                           R"("excludedPaths":[{"path":"/*"},{"path":"/b/secret/*"}])";
  EXPECT_EQ(Entries(only, R"({"a":1,"x":2})"), 1);
  EXPECT_EQ(Entries(only, R"({"a":{"deep":1}})"), 0) << "/? is the value itself";
  EXPECT_EQ(Entries(only, R"({"b":{"c":1,"d":[1,2],"secret":{"e":1}}})"), 3);
  EXPECT_EQ(Entries(only, R"({"list":[{"n":1,"m":1},{"n":2}]})"), 2);
  const std::string all_but =
      R"("includedPaths":[{"path":"/"}],"excludedPaths":[{"path":"/big/*"},{"path":"/\"a/b\"/?"}])";
  EXPECT_EQ(Entries(all_but, R"({"big":{"x":1},"a/b":1,"c":1})"), 1);
}

TEST(IndexedPathsTest, ACompositeIndexIsAnEntry) {
  const std::string composite =
      R"("includedPaths":[{"path":"/*"}],"compositeIndexes":[[{"path":"/a"},{"path":"/b"}],[{"path":"/c"}]])";
  EXPECT_EQ(Entries(composite, R"({"a":1})"), 3);
}

TEST(IndexedPathsTest, PathsThatCannotBeReadArePassedOver) {
  EXPECT_EQ(Entries(R"("includedPaths":[{"path":"/*"},{"path":"//"},{"path":"/\"open"},{"path":5},7])", R"({"a":1})"),
            1);
}

}  // namespace
}  // namespace lapse::engine
