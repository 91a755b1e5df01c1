// The price list of docs/request-units.md, line by line.
#include "engine/records/prices/prices.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "doc/json.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/index/indexed_paths.h"

namespace lapse::engine {
namespace {

using Kind = ItemWrite::Kind;

std::string Bson(const std::string& json) {
  std::string bson;
  EXPECT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
  return bson;
}

constexpr std::string_view kTtl = "ttl";

// Names separated by slashes; `?` at the end is the value alone, `*` everything below.
IndexingDefinition::Path PathOf(std::string_view text, bool indexed) {
  IndexingDefinition::Path path;
  path.indexed = indexed;
  std::istringstream names{std::string(text)};
  for (std::string name; std::getline(names, name, '/');) path.names.push_back(name);
  path.one_value = path.names.back() == "?";
  if (path.one_value || path.names.back() == "*") path.names.pop_back();
  return path;
}

IndexingDefinition Indexing(std::initializer_list<std::string_view> included,
                            std::initializer_list<std::string_view> excluded = {}) {
  IndexingDefinition definition;
  for (std::string_view path : included) definition.paths.push_back(PathOf(path, true));
  for (std::string_view path : excluded) definition.paths.push_back(PathOf(path, false));
  return definition;
}

const IndexingDefinition& kDefaultPolicy = *new IndexingDefinition(Indexing({"*"}, {"_etag/?"}));
const IndexingDefinition& kNothing = *new IndexingDefinition(Indexing({}, {"*"}));

int64_t Entries(const IndexingDefinition& policy, const std::string& json) {
  return IndexedPaths(policy, kTtl).CountEntries(Bson(json));
}

size_t Priced(const std::string& json) {
  return PricedBytes(Bson(json), kTtl);
}

int64_t Write(Kind kind, bool created, const IndexingDefinition& policy, std::string_view document) {
  ContainerState state;
  state.definition.lifetime_property = kTtl;
  state.indexed = std::make_shared<const IndexedPaths>(policy, kTtl);
  return WriteMilliRu(kind, created, document, state);
}

int64_t WriteJson(Kind kind, bool created, const IndexingDefinition& policy, const std::string& json) {
  return Write(kind, created, policy, Bson(json));
}

TEST(PricesTest, NoDocumentCostsNothing) {
  EXPECT_EQ(PricedBytes("", kTtl), 0U);
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
  EXPECT_EQ(WriteJson(Kind::kCreate, true, kDefaultPolicy, item), 5500);
  EXPECT_EQ(WriteJson(Kind::kUpsert, true, kDefaultPolicy, item), 5500);
  EXPECT_EQ(WriteJson(Kind::kUpsert, false, kDefaultPolicy, item), 6000);
  EXPECT_EQ(WriteJson(Kind::kReplace, false, kDefaultPolicy, item), 6000);
  EXPECT_EQ(WriteJson(Kind::kCreate, true, kNothing, item), 5000);
  EXPECT_EQ(WriteJson(Kind::kReplace, false, kNothing, item), 5000);
  const std::string large = R"({"id":"1","x":")" + std::string(100 * 1024 - 40, 'x') + "\"}";
  EXPECT_EQ(WriteJson(Kind::kCreate, true, kNothing, large), 50'000);
  EXPECT_EQ(WriteJson(Kind::kDelete, false, kDefaultPolicy, "{}"), kDeleteMilliRu);
  EXPECT_EQ(Write(Kind::kDelete, false, {}, ""), kDeleteMilliRu);
}

TEST(PricesTest, TtlAddsNothing) {
  const std::string text = R"("id":"1","x":")" + std::string(1024 - 40, 'x') + "\"";
  const std::string plain = "{" + text + "}";
  for (const std::string& ttl : {"{\"ttl\":5," + text + "}", "{" + text + ",\"ttl\":2147483648}"}) {
    EXPECT_EQ(Priced(ttl), Priced(plain));
    EXPECT_EQ(WriteJson(Kind::kCreate, true, kDefaultPolicy, ttl),
              WriteJson(Kind::kCreate, true, kDefaultPolicy, plain));
    EXPECT_EQ(WriteJson(Kind::kReplace, false, kDefaultPolicy, ttl),
              WriteJson(Kind::kReplace, false, kDefaultPolicy, plain));
    EXPECT_EQ(PointReadMilliRu(Priced(ttl)), PointReadMilliRu(Priced(plain)));
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

TEST(IndexedPathsTest, NoPathMeansNoIndex) {
  EXPECT_EQ(Entries({}, R"({"a":1})"), 0);
}

TEST(IndexedPathsTest, TheLongestPathDecides) {
  const IndexingDefinition only = Indexing({"a/?", "b/*", "list/[]/n/?"}, {"*", "b/secret/*"});
  EXPECT_EQ(Entries(only, R"({"a":1,"x":2})"), 1);
  EXPECT_EQ(Entries(only, R"({"a":{"deep":1}})"), 0) << "/? is the value itself";
  EXPECT_EQ(Entries(only, R"({"b":{"c":1,"d":[1,2],"secret":{"e":1}}})"), 3);
  EXPECT_EQ(Entries(only, R"({"list":[{"n":1,"m":1},{"n":2}]})"), 2);
  EXPECT_EQ(Entries(Indexing({"*"}, {"big/*"}), R"({"big":{"x":1},"c":1})"), 1);
}

TEST(IndexedPathsTest, ACompositeIndexIsAnEntry) {
  IndexingDefinition composite = Indexing({"*"});
  composite.composites = {{{{"a"}, false}, {{"b"}, true}}, {{{"c"}, false}, {{"d"}, false}}};
  EXPECT_EQ(Entries(composite, R"({"a":1})"), 3);
}

TEST(IndexingDefinitionTest, RoundTripsAndRefusesDamage) {
  IndexingDefinition definition = Indexing({"a/?", "b/*"}, {"*"});
  definition.composites = {{{{"a", "b"}, false}, {{"c"}, true}}};
  definition.automatic = false;
  std::string bytes;
  definition.Encode(&bytes);
  std::string_view rest = bytes;
  IndexingDefinition read;
  ASSERT_TRUE(IndexingDefinition::Decode(&rest, &read));
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(read, definition);
  for (size_t length = 0; length < bytes.size(); ++length) {
    std::string_view part = std::string_view(bytes).substr(0, length);
    EXPECT_FALSE(IndexingDefinition::Decode(&part, &read)) << length;
  }
}

}  // namespace
}  // namespace lapse::engine
