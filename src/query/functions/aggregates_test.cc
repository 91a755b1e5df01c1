#include "query/functions/aggregates.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "query/values/test_value.h"

namespace lapse::query::functions {
namespace {

// One group of one aggregate, as in a query.
class Group {
 public:
  explicit Group(const Aggregate& aggregate, size_t memory = size_t{1} << 20)
      : aggregate_(aggregate), arena_(memory), state_(arena_.Allocate(aggregate.state_bytes)) {
    aggregate_.begin(memory_, state_);
  }
  void BeginPart(uint32_t part) { memory_.part = part; }
  void Add(Value value) { aggregate_.add(memory_, state_, value); }
  bool Merge(Value partial) { return aggregate_.merge(memory_, state_, partial); }
  Value Partial() { return aggregate_.partial(memory_, state_); }
  std::string Result() { return Shown(aggregate_.result(memory_, state_)); }
  const Arena& arena() const { return arena_; }

 private:
  const Aggregate& aggregate_;
  Arena arena_;
  AggregateMemory memory_{&arena_, 7};
  void* state_;
};

class AggregatesTest : public testing::Test {
 protected:
  // Expects the same result for the values in one group as for two groups that are merged.
  void Expect(const Aggregate& aggregate, std::string_view values, std::string_view result) {
    const std::vector<Value> all = values_.List(values);
    Group whole(aggregate);
    for (const Value& value : all) whole.Add(value);
    EXPECT_EQ(whole.Result(), result) << values;
    for (size_t split = 0; split <= all.size(); ++split) {
      Group first(aggregate);
      Group second(aggregate);
      for (size_t i = 0; i < all.size(); ++i) (i < split ? first : second).Add(all[i]);
      Group merged(aggregate);
      EXPECT_TRUE(merged.Merge(first.Partial()));
      EXPECT_TRUE(merged.Merge(second.Partial()));
      EXPECT_EQ(merged.Result(), result) << values << " split at " << split;
    }
  }

  TestValues values_;
};

TEST_F(AggregatesTest, CountCountsWhatIsDefined) {
  Expect(kCount, "", "0");
  Expect(kCount, "1, null, 'a', undefined, [], {}, false", "6");
  Expect(kCountIf, "", "0");
  Expect(kCountIf, "true, false, 1, 'true', undefined, true", "2");
}

TEST_F(AggregatesTest, SumOfNumbers) {
  Expect(kSum, "", "0");
  Expect(kSum, "undefined", "0");
  Expect(kSum, "1, 2, undefined, 3", "6");
  Expect(kSum, "1, 2.5", "3.5");
  Expect(kSum, "9007199254740993, 0, 2", "9007199254740995");
  for (const char* other : {"'a'", "true", "null", "[]", "{}"}) {
    Expect(kSum, std::string("1, ") + other + ", 2", "undefined");
  }
}

// 1e16 + 1 is 1e16, so rounding depends on the order.
TEST_F(AggregatesTest, PartitionsAreAddedUpByThemselves) {
  const auto add = [](Group* group, uint32_t part, std::initializer_list<double> numbers) {
    group->BeginPart(part);
    for (const double number : numbers) group->Add(Value::Double(number));
  };
  Group one(kSum);
  add(&one, 3, {1e16, 1, 1});
  EXPECT_EQ(one.Result(), "1e+16");
  Group all(kSum);
  add(&all, 0, {1e16});
  add(&all, 2, {1, 1});
  add(&all, 5, {1, 1});
  EXPECT_EQ(all.Result(), "10000000000000004.0");
  // The same for merged states: one for each partition, and two for a partition that was split.
  Group first(kSum);
  add(&first, 0, {1e16});
  add(&first, 2, {1});
  Group second(kSum);
  EXPECT_TRUE(second.Merge(first.Partial()));
  add(&second, 2, {1});
  Group third(kSum);
  add(&third, 5, {1, 1});
  EXPECT_TRUE(second.Merge(third.Partial()));
  EXPECT_EQ(second.Result(), all.Result());
}

TEST_F(AggregatesTest, AverageOfNumbers) {
  Expect(kAverage, "", "undefined");
  Expect(kAverage, "1, 2, undefined", "1.5");
  Expect(kAverage, "2, 4", "3");
  for (const char* other : {"'a'", "true", "null", "[]", "{}"}) {
    Expect(kAverage, std::string("1, ") + other, "undefined");
  }
}

TEST_F(AggregatesTest, MinAndMaxCompareAcrossTypes) {
  Expect(kMin, "", "undefined");
  Expect(kMax, "undefined", "undefined");
  Expect(kMin, "3, 1, 2", "1");
  Expect(kMax, "3, 1, 2.5", "3");
  Expect(kMin, "'b', 'a', 'ab'", "'a'");
  Expect(kMax, "'b', 'a', 'bb', ''", "'bb'");
  Expect(kMin, "'x', 5, true, undefined, null", "null");
  Expect(kMax, "null, true, 5, 'x'", "'x'");
  Expect(kMin, "5, true", "true");
  Expect(kMin, "1, [0]", "undefined");
  Expect(kMax, "{}, 1", "undefined");
}

TEST_F(AggregatesTest, ListsAndSets) {
  Expect(kMakeList, "", "[]");
  Expect(kMakeList, "1, 'a', undefined, 1, [2], {'b':null}", "[1,'a',1,[2],{'b':null}]");
  Expect(kMakeSet, "", "[]");
  Expect(kMakeSet, "1, 'a', undefined, 1.0, {'a':1,'b':2}, {'b':2,'a':1}, null", "[1,'a',{'a':1,'b':2},null]");
}

TEST_F(AggregatesTest, ValuesAreKeptWhenTheirRowsAreGone) {
  for (const Aggregate* aggregate : {&kMin, &kMakeList, &kMakeSet}) {
    Group group(*aggregate);
    std::string row = "first";
    group.Add(Value::String(row));
    row.assign("?????");
    EXPECT_NE(group.Result().find("first"), std::string::npos);
  }
}

TEST_F(AggregatesTest, AResultMayBeTakenInTheMiddle) {
  Group group(kMakeList);
  group.Add(Value::Int64(1));
  EXPECT_EQ(group.Result(), "[1]");
  group.Add(Value::Int64(2));
  EXPECT_EQ(group.Result(), "[1,2]");
}

TEST_F(AggregatesTest, EverBetterTextsNeedNoMoreMemory) {
  Group group(kMax, 10'000);
  for (int i = 100'000; i < 200'000; ++i) group.Add(Value::String(std::to_string(i)));
  EXPECT_FALSE(group.arena().exhausted());
  EXPECT_EQ(group.Result(), "'199999'");
}

TEST_F(AggregatesTest, ListsAndSetsStopAtTheBudget) {
  for (const Aggregate* aggregate : {&kMakeList, &kMakeSet}) {
    Group group(*aggregate, 10'000);
    for (int i = 0; i < 10'000; ++i) group.Add(Value::Int64(i));
    EXPECT_TRUE(group.arena().exhausted());
    EXPECT_LE(group.arena().held_bytes(), 10'000u);
  }
}

TEST_F(AggregatesTest, ForgedPartialsAreRefused) {
  struct Forged {
    const Aggregate* aggregate;
    const char* partial;
  };
  const Forged cases[] = {
      {&kCount, "-1"},
      {&kCount, "'1'"},
      {&kCount, "undefined"},
      {&kSum, "1"},
      {&kSum, "{'sum':'x','count':1,'part':0,'partSum':0}"},
      {&kSum, "{'sum':1,'part':0,'partSum':0}"},
      {&kSum, "{'sum':1,'count':1,'part':1}"},
      {&kSum, "{'sum':1,'count':1,'part':-1,'partSum':1}"},
      {&kSum, "{'sum':1,'count':1,'part':4294967296,'partSum':1}"},
      {&kSum, "{'sum':1,'count':1,'part':0.5,'partSum':1}"},
      {&kSum, "{'sum':1,'count':1,'part':1,'partSum':'1'}"},
      {&kAverage, "{'sum':1,'count':-1,'part':0,'partSum':0}"},
      {&kMin, "{'best':1}"},
      {&kMax, "{'spoiled':false,'best':[]}"},
      {&kMakeList, "{}"},
      {&kMakeSet, "1"},
  };
  for (const Forged& forged : cases) {
    Group group(*forged.aggregate);
    const std::string before = group.Result();
    EXPECT_FALSE(group.Merge(values_.One(forged.partial))) << forged.partial;
    EXPECT_EQ(group.Result(), before);
  }
  Group count(kCount);
  EXPECT_TRUE(count.Merge(values_.One("9223372036854775807")));
  EXPECT_TRUE(count.Merge(values_.One("9223372036854775807")));
  EXPECT_EQ(count.Result(), "9223372036854775807");
}

}  // namespace
}  // namespace lapse::query::functions
