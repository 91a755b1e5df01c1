#include "doc/writer.h"

#include <gtest/gtest.h>

#include "base/hex.h"
#include "doc/json.h"

namespace lapse::doc {
namespace {

TEST(WriterTest, HelloWorldAsTheSpecificationShowsIt) {
  std::string bson;
  Writer writer(&bson);
  writer.BeginDocument();
  writer.AppendString("hello", "world");
  writer.End();
  EXPECT_EQ(HexUpper(bson), "160000000268656C6C6F0006000000776F726C640000");
}

TEST(WriterTest, NestedArrayAsTheSpecificationShowsIt) {
  std::string bson;
  Writer writer(&bson);
  writer.BeginDocument();
  writer.BeginArray("BSON");
  writer.AppendString("0", "awesome");
  writer.AppendDouble("1", 5.05);
  writer.AppendInteger("2", 1986);
  writer.End();
  writer.End();
  EXPECT_EQ(HexUpper(bson),
            "310000000442534F4E002600000002300008000000617765736F6D65000131003333333333331440103200C20700000000");
}

TEST(WriterTest, EveryKindOfElement) {
  std::string array;
  ASSERT_TRUE(JsonArrayToBson("[1]", {}, &array).ok());
  std::string object;
  ASSERT_TRUE(JsonToBson(R"({"k":"v"})", {}, &object).ok());
  std::string bson;
  Writer writer(&bson);
  writer.BeginDocument();
  writer.AppendDouble("d", 1.5);
  writer.AppendString("s", "");
  writer.AppendBool("t", true);
  writer.AppendBool("f", false);
  writer.AppendNull("n");
  writer.AppendInt32("i", -1);
  writer.AppendInt64("l", 1);
  writer.AppendInteger("small", 2147483647);
  writer.AppendInteger("big", 2147483648);
  writer.AppendDocument("o", object);
  writer.AppendValue("a", Value(Type::kArray, array));
  writer.AppendValue("v", Find(object, "k"));
  writer.BeginObject("deep");
  writer.BeginObject("deeper");
  writer.AppendNull("x");
  writer.End();
  writer.BeginArray("empty");
  writer.End();
  writer.End();
  writer.AppendNull("end");
  writer.End();
  ASSERT_TRUE(Validate(bson, 3).ok());
  EXPECT_EQ(Find(bson, "l").type(), Type::kInt64);
  EXPECT_EQ(Find(bson, "small").type(), Type::kInt32);
  EXPECT_EQ(Find(bson, "big").type(), Type::kInt64);
  std::string json;
  ObjectToJson(bson, &json);
  EXPECT_EQ(json, R"({"d":1.5,"s":"","t":true,"f":false,"n":null,"i":-1,"l":1,"small":2147483647,"big":2147483648,)"
                  R"("o":{"k":"v"},"a":[1],"v":"v","deep":{"deeper":{"x":null},"empty":[]},"end":null})");
}

TEST(WriterTest, AppendsAfterWhatIsThereAndWritesDocumentsInARow) {
  std::string out = "header";
  Writer writer(&out);
  for (int i = 0; i < 2; ++i) {
    writer.BeginDocument();
    writer.BeginObject("o");
    writer.AppendInt32("i", i);
    writer.End();
    writer.End();
  }
  ASSERT_EQ(out.substr(0, 6), "header");
  size_t size = (out.size() - 6) / 2;
  for (int i = 0; i < 2; ++i) {
    std::string_view document = std::string_view(out).substr(6 + static_cast<size_t>(i) * size, size);
    ASSERT_TRUE(Validate(document, 2).ok());
    EXPECT_EQ(Find(Find(document, "o").AsDocument(), "i").AsInt32(), i);
  }
}

}  // namespace
}  // namespace lapse::doc
