#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/hex.h"
#include "doc/json.h"
#include "doc/test_bson.h"
#include "doc/writer.h"

namespace lapse::doc {
namespace {

using namespace std::string_literals;

std::string Print(Type type, std::string_view raw) {
  std::string json;
  ValueToJson(Value(type, raw), &json);
  return json;
}

template <typename T>
std::string Raw(T number) {
  std::string raw(sizeof(number), '\0');
  std::memcpy(raw.data(), &number, sizeof(number));
  return raw;
}

std::string PrintDouble(double number) {
  return Print(Type::kDouble, Raw(number));
}
std::string PrintDate(int64_t milliseconds) {
  return Print(Type::kDate, Raw(milliseconds));
}

std::string RawString(std::string_view text) {
  return Raw(static_cast<int32_t>(text.size() + 1)) + std::string(text) + '\0';
}

std::string FromHexDigits(std::string_view hex) {
  std::string bytes;
  EXPECT_TRUE(FromHex(hex, &bytes));
  return bytes;
}

TEST(JsonPrintTest, DoublesStayDoubles) {
  EXPECT_EQ(PrintDouble(5.0), "5.0");
  EXPECT_EQ(PrintDouble(-3.0), "-3.0");
  EXPECT_EQ(PrintDouble(0.0), "0.0");
  EXPECT_EQ(PrintDouble(-0.0), "-0.0");
  EXPECT_EQ(PrintDouble(0.1), "0.1");
  EXPECT_EQ(PrintDouble(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(PrintDouble(100000.0), "100000.0");
  EXPECT_EQ(PrintDouble(9007199254740991.0), "9007199254740991.0");
  EXPECT_EQ(PrintDouble(1e300), "1e+300");
}

TEST(JsonPrintTest, EveryDoubleReadsBackAsItself) {
  for (double number : {0x1p53, 0x1p63, 0x1p64, 1e15, 1e16, 1e17, 1e21, 1e22, 123456789012345680.0, 5e-324, 2.5e-10,
                        1.7976931348623157e308, 0x1.fffffffffffffp-2, 12345.678, 1e23, 9007199254740993.0}) {
    for (double signed_number : {number, -number}) {
      std::string bson = Bson("{\"n\":" + PrintDouble(signed_number) + "}");
      ASSERT_EQ(Find(bson, "n").type(), Type::kDouble) << PrintDouble(signed_number);
      EXPECT_EQ(Find(bson, "n").AsDouble(), signed_number);
    }
  }
}

TEST(JsonPrintTest, WhatIsNoNumberIsAString) {
  EXPECT_EQ(PrintDouble(std::nan("")), R"("NaN")");
  EXPECT_EQ(PrintDouble(HUGE_VAL), R"("Infinity")");
  EXPECT_EQ(PrintDouble(-HUGE_VAL), R"("-Infinity")");
}

TEST(JsonPrintTest, JsonTypes) {
  EXPECT_EQ(Print(Type::kInt32, Raw<int32_t>(-7)), "-7");
  EXPECT_EQ(Print(Type::kInt64, Raw(std::numeric_limits<int64_t>::min())), "-9223372036854775808");
  EXPECT_EQ(Print(Type::kBool, "\1"), "true");
  EXPECT_EQ(Print(Type::kBool, "\0"s), "false");
  EXPECT_EQ(Print(Type::kNull, ""), "null");
  EXPECT_EQ(Print(Type::kMissing, ""), "null");
  EXPECT_EQ(Print(Type::kString, RawString("x")), R"("x")");
  EXPECT_EQ(Print(Type::kObject, Bson(R"({"a":[1]})")), R"({"a":[1]})");
}

TEST(JsonPrintTest, StringsAreEscapedWhereNeeded) {
  std::string json = "x";
  StringToJson("\"\\/\b\f\n\r\t\x01\x1F\x7F\0\xC3\xA9"s, &json);
  EXPECT_EQ(json, "x\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7F\\u0000\xC3\xA9\"");
  json.clear();
  StringToJson({}, &json);
  EXPECT_EQ(json, "\"\"");
  json.clear();
  StringToJson(std::string(1000, '\1'), &json);
  EXPECT_EQ(json.size(), 6002U);
}

TEST(JsonPrintTest, NamesAreEscaped) {
  EXPECT_EQ(Print(Type::kObject, Bson(R"({"a\"\n":1})")), R"({"a\"\n":1})");
}

TEST(JsonPrintTest, Dates) {
  EXPECT_EQ(PrintDate(0), R"({"$date":"1970-01-01T00:00:00Z"})");
  EXPECT_EQ(PrintDate(1356351330501), R"({"$date":"2012-12-24T12:15:30.501Z"})");
  EXPECT_EQ(PrintDate(1), R"({"$date":"1970-01-01T00:00:00.001Z"})");
  EXPECT_EQ(PrintDate(951782400000), R"({"$date":"2000-02-29T00:00:00Z"})");
  EXPECT_EQ(PrintDate(253402300799999), R"({"$date":"9999-12-31T23:59:59.999Z"})");
  EXPECT_EQ(PrintDate(253402300800000), R"({"$date":{"$numberLong":"253402300800000"}})");
  EXPECT_EQ(PrintDate(-1), R"({"$date":{"$numberLong":"-1"}})");
}

TEST(JsonPrintTest, TypesThatJsonDoesNotHave) {
  EXPECT_EQ(Print(Type::kObjectId, FromHexDigits("56e1fc72e0c917e9c4714161")),
            R"({"$oid":"56e1fc72e0c917e9c4714161"})");
  EXPECT_EQ(Print(Type::kBinary, Raw<int32_t>(2) + "\x80" + "\xFF\xFF"),
            R"({"$binary":{"base64":"//8=","subType":"80"}})");
  EXPECT_EQ(Print(Type::kBinary, Raw<int32_t>(0) + '\0'), R"({"$binary":{"base64":"","subType":"00"}})");
  EXPECT_EQ(Print(Type::kBinary, Raw<int32_t>(6) + "\x02" + Raw<int32_t>(2) + "\xFF\xFF"),
            R"({"$binary":{"base64":"//8=","subType":"02"}})");
  EXPECT_EQ(Print(Type::kUndefined, ""), R"({"$undefined":true})");
  EXPECT_EQ(Print(Type::kRegex, "a\"b\0im\0"s), R"({"$regularExpression":{"pattern":"a\"b","options":"im"}})");
  EXPECT_EQ(Print(Type::kRegex, "\0\0"s), R"({"$regularExpression":{"pattern":"","options":""}})");
  EXPECT_EQ(Print(Type::kDbPointer, RawString("db.c") + FromHexDigits("56e1fc72e0c917e9c4714161")),
            R"({"$dbPointer":{"$ref":"db.c","$id":{"$oid":"56e1fc72e0c917e9c4714161"}}})");
  EXPECT_EQ(Print(Type::kCode, RawString("f(\"x\");")), R"({"$code":"f(\"x\");"})");
  EXPECT_EQ(Print(Type::kSymbol, RawString("s")), R"({"$symbol":"s"})");
  std::string inside = RawString("f") + Bson(R"({"x":1})");
  EXPECT_EQ(Print(Type::kCodeWithScope, Raw(static_cast<int32_t>(inside.size() + 4)) + inside),
            R"({"$code":"f","$scope":{"x":1}})");
  EXPECT_EQ(Print(Type::kTimestamp, Raw<uint32_t>(42) + Raw<uint32_t>(4000000000)),
            R"({"$timestamp":{"t":4000000000,"i":42}})");
  EXPECT_EQ(Print(Type::kDecimal128, FromHexDigits("01000000000000000000000000003E30")), R"({"$numberDecimal":"0.1"})");
  EXPECT_EQ(Print(Type::kMinKey, ""), R"({"$minKey":1})");
  EXPECT_EQ(Print(Type::kMaxKey, ""), R"({"$maxKey":1})");
}

TEST(JsonPrintTest, AppendsToWhatIsThere) {
  std::string json = "[";
  ObjectToJson(Bson(R"({"a":1})"), &json);
  json += ',';
  ObjectToJson(Bson("{}"), &json);
  EXPECT_EQ(json, R"([{"a":1},{})");
}

TEST(JsonPrintTest, MembersWithoutBracesAndWithoutSomeNames) {
  std::string bson = Bson(R"({"_a":1,"b":{"_c":2},"_d":3,"e":4})");
  std::string all;
  MembersToJson(bson, nullptr, &all);
  EXPECT_EQ(all, R"("_a":1,"b":{"_c":2},"_d":3,"e":4)");
  std::string some;
  MembersToJson(
      bson, [](std::string_view name) { return name[0] == '_'; }, &some);
  EXPECT_EQ(some, R"("b":{"_c":2},"e":4)");
  std::string none;
  MembersToJson(
      bson, [](std::string_view) { return true; }, &none);
  EXPECT_EQ(none, "");
}

}  // namespace
}  // namespace lapse::doc
