// Entries of values that are derived from documents.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "engine/check/store_check.h"
#include "engine/partition/index/index_fixture.h"
#include "engine/records/ids/families.h"
#include "engine/records/index/test_derivation.h"

namespace lapse::engine {
namespace {

const TestDerivation kDerivation;

class DerivedTest : public IndexFixture {
 protected:
  DerivedTest() : IndexFixture(&kDerivation) {}

  static IndexingDefinition WithTwice(std::vector<std::string> included) {
    IndexingDefinition policy = Policy(included);
    policy.derived = {{"d", "twice a"}};
    return policy;
  }
  static IndexingDefinition WithMarks(std::vector<std::string> names, bool one_value) {
    IndexingDefinition policy = Policy({"a/?"});
    policy.marked = {{std::move(names), one_value}};
    policy.mark_rule = TestDerivation::kLetters;
    return policy;
  }

  std::vector<std::string> At(const PathNumber& path, std::string_view json) {
    return Query({.path = path, .lower = ValueOf(json), .upper = ValueOf(json) + '\xFF'});
  }
  std::vector<std::string> Marked(const PathNumber& path, const std::string& letter) {
    return Query({.path = PathOfMarks(path), .lower = letter, .upper = letter + '\xFF'});
  }
  void BuildAll() {
    while (Find("c")->state()->index_in_making.has_value()) ASSERT_TRUE(engine_->BuildTurn());
  }

  using Documents = std::vector<std::string>;
};

TEST_F(DerivedTest, APropertyHasEntriesAsIfTheDocumentHadIt) {
  MakeIndexed(WithTwice({"d/?"}));
  Create("1", R"({"a":2})");
  Create("2", R"({"a":3})");
  Create("3", R"({"a":"x"})");
  EXPECT_EQ(At(PathOf("d"), "6"), Documents({R"({"a":3})"}));
  EXPECT_EQ(Query({.path = PathOf("d"), .lower = "\x01", .upper = "\x02"}), Documents({R"({"a":"x"})"}));
  EXPECT_EQ(Check().entries, 3);
  Replace("2", R"({"a":5})");
  EXPECT_EQ(At(PathOf("d"), "6"), Documents());
  EXPECT_EQ(At(PathOf("d"), "10"), Documents({R"({"a":5})"}));
  Delete("1");
  EXPECT_EQ(Check().entries, 2);
  EXPECT_EQ(StoredEntries(), 2u);
}

TEST_F(DerivedTest, AWildcardDoesNotIncludeIt) {
  MakeIndexed(WithTwice({"*"}));
  Create("1", R"({"a":2})");
  EXPECT_EQ(Check().entries, 1);
  const IndexedPaths& paths = *Find("c")->state()->index->paths;
  EXPECT_TRUE(paths.CoverageOf({{"a", false}}).values);
  EXPECT_FALSE(paths.CoverageOf({{"d", false}}).values);
}

TEST_F(DerivedTest, ItHidesThePropertyOfTheDocument) {
  MakeIndexed(WithTwice({"*", "d/?"}));
  Create("1", R"({"a":2,"d":7})");
  EXPECT_EQ(At(PathOf("d"), "7"), Documents());
  EXPECT_EQ(At(PathOf("d"), "4"), Documents({R"({"a":2,"d":7})"}));
  EXPECT_EQ(Check().entries, 2);
}

TEST_F(DerivedTest, WhatIsBelowItIsIndexedByItsOwnPaths) {
  IndexingDefinition policy = Policy({"w/word/?"});
  policy.derived = {{"w", "wrap a"}};
  MakeIndexed(policy);
  Create("1", R"({"a":"xy"})");
  EXPECT_EQ(At(PathOfName(PathOf("w"), "word"), R"("xy")"), Documents({R"({"a":"xy"})"}));
  EXPECT_EQ(Check().entries, 1);
}

TEST_F(DerivedTest, ACompositeIndexHasItsValue) {
  IndexingDefinition policy = WithTwice({"a/?"});
  policy.composites = {{{{"d"}, false}, {{"b"}, true}}};
  MakeIndexed(policy);
  Create("1", R"({"a":2,"b":1,"d":9})");
  const PathNumber number = Find("c")->state()->index->paths->composites().front().number;
  std::string value = ValueOf("1");
  InvertBytes(&value, 0);
  value = ValueOf("4") + value;
  EXPECT_EQ(Query({.path = number, .lower = value, .upper = value + '\xFF'}), Documents({R"({"a":2,"b":1,"d":9})"}));
  Check();
}

TEST_F(DerivedTest, ObjectsAtAMarkedPathHaveMarks) {
  MakeIndexed(WithMarks({"o"}, true));
  Create("1", R"({"o":{"word":"aba"}})");
  Create("2", R"({"o":{"word":"bc"}})");
  Create("3", R"({"o":{"p":{"word":"b"}}})");
  Create("4", R"({"o":"b"})");
  EXPECT_EQ(Marked(PathOf("o"), "b"), Documents({R"({"o":{"word":"aba"}})", R"({"o":{"word":"bc"}})"}));
  EXPECT_EQ(Marked(PathOf("o"), "c"), Documents({R"({"o":{"word":"bc"}})"}));
  // Two letters each, and an undefined `a`.
  EXPECT_EQ(Check().entries, 2 + 2 + 4);
  Replace("2", R"({"o":{"word":"c"}})");
  EXPECT_EQ(Marked(PathOf("o"), "b"), Documents({R"({"o":{"word":"aba"}})"}));
  Delete("1");
  EXPECT_EQ(Check().entries, 1 + 3);
}

TEST_F(DerivedTest, AWildcardMarksWhatIsBelow) {
  MakeIndexed(WithMarks({"o"}, false));
  Create("1", R"({"o":{"p":[{"word":"x"}]}})");
  const PathNumber elements = PathOfElements(PathOfName(PathOf("o"), "p"));
  EXPECT_EQ(Marked(elements, "x"), Documents({R"({"o":{"p":[{"word":"x"}]}})"}));
  const IndexedPaths& paths = *Find("c")->state()->index->paths;
  EXPECT_EQ(paths.MarkRuleAt({{"o", false}, {"p", false}, {"", true}}), TestDerivation::kLetters);
  EXPECT_EQ(paths.MarkRuleAt({{"a", false}}), "");
}

TEST_F(DerivedTest, ADerivedPropertyMayHaveMarks) {
  IndexingDefinition policy = WithMarks({"w"}, true);
  policy.derived = {{"w", "wrap a"}};
  MakeIndexed(policy);
  Create("1", R"({"a":"xy","w":{"word":"z"}})");
  EXPECT_EQ(Marked(PathOf("w"), "y"), Documents({R"({"a":"xy","w":{"word":"z"}})"}));
  EXPECT_EQ(Marked(PathOf("w"), "z"), Documents());
  Check();
}

TEST_F(DerivedTest, MarksAloneAreAnIndex) {
  IndexingDefinition policy = WithMarks({"o"}, true);
  policy.paths = {{{}, false, false}};
  MakeIndexed(policy);
  Create("1", R"({"o":{"word":"a"}})");
  EXPECT_EQ(Check().entries, 1);
}

TEST_F(DerivedTest, AnotherRuleMakesAnotherIndex) {
  MakeIndexed(WithTwice({"d/?"}));
  Create("1", R"({"a":2,"b":50})");
  IndexingDefinition changed = WithTwice({"d/?"});
  changed.derived = {{"d", "twice b"}};
  ASSERT_TRUE(ChangePolicy(changed).ok());
  EXPECT_EQ(Find("c")->state()->index->paths->RuleOf("d"), "twice a");
  EXPECT_EQ(At(PathOf("d"), "4").size(), 1u);
  Create("2", R"({"a":3,"b":60})");
  Check();
  BuildAll();
  EXPECT_EQ(Find("c")->state()->index->paths->RuleOf("d"), "twice b");
  EXPECT_EQ(At(PathOf("d"), "4").size(), 0u);
  EXPECT_EQ(At(PathOf("d"), "100").size(), 1u);
  EXPECT_EQ(At(PathOf("d"), "120").size(), 1u);
  Check();
}

TEST_F(DerivedTest, RulesSurviveARestart) {
  IndexingDefinition policy = WithMarks({"o"}, false);
  policy.derived = {{"d", "twice a"}};
  policy.paths.push_back({{"d"}, true, true});
  MakeIndexed(policy);
  Create("1", R"({"a":2,"o":{"word":"q"}})");
  Restart();
  EXPECT_EQ(Find("c")->state()->definition.indexing, policy);
  Create("2", R"({"a":3,"o":{"word":"q"}})");
  EXPECT_EQ(Marked(PathOf("o"), "q").size(), 2u);
  EXPECT_EQ(At(PathOf("d"), "6").size(), 1u);
  Check();
}

TEST_F(DerivedTest, TheCheckOfAStoreSeesThem) {
  MakeIndexed(WithMarks({"o"}, true));
  Create("1", R"({"o":{"word":"ab"}})");
  Result<StoreReport> report = CheckStore({shard_.get()}, &kDerivation);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->findings.count(), 0);
  EXPECT_EQ(report->index_entries, 3);
  store::Batch batch;
  const ContainerPtr container = Find("c");
  const std::string entry = std::string(BytesOf(PathOfMarks(PathOf("o")))) + "b";
  batch.Delete(kIndexFamily, IndexKey(container->state()->index->id, entry, MakeItemNumber(0, 1)));
  ASSERT_TRUE(shard_->Write(batch, store::Durability::kSync).ok());
  report = CheckStore({shard_.get()}, &kDerivation);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->findings.count(), 1);
}

TEST_F(DerivedTest, ARuleThatIsNotKnownIsRefused) {
  MakeIndexed(WithTwice({"d/?"}));
  IndexingDefinition strange = WithTwice({"d/?"});
  strange.derived = {{"d", "thrice a"}};
  EXPECT_EQ(ChangePolicy(strange).code(), Code::kInvalidArgument);
  strange = WithMarks({"o"}, true);
  strange.mark_rule = "digits";
  EXPECT_EQ(ChangePolicy(strange).code(), Code::kInvalidArgument);
  EXPECT_EQ(CheckStore({shard_.get()}, nullptr).status().code(), Code::kCorruption);
}

TEST_F(DerivedTest, EachIsPaidForAsOneEntry) {
  IndexingDefinition policy = WithMarks({"o"}, true);
  policy.derived = {{"d", "twice a"}};
  const std::string document = Bson(R"({"a":2,"d":8,"o":{"word":"abcd"}})");
  EXPECT_EQ(IndexedPaths(policy, "ttl", &kDerivation).CountEntries(document), 1 + 2);
}

}  // namespace
}  // namespace lapse::engine
