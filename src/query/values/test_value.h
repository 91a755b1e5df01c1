// Values from JSON text, and back, for tests. Single quotes stand for double quotes, which makes cases easy to read in
// C++. The words undefined, NaN, Infinity and -Infinity are accepted as well.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "doc/json.h"
#include "query/values/json_text.h"
#include "query/values/value.h"

namespace lapse::query {

// Owns: the bytes of all values that it made.
class TestValues {
 public:
  // Returns the values of a list like "'abc', 1, undefined".
  std::vector<Value> List(std::string_view list) {
    std::string json = "[";
    for (size_t i = 0; i < list.size(); ++i) {
      const Word* word = WordAt(list.substr(i));
      if (word != nullptr) {
        json.append(word->stand_in);
        i += word->text.size() - 1;
      } else {
        json.push_back(list[i] == '\'' ? '"' : list[i]);
      }
    }
    json.push_back(']');
    std::string& bson = bytes_.emplace_back();
    const Status status = doc::JsonArrayToBson(json, {.depth_max = 128, .bytes_max = size_t{64} << 20}, &bson);
    EXPECT_TRUE(status.ok()) << json << ": " << status.ToString();
    std::vector<Value> values;
    Elements elements(Value::Array(bson));
    while (auto element = elements.Next()) values.push_back(Meant(*element));
    return values;
  }
  Value One(std::string_view text) {
    const std::vector<Value> values = List(text);
    EXPECT_EQ(values.size(), 1u) << text;
    return values.at(0);
  }

 private:
  struct Word {
    std::string_view text;
    std::string_view stand_in;  // a JSON string that no test uses otherwise
    Value value;
  };
  static const std::vector<Word>& Words() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    static const std::vector<Word> words = {
        {"undefined", R"("@u")", Value()},
        {"NaN", R"("@n")", Value::Double(std::numeric_limits<double>::quiet_NaN())},
        {"-Infinity", R"("@m")", Value::Double(-kInfinity)},
        {"Infinity", R"("@i")", Value::Double(kInfinity)},
    };
    return words;
  }
  static const Word* WordAt(std::string_view text) {
    for (const Word& word : Words()) {
      if (text.starts_with(word.text)) return &word;
    }
    return nullptr;
  }
  static Value Meant(Value value) {
    if (!value.IsString() || value.AsString().size() != 2) return value;
    for (const Word& word : Words()) {
      if (value.AsString() == word.stand_in.substr(1, 2)) return word.value;
    }
    return value;
  }

  std::list<std::string> bytes_;
};

// Returns what a response would show, with single quotes.
inline std::string Shown(Value value) {
  if (value.IsUndefined()) return "undefined";
  if (value.kind() == Kind::kDouble && !std::isfinite(value.AsDouble())) {
    char buffer[kNumberTextMax];
    return std::string(NumberText(value, &buffer));
  }
  std::string json;
  AppendJson(value, &json);
  std::replace(json.begin(), json.end(), '"', '\'');
  return json;
}

}  // namespace lapse::query
