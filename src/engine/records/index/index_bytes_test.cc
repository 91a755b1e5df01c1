#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "doc/json.h"
#include "doc/writer.h"
#include "engine/records/index/index_key.h"
#include "engine/records/index/index_value.h"
#include "engine/records/index/path_number.h"

namespace lapse::engine {
namespace {

using namespace std::string_literals;

// A value of a document that owns its bytes.
class Held {
 public:
  explicit Held(int64_t number) {
    Build([&](doc::Writer* writer) { writer->AppendInt64("v", number); });
  }
  explicit Held(double number) {
    Build([&](doc::Writer* writer) { writer->AppendDouble("v", number); });
  }
  explicit Held(std::string_view text) {
    Build([&](doc::Writer* writer) { writer->AppendString("v", text); });
  }
  explicit Held(bool truth) {
    Build([&](doc::Writer* writer) { writer->AppendBool("v", truth); });
  }

  doc::Value value() const { return doc::Find(bson_, "v"); }
  std::string bytes() const {
    std::string out;
    PutIndexValue(&out, value());
    return out;
  }

 private:
  template <typename Append>
  void Build(const Append& append) {
    doc::Writer writer(&bson_);
    writer.BeginDocument();
    append(&writer);
    writer.End();
  }

  std::string bson_;
};

std::string JsonBytes(std::string_view json) {
  std::string bson;
  EXPECT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
  std::string out;
  PutIndexValue(&out, doc::Find(bson, "v"));
  return out;
}

int Sign(int order) {
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

// Compares numbers by their exact value, without converting to double.
int CompareNumbers(const std::variant<int64_t, double>& a, const std::variant<int64_t, double>& b) {
  auto exact = [](const std::variant<int64_t, double>& number) -> long double {
    // A long double on this machine holds every 64-bit integer and every double.
    static_assert(std::numeric_limits<long double>::digits >= 64);
    return std::visit([](auto value) { return static_cast<long double>(value); }, number);
  };
  const long double left = exact(a);
  const long double right = exact(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

TEST(IndexValueTest, TypesSortAsOrderBySays) {
  std::vector<std::string> ascending = {JsonBytes("{}"),
                                        JsonBytes(R"({"v":null})"),
                                        JsonBytes(R"({"v":false})"),
                                        JsonBytes(R"({"v":true})"),
                                        JsonBytes(R"({"v":-1e308})"),
                                        JsonBytes(R"({"v":-1})"),
                                        JsonBytes(R"({"v":0})"),
                                        JsonBytes(R"({"v":0.5})"),
                                        JsonBytes(R"({"v":1e308})"),
                                        JsonBytes(R"({"v":""})"),
                                        JsonBytes(R"({"v":"A"})"),
                                        JsonBytes(R"({"v":"a"})"),
                                        JsonBytes(R"({"v":"é"})"),
                                        JsonBytes(R"({"v":[]})"),
                                        JsonBytes(R"({"v":{}})")};
  for (size_t i = 1; i < ascending.size(); ++i) EXPECT_LT(ascending[i - 1], ascending[i]) << i;
}

TEST(IndexValueTest, NumbersSortByWhatTheyAreWorth) {
  std::mt19937_64 random(1);
  std::vector<std::variant<int64_t, double>> numbers;
  for (int64_t edge : {int64_t{0}, int64_t{1} << 53, int64_t{1} << 62, std::numeric_limits<int64_t>::max() - 1500,
                       std::numeric_limits<int64_t>::min() + 1500, -(int64_t{1} << 53), -(int64_t{1} << 62)}) {
    for (int64_t i = -3; i <= 3; ++i) {
      numbers.emplace_back(edge + i);
      numbers.emplace_back(static_cast<double>(edge + i));
    }
  }
  numbers.emplace_back(std::numeric_limits<int64_t>::max());
  numbers.emplace_back(std::numeric_limits<int64_t>::min());
  for (double number :
       {0.0, -0.0, 1e-308, -1e-308, 5e-324, 1.5, -1.5, 9223372036854775808.0, -9223372036854775808.0, 1e300, -1e300,
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    numbers.emplace_back(number);
  }
  for (int i = 0; i < 300; ++i) {
    const auto bits = static_cast<int64_t>(random());
    numbers.emplace_back(bits >> (random() % 64));
    numbers.emplace_back(static_cast<double>(bits) * std::pow(2.0, static_cast<int>(random() % 200) - 100));
  }
  auto bytes = [](const std::variant<int64_t, double>& number) {
    return std::visit([](auto value) { return Held(value).bytes(); }, number);
  };
  for (const auto& a : numbers) {
    const std::string of_a = bytes(a);
    for (const auto& b : numbers) {
      ASSERT_EQ(Sign(of_a.compare(bytes(b))), CompareNumbers(a, b));
    }
  }
}

TEST(IndexValueTest, WhatIsNoNumberComesBeforeAllNumbers) {
  const std::string nan = Held(std::numeric_limits<double>::quiet_NaN()).bytes();
  EXPECT_EQ(nan, Held(-std::numeric_limits<double>::quiet_NaN()).bytes());
  EXPECT_LT(nan, Held(-std::numeric_limits<double>::infinity()).bytes());
  EXPECT_GT(nan, Held(true).bytes());
}

TEST(IndexValueTest, StringsSortByTheirBytes) {
  std::mt19937_64 random(2);
  std::vector<std::string> texts = {"", "\0"s, "\0\0"s, "\0\1"s, "\0\xFF"s, "\xFF"s, "a", "a\0"s, "a\0b"s, "ab", "b"};
  const std::string long_one(256, 'x');
  for (const std::string& tail : {""s, "\0"s, "a"s, "b"s}) texts.push_back(long_one + tail);
  for (int i = 0; i < 200; ++i) {
    std::string text;
    for (size_t left = random() % 12; left > 0; --left)
      text.push_back(
          "\0\1\xFF"
          "a"[random() % 4]);
    texts.push_back(std::move(text));
  }
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      const int order = Sign(Held(std::string_view(a)).bytes().compare(Held(std::string_view(b)).bytes()));
      const bool both_cut = a.size() > 256 && b.size() > 256;
      ASSERT_EQ(order, both_cut ? 0 : Sign(a.compare(b)));
    }
  }
}

TEST(IndexValueTest, ALongStringIsCutAndSaysSo) {
  const std::string text = std::string(200, 'x') + std::string(200, '\0');
  const std::string bytes = Held(std::string_view(text)).bytes();
  EXPECT_LE(bytes.size(), 1 + 2 * 256 + 2);
  std::string_view rest = bytes;
  IndexValue value;
  ASSERT_TRUE(TakeIndexValue(&rest, &value));
  EXPECT_TRUE(rest.empty());
  EXPECT_TRUE(value.cut);
  EXPECT_FALSE(value.exact());
  EXPECT_EQ(value.text, text.substr(0, 256));
}

TEST(IndexValueTest, ValuesComeBack) {
  for (int64_t number : {int64_t{0}, int64_t{7}, (int64_t{1} << 53) + 1, std::numeric_limits<int64_t>::max(),
                         std::numeric_limits<int64_t>::min() + 1}) {
    const std::string bytes = Held(number).bytes() + "more";
    std::string_view rest = bytes;
    IndexValue value;
    ASSERT_TRUE(TakeIndexValue(&rest, &value));
    EXPECT_EQ(rest, "more");
    EXPECT_EQ(static_cast<int64_t>(value.number) + value.above, number);
    EXPECT_TRUE(value.exact());
  }
  for (const char* json :
       {"{}", R"({"v":null})", R"({"v":true})", R"({"v":"a\u0000b"})", R"({"v":[]})", R"({"v":{}})"}) {
    const std::string bytes = JsonBytes(json);
    std::string_view rest = bytes;
    IndexValue value;
    ASSERT_TRUE(TakeIndexValue(&rest, &value)) << json;
    EXPECT_TRUE(rest.empty());
    std::string again;
    PutIndexValue(&again, value);
    EXPECT_EQ(again, bytes);
  }
}

TEST(IndexValueTest, MalformedValuesAreRefused) {
  const std::string malformed[] = {
      "",
      "\0"s,
      "\x0A"s,
      "\x05"s,
      "\x05\x80\0\0\0\0\0\0\0\0\1"s,                // 0 and one above it
      "\x05\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0"s,  // -0
      "\x05\0\0\0\0\0\0\0\1\0\0"s,                  // another NaN
      "\x06"s,
      "\x06"
      "abc"s,
      "\x06"
      "abc\0\1"s,  // marked as cut, but too short
      "\x06"
      "abc\0\2"s,
      "\x06" + std::string(257, 'x') + "\0\0"s,
      "\x09"s,
  };
  for (const std::string& bytes : malformed) {
    std::string_view rest = bytes;
    IndexValue value;
    EXPECT_FALSE(TakeIndexValue(&rest, &value)) << testing::PrintToString(bytes);
    EXPECT_EQ(rest, bytes);
  }
}

TEST(IndexValueTest, InvertedValuesSortTheOtherWayRound) {
  std::vector<std::string> ascending = {JsonBytes("{}"),           JsonBytes(R"({"v":null})"),
                                        JsonBytes(R"({"v":3})"),   JsonBytes(R"({"v":""})"),
                                        JsonBytes(R"({"v":"a"})"), JsonBytes(R"({"v":"ab"})")};
  for (size_t i = 1; i < ascending.size(); ++i) {
    std::string before = ascending[i - 1] + "same";
    std::string after = ascending[i] + "same";
    InvertBytes(&before, 0);
    InvertBytes(&after, 0);
    EXPECT_GT(before, after) << i;
  }
}

TEST(PathNumberTest, PathsHaveNumbersOfTheirOwn) {
  const PathNumber a = PathOfName(kRootPath, "a");
  const PathNumber b = PathOfName(kRootPath, "b");
  const CompositePart parts[] = {{a, false}, {b, true}};
  const CompositePart turned[] = {{a, true}, {b, true}};
  const std::vector<PathNumber> numbers = {kRootPath,
                                           a,
                                           b,
                                           PathOfName(a, "b"),
                                           PathOfName(b, "a"),
                                           PathOfName(kRootPath, "ab"),
                                           PathOfName(kRootPath, ""),
                                           PathOfElements(kRootPath),
                                           PathOfElements(a),
                                           PathOfName(a, "[]"),
                                           PathOfComposite(parts),
                                           PathOfComposite(turned)};
  for (size_t i = 0; i < numbers.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_NE(numbers[i], numbers[j]) << i << " " << j;
  }
}

// The bytes are stored on disk.
TEST(PathNumberTest, NumbersStayTheSame) {
  const PathNumber number = PathOfElements(PathOfName(kRootPath, "tags"));
  std::string hex;
  for (char byte : number) {
    hex += "0123456789abcdef"[static_cast<uint8_t>(byte) >> 4];
    hex += "0123456789abcdef"[static_cast<uint8_t>(byte) & 15];
  }
  EXPECT_EQ(hex, "8b7b4b191c42167cf13daf1282b0dd78");
}

TEST(PathNumberTest, WhatIsRememberedIsFoundAgain) {
  PathNumbers numbers;
  PathNumbers::Spare spare;
  const PathNumbers::Node* a = numbers.Name(numbers.root(), "a", &spare);
  EXPECT_EQ(a, numbers.Name(numbers.root(), "a", &spare));
  EXPECT_EQ(a->number, PathOfName(kRootPath, "a"));
  const PathNumbers::Node* elements = numbers.Elements(a, &spare);
  EXPECT_EQ(elements, numbers.Elements(a, &spare));
  EXPECT_EQ(elements->number, PathOfElements(a->number));
  EXPECT_NE(elements, numbers.Name(a, "", &spare));
  EXPECT_TRUE(spare.empty());
}

TEST(PathNumberTest, WhatIsTooMuchIsRightAndNotRemembered) {
  PathNumbers numbers;
  PathNumbers::Spare spare;
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "name" + std::to_string(i);
    const PathNumbers::Node* node = numbers.Name(numbers.root(), name, &spare);
    EXPECT_EQ(node->number, PathOfName(kRootPath, name));
    EXPECT_EQ(numbers.Name(node, "b", &spare)->number, PathOfName(node->number, "b"));
  }
  EXPECT_GE(spare.size(), 2 * (2000 - PathNumbers::kRememberedMax));
  spare.clear();
  const std::string long_name(200, 'n');
  PathNumbers others;
  EXPECT_EQ(others.Name(others.root(), long_name, &spare)->number, PathOfName(kRootPath, long_name));
  EXPECT_EQ(spare.size(), 1);
}

TEST(PathNumberTest, ManyThreadsFindTheSameNumbers) {
  PathNumbers numbers;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&numbers] {
      PathNumbers::Spare spare;
      for (int i = 0; i < 1000; ++i) {
        const std::string name = std::to_string(i % 700);
        EXPECT_EQ(numbers.Name(numbers.root(), name, &spare)->number, PathOfName(kRootPath, name));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(IndexKeyTest, KeysComeBack) {
  const PathNumber path = PathOfName(kRootPath, "a");
  const ItemNumber item = MakeItemNumber(77, (uint64_t{1} << 39) + 12345);
  const std::string path_and_value = std::string(BytesOf(path)) + Held("text").bytes();
  const std::string key = IndexKey(9, path_and_value, item);
  IndexKeyParts parts;
  ASSERT_TRUE(SplitIndexKey(key, &parts));
  EXPECT_EQ(parts.index, 9);
  EXPECT_EQ(parts.path, path);
  EXPECT_EQ(parts.item, item);
  EXPECT_EQ(parts.value, Held("text").bytes());
  EXPECT_TRUE(key.starts_with(IndexPathPrefix(9, 77, path)));
}

TEST(IndexKeyTest, EntriesOfOneValueSortByTheOrderOfCreation) {
  const std::string path_and_value = std::string(BytesOf(PathOfName(kRootPath, "a"))) + Held("text").bytes();
  EXPECT_LT(IndexKey(9, path_and_value, MakeItemNumber(0, 255)), IndexKey(9, path_and_value, MakeItemNumber(0, 256)));
  EXPECT_LT(IndexKey(9, path_and_value, MakeItemNumber(0, 0xFFFFFFFF)),
            IndexKey(9, path_and_value, MakeItemNumber(0, 0x100000000)));
}

TEST(IndexKeyTest, MalformedKeysAreRefused) {
  const std::string left_out = IndexKey(9, BytesOf(kRootPath), MakeItemNumber(1, 2));
  IndexKeyParts parts;
  EXPECT_TRUE(SplitIndexKey(left_out, &parts));
  EXPECT_FALSE(SplitIndexKey(left_out.substr(1), &parts));
  EXPECT_FALSE(SplitIndexKey(left_out + "\1", &parts));                                      // a value at the root
  EXPECT_FALSE(SplitIndexKey(IndexKey(9, BytesOf(PathOfName(kRootPath, "a")), 1), &parts));  // a path without a value
  std::string no_partition = IndexKey(9, std::string(BytesOf(PathOfName(kRootPath, "a"))) + "\1", 1);
  no_partition[4] = 1;
  EXPECT_FALSE(SplitIndexKey(no_partition, &parts));
  EXPECT_FALSE(SplitIndexKey("", &parts));
}

}  // namespace
}  // namespace lapse::engine
