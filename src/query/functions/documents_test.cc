#include "query/functions/documents.h"

#include <gtest/gtest.h>

#include "query/functions/test_eval.h"

namespace lapse::query::functions {
namespace {

using DocumentsTest = FunctionTest;

// The documents of this test carry their number as "n".
class NumberInDocument : public DocumentNumbers {
 public:
  std::optional<int64_t> NumberOf(Value document) const override {
    const Value number = Property(document, "n");
    if (number.kind() != Kind::kInt64) return std::nullopt;
    return number.AsInt64();
  }
};

TEST_F(DocumentsTest, DocumentIdAsksTheApi) {
  const NumberInDocument numbers;
  EvalContext context({.documents = &numbers});
  const auto id = [&](const char* document) {
    const Value argument = values_.One(document);
    return Shown(kDocumentId.evaluate(context, Arguments(&argument, 1)));
  };
  EXPECT_EQ(id("{'n':42}"), "42");
  EXPECT_EQ(id("{'x':42}"), "undefined");
  EXPECT_EQ(id("'x'"), "undefined");
  EXPECT_EQ(id("undefined"), "undefined");
  EXPECT_EQ(Eval(kDocumentId, "{'n':42}"), "undefined");
}

TEST_F(DocumentsTest, HashesAreTheSameForTheSameValues) {
  EXPECT_EQ(Eval(kHash, "{'a':1,'b':2}"), Eval(kHash, "{'b':2.0,'a':1}"));
  EXPECT_NE(Eval(kHash, "'a'"), Eval(kHash, "'b'"));
  EXPECT_EQ(Eval(kHash, "undefined"), "undefined");
  EXPECT_EQ(Eval(kHash, "'a', 1"), "0");
  EXPECT_EQ(Eval(kHash, "'a', 0"), "undefined");
  EXPECT_EQ(Eval(kHash, "'a', -5"), "undefined");
  for (int i = 0; i < 100; ++i) {
    const int64_t hash = Call(kHash, {Value::Int64(i), Value::Int64(10)}).AsInt64();
    EXPECT_GE(hash, 0);
    EXPECT_LT(hash, 10);
  }
}

TEST_F(DocumentsTest, VectorDistance) {
  Expect(kVectorDistance, {
                              {"[1,0], [1,0]", "1"},
                              {"[1,0], [0,1]", "0"},
                              {"[1,0], [-1,0]", "-1"},
                              {"[1,2,3], [2,4,6]", "1"},
                              {"[1,0], [1,0], true", "1"},
                              {"[3,4], [0,0], false, {'distanceFunction':'euclidean'}", "5"},
                              {"[1,2,3], [4,5,6], false, {'distanceFunction':'dotproduct'}", "32"},
                              {"[1,2,3], [4,5,6], false, {'distanceFunction':'DotProduct','dataType':'float32'}", "32"},
                              {"[1,0], [1,0], false, {}", "1"},
                              {"[1,0], [1,0], false, {'distanceFunction':'hamming'}", "undefined"},
                              {"[1,0], [1,0], false, {'distanceFunction':1}", "undefined"},
                              {"[1,2], [1,2,3]", "undefined"},
                              {"[], []", "undefined"},
                              {"[1,'a'], [1,2]", "undefined"},
                              {"[[1]], [[1]]", "undefined"},
                              {"[0,0], [1,0]", "undefined"},
                          });
  ExpectKinds(kVectorDistance, "aabo", "[1], [1], true, {'distanceFunction':'cosine'}");
}

}  // namespace
}  // namespace lapse::query::functions
