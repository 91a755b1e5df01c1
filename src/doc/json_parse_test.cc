#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <thread>

#include "base/hex.h"
#include "doc/json.h"
#include "doc/path.h"
#include "doc/test_bson.h"

namespace lapse::doc {
namespace {

using namespace std::string_literals;

Status Parse(std::string_view json, JsonLimits limits = {}) {
  std::string bson = "before";
  Status status = JsonToBson(json, limits, &bson);
  EXPECT_EQ(bson.substr(0, 6), "before");
  if (status.ok()) {
    Status valid = Validate(std::string_view(bson).substr(6), 1000);
    EXPECT_TRUE(valid.ok()) << json << ": " << valid.ToString();
  } else {
    EXPECT_EQ(bson, "before") << "an error must leave the output as it was: " << json;
    EXPECT_FALSE(status.message().empty());
  }
  return status;
}

std::string BackToJson(std::string_view json) {
  std::string text;
  ObjectToJson(Bson(json), &text);
  return text;
}

Value NumberOf(std::string_view number, std::string* bson) {
  *bson = Bson("{\"n\":" + std::string(number) + "}");
  return Find(*bson, "n");
}

std::string ObjectWithNestedArrays(int arrays) {
  auto count = static_cast<size_t>(arrays);
  return "{\"a\":" + std::string(count, '[') + std::string(count, ']') + "}";
}

// Values to try inside an object and inside an array.
const std::string kGoodValues[] = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "10",
    "123456789",
    "0.0",
    "-0.0",
    "0.1",
    "1.5",
    "-1.5",
    "1e1",
    "1E1",
    "1e+1",
    "1e-1",
    "1.5e10",
    "0e0",
    "0E+0",
    "0.5E-3",
    "20e1",
    "123.456e78",
    "1e-400",
    "-1e-400",
    "5e-324",
    "1.7976931348623157e308",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "100000000000000000000000000000000",
    "-100000000000000000000000000000000",
    "0." + std::string(500, '1'),
    std::string(300, '9'),
    "\"\"",
    "\"a\"",
    "\" \"",
    R"("\"")",
    R"("\\")",
    R"("\/")",
    R"("\b\f\n\r\t")",
    R"("\u0041")",
    R"("\u00e9\u00E9")",
    R"("\u20ac")",
    R"("\ud83d\ude00")",
    R"("\uDBFF\uDFFF")",
    R"("\u0000")",
    R"("a\u0000b")",
    R"("\uFFFF")",
    R"("\\u0041")",
    R"("\\\\\"")",
    "\"/\"",
    "\"\x7f\"",
    "\"\xC3\xA9\"",
    "\"\xE2\x82\xAC\"",
    "\"\xF0\x9F\x98\x80\"",
    "\"\xEF\xBB\xBF\"",
    "\"\xF4\x8F\xBF\xBF\"",
    "\"[,]{:}\"",
    R"("'")",
    "\"//\"",
    "[]",
    "[ ]",
    "[\n]",
    "[[]]",
    "[[],[]]",
    "[1,2,3]",
    "[1 , 2]",
    "[null]",
    "[\"\"]",
    "[{}]",
    "{}",
    "{ }",
    "{\"\":0}",
    "{\"a\":{}}",
    "{\"a\":[]}",
    R"({"a":1,"b":2})",
    R"({"\u0061":1})",
    R"({"a":1,"A":2})",
    R"({"a":{"a":{"a":1}}})",
    R"([{"a":1},{"a":2}])",
    R"({"$oid":"x"})",
    R"({"a.b":1})",
    " 1",
    "1 ",
    "\t1\r\n",
    "\n\"a\"\n",
    "true ",
    " null",
};

const std::string kBadValues[] = {
    "",
    " ",
    ",",
    ":",
    "nul",
    "nulll",
    "tru",
    "truee",
    "True",
    "fals",
    "falsee",
    "NULL",
    "nan",
    "NaN",
    "-NaN",
    "Infinity",
    "-Infinity",
    "inf",
    "undefined",
    "-",
    "+",
    "+1",
    "-+1",
    "--1",
    "01",
    "-01",
    "00",
    "1.",
    "-1.",
    ".1",
    "-.1",
    "1e",
    "1e+",
    "1E-",
    "1.e1",
    "1ee1",
    "1e1.5",
    "1.2.3",
    "0x1",
    "0b1",
    "1_000",
    "1a",
    "1\"\"",
    "1,000.5,",
    "1e400",
    "-1e400",
    "1e99999999999",
    "1" + std::string(400, '0'),
    "-1" + std::string(400, '0'),
    std::string(30, '9') + "a",
    "0" + std::string(30, '9'),
    std::string(30, '9') + ".",
    "1 2",
    "\xEF\xBC\x91",
    "'a'",
    "a",
    "\"",
    "\"a",
    "\"\\\"",
    "\"\\\"a",
    R"("\x41")",
    R"("\a")",
    R"("\u")",
    R"("\u004")",
    R"("\u00g1")",
    R"("\U0041")",
    R"("\0")",
    "\"\\\n\"",
    R"("\ud800")",
    R"("\ud800a")",
    R"("\ud800\u0041")",
    R"("\ud800\ud800")",
    R"("\udc00")",
    R"("\udc00\ud800")",
    R"("\ud83d\n")",
    R"("\ud83d\ude0")",
    "\"\n\"",
    "\"\t\"",
    "\"\x01\"",
    "\"\0\""s,
    "\"\x1f\"",
    "\"a\"b",
    "\"a\"\"b\"",
    "\"a\" \"b\"",
    "\"\x80\"",
    "\"\xC0\x80\"",
    "\"\xC3\"",
    "\"\xE2\x82\"",
    "\"\xED\xA0\x80\"",
    "\"\xF4\x90\x80\x80\"",
    "\"\xF8\x88\x80\x80\x80\"",
    "\"\xFF\"",
    "[",
    "]",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "[,]",
    "[1,,2]",
    "[1 2]",
    "[1;2]",
    "[1}",
    "[}",
    "[1:2]",
    "[\"a\":1]",
    "[[]",
    "[]]",
    "[1]]",
    "[1],",
    "{",
    "}",
    "{]",
    "{1:2}",
    "{a:1}",
    "{'a':1}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\" 1}",
    "{\"a\":1",
    "{\"a\":1,}",
    "{,}",
    "{,\"a\":1}",
    "{\"a\":1,,\"b\":2}",
    "{\"a\":1 \"b\":2}",
    "{\"a\":1;}",
    "{\"a\"::1}",
    "{\"a\":1:2}",
    "{\"a\",1}",
    "{\"a\":1]",
    "{\"a\":[}",
    "{\"a\":{}",
    "{\"a\":{]}",
    "{null:1}",
    "{\"a\":1}}",
    "{\"a\":1}x",
    "{{}}",
    "{[]}",
    "{\"a\":1 garbage}",
    "{\"a\" \"b\":1}",
    "{\"a\"b:1}",
    R"({"a":1,"a":2})",
    R"({"a":1,"\u0061":2})",
    R"({"a\u0000":1})",
    R"({"\u0000":1})",
    R"({"\ud800":1})",
    R"([{"b":{"a":1,"c":0,"a":1}}])",
    R"({"":1,"":2})",
    "1 // note",
    "/* note */ 1",
    "1 # note",
    "\v1",
    "\f1",
    "\xC2\xA0"s + "1",
    "1\0"s,
    "\0"s,
    "true\0"s,
    "\xEF\xBB\xBF"
    "1",
    "\xE2\x80\xA8"
    "1",
};

TEST(JsonParseTest, GoodValuesAreTaken) {
  for (const std::string& value : kGoodValues) {
    EXPECT_TRUE(Parse("{\"k\":" + value + "}").ok()) << value << ": " << Parse("{\"k\":" + value + "}").ToString();
    EXPECT_TRUE(Parse("{\"k\":[" + value + ",0]}").ok()) << value;
    std::string bson;
    EXPECT_TRUE(JsonArrayToBson("[" + value + "]", {}, &bson).ok()) << value;
  }
}

TEST(JsonParseTest, BadValuesAreRefused) {
  for (const std::string& value : kBadValues) {
    EXPECT_EQ(Parse("{\"k\":" + value + "}").code(), Code::kInvalidArgument) << value;
    EXPECT_EQ(Parse("{\"k\":[0," + value + "]}").code(), Code::kInvalidArgument) << value;
    EXPECT_EQ(Parse("{\"k\":" + value + ",\"l\":{}}").code(), Code::kInvalidArgument) << value;
  }
}

TEST(JsonParseTest, TheTextIsOneObject) {
  for (auto text : {"{}", " {} ", "\n\t{\r\n}\n", "{\"a\":1}\n"}) EXPECT_TRUE(Parse(text).ok()) << text;
  for (std::string_view text :
       {"",           " ",     "\n",    "[]",  "[1]", "1",   "\"a\"", "null", "true", "{",    "}",
        "{}{}",       "{} {}", "{},",   "{}]", "{}}", "{}x", "{} 1",  "x{}",  ",{}",  "[{}]", "\xEF\xBB\xBF{}",
        "\xFE\xFF{}", "{}\"",  "{}\xFF"}) {
    EXPECT_EQ(Parse(text).code(), Code::kInvalidArgument) << text;
  }
  EXPECT_FALSE(Parse("{}\0"s).ok());
  EXPECT_FALSE(Parse("\0{}"s).ok());
}

TEST(JsonParseTest, TheTextIsOneArray) {
  std::string bson;
  ASSERT_TRUE(JsonArrayToBson(R"([5,"x",[true]])", {}, &bson).ok());
  std::string json;
  ArrayToJson(bson, &json);
  EXPECT_EQ(json, R"([5,"x",[true]])");
  EXPECT_EQ(Find(bson, "1").AsString(), "x");
  for (std::string_view text : {"", "{}", "1", "[", "]", "[1]]", "[][]", "[1},", "[1}", "[1] 2"}) {
    std::string unchanged = "before";
    EXPECT_EQ(JsonArrayToBson(text, {}, &unchanged).code(), Code::kInvalidArgument) << text;
    EXPECT_EQ(unchanged, "before");
  }
}

TEST(JsonParseTest, NoPrefixOfATextIsTaken) {
  std::string text = R"({"a":[1,{"b":"x\u00e9\ud83d\ude00"},null],"c":-1.5e3,"d":{"e":true}})";
  ASSERT_TRUE(Parse(text).ok());
  for (size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(Parse(text.substr(0, size)).ok()) << size;
}

TEST(JsonParseTest, KnownBytes) {
  EXPECT_EQ(HexUpper(Bson("{}")), "0500000000");
  EXPECT_EQ(HexUpper(Bson(R"({"hello":"world"})")), "160000000268656C6C6F0006000000776F726C640000");
  EXPECT_EQ(HexUpper(Bson(R"({"BSON":["awesome",5.05,1986]})")),
            "310000000442534F4E002600000002300008000000617765736F6D65000131003333333333331440103200C20700000000");
}

TEST(JsonParseTest, NumbersTakeTheSmallestExactType) {
  std::string bson;
  EXPECT_EQ(NumberOf("2147483647", &bson).type(), Type::kInt32);
  EXPECT_EQ(NumberOf("-2147483648", &bson).type(), Type::kInt32);
  EXPECT_EQ(NumberOf("2147483648", &bson).type(), Type::kInt64);
  EXPECT_EQ(NumberOf("-2147483649", &bson).type(), Type::kInt64);
  EXPECT_EQ(NumberOf("9223372036854775807", &bson).AsInt64(), INT64_MAX);
  EXPECT_EQ(NumberOf("-9223372036854775808", &bson).AsInt64(), INT64_MIN);
  EXPECT_EQ(NumberOf("9223372036854775808", &bson).AsDouble(), 9223372036854775808.0);
  EXPECT_EQ(NumberOf("-9223372036854775809", &bson).AsDouble(), -9223372036854775808.0);
  EXPECT_EQ(NumberOf("18446744073709551616", &bson).AsDouble(), 18446744073709551616.0);
  EXPECT_EQ(NumberOf("100000000000000000000000000000", &bson).AsDouble(), 1e29);
  EXPECT_EQ(NumberOf("1.0", &bson).type(), Type::kDouble);
  EXPECT_EQ(NumberOf("1e2", &bson).type(), Type::kDouble);
  EXPECT_EQ(NumberOf("1e2", &bson).AsDouble(), 100.0);
  EXPECT_EQ(NumberOf("1e-400", &bson).AsDouble(), 0.0);
}

TEST(JsonParseTest, NumbersOfAnyLengthAreExactlyRounded) {
  std::string bson;
  EXPECT_EQ(NumberOf("9223372036854775808.0", &bson).AsDouble(), 9223372036854775808.0);
  EXPECT_EQ(NumberOf("1000000000.000000001", &bson).AsDouble(), 1000000000.000000001);
  EXPECT_EQ(NumberOf("0.12345678901234567890123456", &bson).AsDouble(), 0.12345678901234567890123456);
  EXPECT_EQ(NumberOf("0." + std::string(500, '1'), &bson).AsDouble(), 1.0 / 9);
  EXPECT_EQ(NumberOf(std::string(300, '9') + "e-300", &bson).AsDouble(), 1.0);
  EXPECT_EQ(NumberOf("0." + std::string(400, '0') + "1e401", &bson).AsDouble(), 1.0);
  EXPECT_EQ(NumberOf("2.4703282292062328e-324", &bson).AsDouble(), 5e-324);
}

TEST(JsonParseTest, NumbersTooSmallForADoubleAreZeroAndThoseTooBigRefused) {
  std::string bson;
  for (std::string text : {"1e-400", "2e-324", "0.001e-99999999999999999999", "1000e-99999999999999999999"}) {
    EXPECT_EQ(NumberOf(text, &bson).AsDouble(), 0.0) << text;
    EXPECT_TRUE(std::signbit(NumberOf("-" + text, &bson).AsDouble())) << text;
  }
  EXPECT_EQ(NumberOf("0e99999999999999999999", &bson).AsDouble(), 0.0);
  for (auto text : {"1.8e308", "0.001e999", "1e+400", "0.001e99999999999999999999", "1e99999999999999999999"}) {
    Status status = Parse("{\"n\":" + std::string(text) + "}");
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << text;
    EXPECT_NE(status.message().find("range of a double"), std::string::npos) << status.ToString();
  }
}

TEST(JsonParseTest, NegativeZeroIsADouble) {
  for (auto text : {"-0", "-0.0", "-0e0", "-0 "}) {
    std::string bson;
    Value value = NumberOf(text, &bson);
    ASSERT_EQ(value.type(), Type::kDouble) << text;
    EXPECT_TRUE(value.AsDouble() == 0 && std::signbit(value.AsDouble())) << text;
  }
  std::string bson;
  EXPECT_EQ(NumberOf("0", &bson).type(), Type::kInt32);
}

TEST(JsonParseTest, StringsAreUnescaped) {
  std::string bson = Bson(R"({"s":"a\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00\u0000z","\u006e\n":1})");
  EXPECT_EQ(Find(bson, "s").AsString(), "a\"\\/\b\f\n\r\tA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\0z"s);
  EXPECT_EQ(Find(bson, "n\n").AsInt32(), 1);
}

// Lengths around the scanner's block sizes, with and without a character to escape.
TEST(JsonParseTest, StringsOfEveryLength) {
  for (size_t size = 0; size < 100; ++size) {
    std::string text(size, 'x');
    EXPECT_EQ(BackToJson("{\"s\":\"" + text + "\"}"), "{\"s\":\"" + text + "\"}");
    EXPECT_EQ(BackToJson("{\"" + text + "\":0}"), "{\"" + text + "\":0}");
    for (size_t at = 0; at < size; ++at) {
      for (auto escape : {"\\\"", "\\\\", "\\n", "\\u001f", "\xC3\xA9"}) {
        std::string json = "{\"s\":\"" + text.substr(0, at) + escape + text.substr(at) + "\"}";
        ASSERT_EQ(BackToJson(json), json);
      }
    }
  }
}

TEST(JsonParseTest, CanonicalTextsSurviveTheRoundTrip) {
  for (std::string_view text :
       {R"({})", R"({"a":1})", R"({"z":1,"a":2,"m":3})", R"({"a":[1,2.5,"x",null,true,false,[],{}]})",
        R"({"a":{"b":{"c":[{"d":[[[]]]}]}}})", R"({"d":[5.0,-0.0,0.1,1e+300,-1.5,100000.0,1e-07]})",
        R"({"s":"\"\\/\b\f\n\r\t\u0000\u001fü€😀"})", R"({"":"","a/b":0,"$x":1})",
        R"({"i":[2147483647,2147483648,-9223372036854775808,9223372036854775807]})"}) {
    EXPECT_EQ(BackToJson(text), text);
  }
}

TEST(JsonParseTest, WhitespaceIsDropped) {
  EXPECT_EQ(BackToJson(" {\n\t\"a\" :\r [ 1 , 2 ] , \"b\" : { } } "), R"({"a":[1,2],"b":{}})");
}

TEST(JsonParseTest, LongArraysHaveDecimalNames) {
  std::string json = "{\"a\":[0";
  for (int i = 1; i < 1200; ++i) json += "," + std::to_string(i);
  std::string bson = Bson(json + "]}");
  std::string_view array = Find(bson, "a").AsDocument();
  for (int i : {0, 9, 10, 99, 100, 999, 1000, 1199}) EXPECT_EQ(Find(array, std::to_string(i)).AsInt32(), i);
}

TEST(JsonParseTest, DuplicateNamesAreRefusedInLargeObjects) {
  for (int members : {2, 15, 16, 17, 18, 1000}) {
    std::string json = "{\"n0\":0";
    for (int i = 1; i < members; ++i) json += ",\"n" + std::to_string(i) + "\":{\"n0\":1}";
    EXPECT_TRUE(Parse(json + "}").ok()) << members;
    for (int again : {0, members / 2, members - 1}) {
      Status status = Parse(json + ",\"n" + std::to_string(again) + "\":0}");
      EXPECT_EQ(status.code(), Code::kInvalidArgument) << members;
      EXPECT_NE(status.message().find("\"n" + std::to_string(again) + "\" twice"), std::string::npos);
    }
  }
}

TEST(JsonParseTest, AHundredThousandMembersWithACommonPrefix) {
  std::string json = "{";
  for (int i = 0; i < 100000; ++i) json += "\"name" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(Parse(json + "\"last\":1}").ok());
  EXPECT_FALSE(Parse(json + "\"name5\":1}").ok());
}

TEST(JsonParseTest, DepthIsLimited) {
  EXPECT_TRUE(Parse(ObjectWithNestedArrays(127)).ok());
  Status status = Parse(ObjectWithNestedArrays(128));
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_NE(status.message().find("deeper than 128"), std::string::npos) << status.ToString();
  EXPECT_TRUE(Parse("{}", {.depth_max = 1}).ok());
  EXPECT_FALSE(Parse("{\"a\":{}}", {.depth_max = 1}).ok());
  EXPECT_FALSE(Parse("{}", {.depth_max = 0}).ok());
}

TEST(JsonParseTest, AMillionBracketsAreRefusedWhateverTheLimit) {
  for (int depth_max : {128, 1000000000}) {
    JsonLimits limits{.depth_max = depth_max, .bytes_max = 100000000};
    EXPECT_EQ(Parse(ObjectWithNestedArrays(1000000), limits).code(), Code::kInvalidArgument);
    EXPECT_EQ(Parse("{\"a\":" + std::string(1000000, '['), limits).code(), Code::kInvalidArgument);
    std::string objects = "{\"a\":";
    for (int i = 0; i < 200000; ++i) objects += "{\"a\":";
    EXPECT_EQ(Parse(objects + std::string(200000, '}') + "}", limits).code(), Code::kInvalidArgument);
  }
}

TEST(JsonParseTest, SizeIsLimited) {
  std::string json = "{\"a\":\"" + std::string(100, 'x') + "\"}";
  EXPECT_TRUE(Parse(json, {.bytes_max = json.size()}).ok());
  EXPECT_EQ(Parse(json, {.bytes_max = json.size() - 1}).code(), Code::kTooLarge);
  EXPECT_EQ(Parse(std::string(3 << 20, ' ')).code(), Code::kTooLarge);
}

// The second text is parsed with new buffers, since those of the first were freed.
TEST(JsonParseTest, ASmallTextAfterALargeOne) {
  JsonLimits limits{.bytes_max = 16 << 20};
  std::string large = "{\"a\":\"" + std::string(8 << 20, 'x') + "\"}";
  EXPECT_TRUE(Parse(large, limits).ok());
  EXPECT_EQ(BackToJson(R"({"a":1})"), R"({"a":1})");
  EXPECT_TRUE(Parse(large, limits).ok());
}

TEST(JsonParseTest, AnErrorDoesNotHarmTheNextText) {
  EXPECT_FALSE(Parse(R"({"a":{"b":1,"c":[1,2)").ok());
  EXPECT_TRUE(Parse(R"({"a":1})").ok());
  EXPECT_FALSE(Parse(R"({"a":1,"b":{"c":x}})").ok());
  EXPECT_EQ(BackToJson(R"({"b":1,"a":1,"c":1})"), R"({"b":1,"a":1,"c":1})");
}

TEST(JsonParseTest, MessagesSayWhere) {
  EXPECT_NE(Parse(R"({"a":1,"b":tru})").message().find("byte 11"), std::string::npos);
  EXPECT_NE(Parse(R"({"a":1} {})").message().find("byte 8"), std::string::npos);
}

TEST(JsonParseTest, ThreadsHaveTheirOwnBuffers) {
  auto work = [](std::string_view json) {
    for (int i = 0; i < 200; ++i) EXPECT_EQ(BackToJson(json), json);
  };
  std::thread other(work, R"({"a":[1,2,3],"b":"one"})");
  work(R"({"x":{"y":"two"}})");
  other.join();
}

std::string MessageOf(std::string_view json) {
  std::string document;
  return JsonToBson(json, {}, &document).message();
}

TEST(JsonTest, TextAfterTheEndIsCalledSo) {
  constexpr std::string_view kAfter = ": there is text after the end of the value";
  EXPECT_EQ(MessageOf(R"({"a":1}x)"), "invalid JSON near byte 7" + std::string(kAfter));
  EXPECT_EQ(MessageOf(R"({"a":"}\"]"} , )"), "invalid JSON near byte 13" + std::string(kAfter));
  for (const char* json :
       {"{}1", "{} null", R"({"a":[1]}[)", R"({"a":1}{)", R"({"a":1}"b")", "{}}", R"({"a":1}{"b":2})"}) {
    EXPECT_TRUE(MessageOf(json).ends_with(kAfter)) << json << ": " << MessageOf(json);
  }
  for (const char* json : {R"({"a":1)", "{", R"({"a":[1,2])", R"({"a":"}")"}) {
    EXPECT_TRUE(MessageOf(json).ends_with("an object or array is not closed")) << json << ": " << MessageOf(json);
  }
  std::string document;
  EXPECT_TRUE(JsonArrayToBson("[1]x", {}, &document).message().ends_with(kAfter));
}

}  // namespace
}  // namespace lapse::doc
