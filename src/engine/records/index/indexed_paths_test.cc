#include "engine/records/index/indexed_paths.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "doc/json.h"
#include "doc/path.h"
#include "engine/records/index/index_value.h"

namespace lapse::engine {
namespace {

std::string Bson(std::string_view json) {
  std::string bson;
  EXPECT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
  return bson;
}

// `a/?` for one value, `a/*` for all below, `a/[]/?` for elements.
IndexingDefinition Policy(const std::vector<std::string>& included, const std::vector<std::string>& excluded = {}) {
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

std::vector<PathStep> Steps(std::string_view path) {
  std::vector<PathStep> steps;
  const Result<doc::Path> names = doc::Path::FromSlashes(path);
  for (const std::string& name : names->names()) steps.push_back({name == "[]" ? "" : name, name == "[]"});
  return steps;
}

// Makes an entry from a path and a value in JSON; an empty one is undefined.
std::string Entry(std::string_view path, std::string_view json) {
  const std::string bson = Bson(json.empty() ? "{}" : "{\"v\":" + std::string(json) + "}");
  std::string entry(BytesOf(IndexedPaths::NumberOf(Steps(path))));
  PutIndexValue(&entry, doc::Find(bson, "v"));
  return entry;
}

std::set<std::string> Made(const IndexingDefinition& policy, std::string_view json,
                           IndexingDirective directive = IndexingDirective::kDefault) {
  const IndexEntries entries = IndexedPaths(policy, "ttl").MakeEntries(Bson(json), directive);
  std::set<std::string> made;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(entries[i - 1], entries[i]);
    }
    EXPECT_TRUE(entries.Contains(entries[i]));
    made.insert(std::string(entries[i]));
  }
  EXPECT_FALSE(entries.Contains("none"));
  return made;
}

using Set = std::set<std::string>;

TEST(IndexEntriesTest, EveryValueHasAnEntry) {
  EXPECT_EQ(Made(Policy({"*"}), R"({"a":1,"b":{"c":"x","d":null},"e":[true,1.5],"f":{},"g":[]})"),
            (Set{Entry("/a", "1"), Entry("/b", "{}"), Entry("/b/c", "\"x\""), Entry("/b/d", "null"), Entry("/e", "[]"),
                 Entry("/e/[]", "true"), Entry("/e/[]", "1.5"), Entry("/f", "{}"), Entry("/g", "[]")}));
  EXPECT_TRUE(Made(Policy({"*"}), "{}").empty());
}

TEST(IndexEntriesTest, EqualElementsShareAnEntry) {
  EXPECT_EQ(
      Made(Policy({"*"}), R"({"a":[1,2,1,1.0,[1]]})"),
      (Set{Entry("/a", "[]"), Entry("/a/[]", "1"), Entry("/a/[]", "2"), Entry("/a/[]", "[]"), Entry("/a/[]/[]", "1")}));
}

TEST(IndexEntriesTest, TheLifetimeOfTheItemHasNone) {
  EXPECT_EQ(Made(Policy({"*", "ttl/?"}), R"({"ttl":5,"a":{"ttl":6}})"), (Set{Entry("/a", "{}"), Entry("/a/ttl", "6")}));
}

TEST(IndexEntriesTest, TheLongestPathDecides) {
  const IndexingDefinition policy = Policy({"a/?", "b/*", "list/[]/n/?"}, {"*", "b/secret/*"});
  EXPECT_EQ(Made(policy, R"({"a":{"deep":1},"x":1,"b":{"c":1,"secret":{"d":1}},"list":[{"n":1,"m":2},{"n":3}]})"),
            (Set{Entry("/a", "{}"), Entry("/b", "{}"), Entry("/b/c", "1"), Entry("/list/[]/n", "1"),
                 Entry("/list/[]/n", "3")}));
}

TEST(IndexEntriesTest, APathThatIsNamedIsUndefinedWhereItIsMissing) {
  const IndexingDefinition policy = Policy({"a/?", "b/c/?", "d/[]/?", "e/*"}, {"*"});
  EXPECT_EQ(Made(policy, R"({"b":[{"c":1}]})"), (Set{Entry("/a", ""), Entry("/b/c", "")}));
  EXPECT_EQ(Made(policy, R"({"a":null,"b":{"c":2}})"), (Set{Entry("/a", "null"), Entry("/b/c", "2")}));
}

TEST(IndexEntriesTest, ACompositeIndexHasOneEntryForEachItem) {
  IndexingDefinition policy;
  policy.composites = {{{{"a"}, false}, {{"b", "c"}, true}}};
  const IndexedPaths paths(policy, "ttl");
  auto entry = [&](std::string_view a, std::string_view c) {
    std::string bytes(BytesOf(paths.composites().front().number));
    bytes.append(Entry("/a", a).substr(kPathNumberBytes));
    const size_t from = bytes.size();
    bytes.append(Entry("/a", c).substr(kPathNumberBytes));
    InvertBytes(&bytes, from);
    return bytes;
  };
  EXPECT_EQ(Made(policy, R"({"a":1,"b":{"c":"x"},"d":1})"), (Set{entry("1", "\"x\"")}));
  EXPECT_EQ(Made(policy, R"({"a":[1],"b":{"c":{}}})"), (Set{entry("", "")}));
  EXPECT_EQ(Made(policy, R"({"b":[{"c":1}]})"), (Set{entry("", "")}));
  EXPECT_LT(entry("1", "2"), entry("1", "1"));
  EXPECT_LT(entry("1", "1"), entry("2", "2"));
}

TEST(IndexEntriesTest, AnItemThatIsLeftOutHasOneEntryThatSaysSo) {
  const Set left_out = {std::string(BytesOf(kRootPath))};
  const Set indexed = {Entry("/a", "1")};
  IndexingDefinition policy = Policy({"*"});
  EXPECT_EQ(Made(policy, R"({"a":1})", IndexingDirective::kExclude), left_out);
  EXPECT_EQ(Made(policy, R"({"a":1})", IndexingDirective::kInclude), indexed);
  policy.automatic = false;
  EXPECT_EQ(Made(policy, R"({"a":1})"), left_out);
  EXPECT_EQ(Made(policy, R"({"a":1})", IndexingDirective::kInclude), indexed);
  EXPECT_EQ(Made(policy, R"({"a":1})", IndexingDirective::kExclude), left_out);
}

TEST(IndexEntriesTest, OnlyTheDifferenceIsShown) {
  const IndexedPaths paths(Policy({"*"}), "ttl");
  const IndexEntries before = paths.MakeEntries(Bson(R"({"a":1,"b":2,"c":3})"), IndexingDirective::kDefault);
  const IndexEntries after = paths.MakeEntries(Bson(R"({"a":1,"b":4,"d":5})"), IndexingDirective::kDefault);
  Set gone, come;
  ForEachDifference(
      before, after, [&](std::string_view entry) { gone.insert(std::string(entry)); },
      [&](std::string_view entry) { come.insert(std::string(entry)); });
  EXPECT_EQ(gone, (Set{Entry("/b", "2"), Entry("/c", "3")}));
  EXPECT_EQ(come, (Set{Entry("/b", "4"), Entry("/d", "5")}));
}

TEST(IndexEntriesTest, ADeepDocumentWithALongNameIsDoneSoon) {
  const std::string name(100'000, 'n');
  std::string json = "{\"" + name + "\":{";
  for (int i = 0; i < 20'000; ++i) json += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":1";
  json += "}}";
  EXPECT_EQ(Made(Policy({"*"}), json).size(), 20'001);
}

TEST(IndexCoverageTest, TellsWhatEntriesCanFind) {
  const IndexedPaths paths(Policy({"a/?", "b/*", "list/[]/n/?"}, {"*", "b/secret/*"}), "ttl");
  auto coverage = [&](std::string_view path) {
    const IndexedPaths::Coverage found = paths.CoverageOf(Steps(path));
    return std::string(found.values ? "values" : "nothing") + (found.undefined ? " and undefined" : "");
  };
  EXPECT_EQ(coverage("/a"), "values and undefined");
  EXPECT_EQ(coverage("/a/deep"), "nothing");
  EXPECT_EQ(coverage("/b/x/[]"), "values");
  EXPECT_EQ(coverage("/b/secret/x"), "nothing");
  EXPECT_EQ(coverage("/list/[]/n"), "values");
  EXPECT_EQ(coverage("/x"), "nothing");
  EXPECT_FALSE(IndexedPaths(Policy({"*"}), "ttl").CoverageOf(Steps("/ttl")).values);
  EXPECT_FALSE(IndexedPaths({}, "ttl").CoverageOf(Steps("/a")).values);
}

TEST(IndexingDefinitionTest, KnowsWhenItIndexesNothing) {
  EXPECT_TRUE(IndexingDefinition().IndexesNothing());
  EXPECT_TRUE(Policy({}, {"*"}).IndexesNothing());
  EXPECT_FALSE(Policy({"a/?"}, {"*"}).IndexesNothing());
}

}  // namespace
}  // namespace lapse::engine
