#include "query/functions/arrays.h"

#include <gtest/gtest.h>

#include "query/functions/sets.h"
#include "query/functions/test_eval.h"

namespace lapse::query::functions {
namespace {

using ArraysTest = FunctionTest;
using SetsTest = FunctionTest;

TEST_F(ArraysTest, Concat) {
  Expect(kArrayConcat, {{"['a','b'], ['c']", "['a','b','c']"}, {"[], [], [1]", "[1]"}, {"[], []", "[]"}});
  ExpectKinds(kArrayConcat, "aaa", "[1], [2], [3]");
}

TEST_F(ArraysTest, Contains) {
  Expect(kArrayContains, {
                             {"['a','b'], 'b'", "true"},
                             {"['a','b'], 'c'", "false"},
                             {"[1], 1.0", "true"},
                             {"[null], null", "true"},
                             {"[], 1", "false"},
                             {"[[1]], [1]", "true"},
                             {"[{'a':1,'b':2}], {'b':2,'a':1}", "true"},
                             {"[{'a':1,'b':2}], {'a':1}", "false"},
                             {"[{'a':1,'b':2}], {'a':1}, false", "false"},
                             {"[{'a':1,'b':2}], {'a':1}, true", "true"},
                             {"[{'a':1,'b':2}], {}, true", "true"},
                             {"[{'a':{'x':1,'y':2}}], {'a':{'x':1}}, true", "false"},
                             {"[{'a':1}], {'a':1,'c':2}, true", "false"},
                             {"['ab'], 'a', true", "false"},
                             {"['a'], undefined", "undefined"},
                         });
  ExpectKinds(kArrayContains, "avb", "[1], 1, true");
}

TEST_F(ArraysTest, ContainsAllAndAny) {
  Expect(kArrayContainsAll, {{"[1,2,3], 1, 3", "true"}, {"[1,2], 1, 4", "false"}, {"[1], 1, undefined", "undefined"}});
  Expect(kArrayContainsAny, {{"[1,2,3], 9, 3", "true"}, {"[1,2], 4", "false"}, {"[{'a':1}], {'a':1}", "true"}});
  ExpectKinds(kArrayContainsAll, "avv", "[1], 1, 2");
  ExpectKinds(kArrayContainsAny, "avv", "[1], 1, 2");
}

TEST_F(ArraysTest, LengthAndSlice) {
  Expect(kArrayLength, {{"[70, 86, 92, 99]", "4"}, {"[]", "0"}});
  Expect(kArraySlice, {
                          {"[70, 86, 92, 99], 0", "[70,86,92,99]"},
                          {"[70, 86, 92, 99], 1", "[86,92,99]"},
                          {"[70, 86, 92, 99], -1", "[99]"},
                          {"[70, 86, 92, 99], -3, 2", "[86,92]"},
                          {"[70, 86, 92, 99], -100", "[70,86,92,99]"},
                          {"[70, 86, 92, 99], 10", "[]"},
                          {"[70, 86, 92, 99], 1, 0", "[]"},
                          {"[70, 86, 92, 99], 1, -1", "[]"},
                          {"[70, 86, 92, 99], 2, 9223372036854775807", "[92,99]"},
                          {"[70, 86, 92, 99], -9223372036854775808, 1", "[70]"},
                      });
  ExpectKinds(kArrayLength, "a", "[1]");
  ExpectKinds(kArraySlice, "aii", "[1,2], 1, 1");
}

TEST_F(ArraysTest, Statistics) {
  Expect(kArraySum,
         {{"[1,2,3,4]", "10"}, {"[1.0,2.5]", "3.5"}, {"[]", "0"}, {"[1,'2']", "undefined"}, {"[null]", "undefined"}});
  Expect(kArrayAvg, {{"[1,2,3,4]", "2.5"}, {"[2,4]", "3"}, {"[]", "undefined"}, {"[true]", "undefined"}});
  Expect(kArrayMedian,
         {{"[3,1,2]", "2"}, {"[4,1,3,2]", "2.5"}, {"[5]", "5"}, {"[]", "undefined"}, {"[1,'2']", "undefined"}});
  Expect(kArrayMin, {{"[3,1,2]", "1"},
                     {"['b',2,null]", "null"},
                     {"[]", "undefined"},
                     {"[1,[0]]", "undefined"},
                     {"[true,false]", "false"}});
  Expect(kArrayMax, {{"[3,1,2]", "3"}, {"['b',2,null]", "'b'"}, {"[]", "undefined"}, {"[1,{}]", "undefined"}});
  for (const Function* function : {&kArraySum, &kArrayAvg, &kArrayMedian, &kArrayMin, &kArrayMax}) {
    ExpectKinds(*function, "a", "[1,2]");
  }
}

TEST_F(SetsTest, UnionIntersectionDifference) {
  Expect(kSetUnion, {{"[1,2,3,4], [3,4,5,6]", "[1,2,3,4,5,6]"}, {"[1,1,1.0], ['1']", "[1,'1']"}, {"[], []", "[]"}});
  Expect(
      kSetIntersect,
      {{"[1,2,3,4], [4,3,3,9]", "[4,3]"}, {"[1], []", "[]"}, {"[{'a':1,'b':2}], [{'b':2,'a':1}]", "[{'b':2,'a':1}]"}});
  Expect(kSetDifference, {{"[1,2,2,3], [3,4]", "[1,2]"}, {"[], [1]", "[]"}, {"[1,1], []", "[1]"}});
  for (const Function* function : {&kSetUnion, &kSetIntersect, &kSetDifference, &kSetEqual}) {
    ExpectKinds(*function, "aa", "[1], [2]");
  }
}

TEST_F(SetsTest, Equal) {
  Expect(kSetEqual,
         {{"[1,2,2], [2,1]", "true"}, {"[1], [1,2]", "false"}, {"[1,2], [1,3]", "false"}, {"[], []", "true"}});
}

TEST_F(SetsTest, ObjectToArray) {
  Expect(kObjectToArray, {
                             {"{'a':'12345','b':'67890'}", "[{'k':'a','v':'12345'},{'k':'b','v':'67890'}]"},
                             {"{'a':1}, 'name'", "[{'name':'a','v':1}]"},
                             {"{'a':1}, 'name', 'value'", "[{'name':'a','value':1}]"},
                             {"{}", "[]"},
                             {"{'a':1}, 'x', 'x'", "undefined"},
                             {"{'a':1}, 'v'", "undefined"},
                             {"{'a':1}, '\\u0000'", "undefined"},
                         });
  ExpectKinds(kObjectToArray, "oss", "{'a':1}, 'n', 'w'");
}

TEST_F(SetsTest, SetsStopAtTheBudget) {
  EvalContext small({.memory_bytes_max = 5'000});
  std::string list = "[0";
  for (int i = 1; i < 1000; ++i) list.append(",").append(std::to_string(i));
  const std::vector<Value> arguments = values_.List(list + "], []");
  kSetUnion.evaluate(small, Arguments(arguments));
  EXPECT_TRUE(small.failed());
}

}  // namespace
}  // namespace lapse::query::functions
