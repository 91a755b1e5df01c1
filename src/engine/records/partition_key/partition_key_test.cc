#include "engine/records/partition_key/partition_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

#include "base/bytes.h"

namespace lapse::engine {
namespace {

using Component = PartitionKeyComponent;
using Components = std::vector<Component>;

PartitionKeyDefinition HashV1() {
  return {{doc::Path({"pk"})}, PartitionKeyKind::kHash, 1};
}
PartitionKeyDefinition HashV2() {
  return {{doc::Path({"pk"})}, PartitionKeyKind::kHash, 2};
}
PartitionKeyDefinition MultiHash() {
  return {{doc::Path({"a"}), doc::Path({"b"}), doc::Path({"c"})}, PartitionKeyKind::kMultiHash, 2};
}

std::string Hex(const PartitionKeyDefinition& definition, const Components& components) {
  return HexUpper(EffectivePartitionKey(definition, components));
}

// Reads only the JSON used by the file of known answers: no escapes in strings, and `{}` as the only object.
class AnswerReader {
 public:
  explicit AnswerReader(std::string text) : text_(std::move(text)) {}

  struct Answer {
    Components components;
    std::string hex;
  };

  // Returns the list with this name.
  std::vector<Answer> List(const std::string& name) {
    at_ = text_.find('"' + name + '"') + name.size() + 2;
    Expect(':');
    std::vector<Answer> answers;
    Each([&] {
      Answer answer;
      Expect('[');
      Each([&] { answer.components.push_back(Value()); });
      Expect(',');
      answer.hex = std::get<std::string>(Value().value);
      Expect(']');
      answers.push_back(std::move(answer));
    });
    return answers;
  }

 private:
  char Peek() {
    at_ = std::min(text_.find_first_not_of(" \n\r\t", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool Take(std::string_view token) {
    if (Peek() == '\0' || text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }

  void Expect(char c) {
    if (!Take(std::string_view(&c, 1))) throw std::runtime_error("bad answers at " + std::to_string(at_));
  }

  template <typename Read>
  void Each(Read read) {
    Expect('[');
    do read();
    while (Take(","));
    Expect(']');
  }

  Component Value() {
    if (Take("null")) return Component::Null();
    if (Take("true")) return Component::Bool(true);
    if (Take("false")) return Component::Bool(false);
    if (Take("{}")) return Component::Missing();
    if (Take("\"")) {
      size_t end = text_.find('"', at_);
      std::string text = text_.substr(at_, end - at_);
      at_ = end + 1;
      return Component::String(std::move(text));
    }
    char* end = nullptr;
    double number = std::strtod(text_.c_str() + at_, &end);
    at_ = static_cast<size_t>(end - text_.c_str());
    return Component::Number(number);
  }

  std::string text_;
  size_t at_ = 0;
};

std::string AnswersText() {
  std::ifstream file("tests/data/partition-key/epk-vectors.json");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void ExpectAnswers(const std::string& list, const PartitionKeyDefinition& definition, size_t count) {
  std::string text = AnswersText();
  ASSERT_FALSE(text.empty()) << "run from the root of the repository";
  ASSERT_EQ(text.find('\\'), std::string::npos) << "the reader knows no escapes";
  auto answers = AnswerReader(text).List(list);
  EXPECT_EQ(answers.size(), count);
  for (size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(Hex(definition, answers[i].components), answers[i].hex) << i;
}

TEST(EffectivePartitionKeyTest, KnownAnswersV1) {
  ExpectAnswers("v1", HashV1(), 24);
}
TEST(EffectivePartitionKeyTest, KnownAnswersV2) {
  ExpectAnswers("v2", HashV2(), 24);
}
TEST(EffectivePartitionKeyTest, KnownAnswersMultiHash) {
  ExpectAnswers("multi", MultiHash(), 5);
}

TEST(EffectivePartitionKeyTest, NoComponentsAreTheStartOfTheSpace) {
  for (const auto& definition : {HashV1(), HashV2(), MultiHash()}) EXPECT_EQ(Hex(definition, {}), "");
}

TEST(EffectivePartitionKeyTest, MissingNullAndEmptyAreDifferentKeys) {
  for (const auto& definition : {HashV1(), HashV2(), MultiHash()}) {
    Components different = {Component::Missing(), Component::Null(), Component::String(""), Component::Bool(false),
                            Component::Number(0)};
    std::vector<std::string> keys;
    for (const Component& component : different) keys.push_back(Hex(definition, {component}));
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(std::unique(keys.begin(), keys.end()), keys.end());
  }
}

TEST(EffectivePartitionKeyTest, V1CountsUtf16UnitsAndTearsPairs) {
  std::string emoji = "\xF0\x9F\x98\x80";
  std::string torn = std::string(99, 'a') + emoji;
  EXPECT_EQ(Hex(HashV1(), {Component::String(torn)}),
            Hex(HashV1(), {Component::String(std::string(99, 'a') + "\xEF\xBF\xBD")}));
  std::string fits = std::string(98, 'a') + emoji;
  EXPECT_EQ(Hex(HashV1(), {Component::String(fits + "b")}), Hex(HashV1(), {Component::String(fits)}));
  EXPECT_NE(Hex(HashV1(), {Component::String(torn)}), Hex(HashV1(), {Component::String(fits)}));
  std::string accents;
  for (int i = 0; i < 100; ++i) accents += "\xC3\xA9";
  EXPECT_EQ(Hex(HashV1(), {Component::String(accents + "x")}), Hex(HashV1(), {Component::String(accents)}));
}

TEST(EffectivePartitionKeyTest, V1TakesTextThatIsNotUtf8) {
  std::string broken(150, '\xF0');
  EXPECT_FALSE(EffectivePartitionKey(HashV1(), Components{Component::String(broken)}).empty());
  std::string cut_off = std::string(99, 'a') + "\xE6\x97";
  EXPECT_FALSE(EffectivePartitionKey(HashV1(), Components{Component::String(cut_off)}).empty());
}

TEST(PrefixRangeTest, HoldsExactlyTheKeysBelowThePrefix) {
  Components prefix = {Component::String("t1")};
  EpkRange range = PrefixRange(MultiHash(), prefix);
  EXPECT_EQ(HexUpper(range.min), "3D48BB14DA9D090D22112C96695028B6");
  EXPECT_EQ(HexUpper(range.max), "3D48BB14DA9D090D22112C96695028B6FF");
  for (int i = 0; i < 500; ++i) {
    auto user = Component::String("u" + std::to_string(i));
    auto session = Component::Number(i);
    EXPECT_TRUE(range.Contains(EffectivePartitionKey(MultiHash(), Components{prefix[0], user, session})));
    EXPECT_FALSE(range.Contains(EffectivePartitionKey(MultiHash(), Components{user, prefix[0], session})));
  }
}

TEST(PrefixRangeTest, AWholeKeyIsItsOwnRange) {
  for (const auto& definition : {HashV1(), HashV2(), MultiHash()}) {
    Components components(definition.paths.size(), Component::Number(7));
    EpkRange range = PrefixRange(definition, components);
    EXPECT_EQ(range.min, EffectivePartitionKey(definition, components));
    EXPECT_TRUE(range.Contains(range.min));
    EXPECT_FALSE(range.Contains(range.min + '\0'));
  }
}

TEST(PrefixRangeTest, NoComponentsAreTheWholeSpace) {
  for (const auto& definition : {HashV1(), HashV2(), MultiHash()}) {
    EXPECT_EQ(PrefixRange(definition, {}), WholeEpkSpace());
  }
}

std::vector<std::string> BoundsHex(int partitions, const PartitionKeyDefinition& definition) {
  std::vector<std::string> bounds;
  for (const EpkRange& range : SplitEvenly(partitions, definition)) bounds.push_back(HexUpper(range.max));
  return bounds;
}

TEST(SplitEvenlyTest, BoundsDivideTheHashSpace) {
  using Bounds = std::vector<std::string>;
  EXPECT_EQ(BoundsHex(1, HashV1()), (Bounds{"FF"}));
  EXPECT_EQ(BoundsHex(4, HashV1()), (Bounds{"05C1CFFFFFFFF8", "05C1DFFFFFFFFC", "05C1E7FFFFFFFE", "FF"}));
  EXPECT_EQ(BoundsHex(5, HashV1()),
            (Bounds{"05C1C9CD673398", "05C1D9CD673398", "05C1E399CD6732", "05C1E9CD673398", "FF"}));
  EXPECT_EQ(BoundsHex(1, HashV2()), (Bounds{"FF"}));
  EXPECT_EQ(BoundsHex(2, HashV2()), (Bounds{"1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "FF"}));
  EXPECT_EQ(BoundsHex(3, MultiHash()),
            (Bounds{"15555555555555555555555555555555", "2AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "FF"}));
}

TEST(SplitEvenlyTest, TilesTheWholeSpace) {
  for (const auto& definition : {HashV1(), HashV2(), MultiHash()}) {
    for (int partitions : {1, 2, 3, 7, 10, 100, 1000}) {
      auto ranges = SplitEvenly(partitions, definition);
      ASSERT_EQ(ranges.size(), static_cast<size_t>(partitions));
      EXPECT_EQ(ranges.front().min, WholeEpkSpace().min);
      EXPECT_EQ(ranges.back().max, WholeEpkSpace().max);
      for (size_t i = 0; i < ranges.size(); ++i) {
        EXPECT_LT(ranges[i].min, ranges[i].max);
        EXPECT_EQ(ranges[i].min, i == 0 ? "" : ranges[i - 1].max);
      }
    }
  }
}

TEST(SplitEvenlyTest, KeysSpreadEvenly) {
  constexpr int kKeys = 10'000;
  std::mt19937_64 random(3);
  for (const auto& definition : {HashV1(), HashV2(), MultiHash()}) {
    std::vector<std::string> keys;
    for (int i = 0; i < kKeys; ++i) {
      bool text = i % 2 == 0;
      auto component = text ? Component::String("user-" + std::to_string(random())) : Component::Number(i);
      keys.push_back(EffectivePartitionKey(definition, Components(definition.paths.size(), component)));
    }
    for (int partitions = 1; partitions <= 10; ++partitions) {
      auto ranges = SplitEvenly(partitions, definition);
      for (const EpkRange& range : ranges) {
        auto held =
            std::count_if(keys.begin(), keys.end(), [&](const std::string& key) { return range.Contains(key); });
        EXPECT_NEAR(static_cast<double>(held) * partitions / kKeys, 1.0, 0.2);
      }
    }
  }
}

}  // namespace
}  // namespace lapse::engine
