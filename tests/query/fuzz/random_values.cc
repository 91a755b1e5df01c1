#include "tests/query/fuzz/random_values.h"

#include <array>
#include <string_view>

namespace lapse::query_tests {
namespace {

constexpr std::string_view kNumbers[] = {"0", "1", "2", "3", "-1", "-0.0", "0.5", "1.0", "1.5", "-2.5", "10", "100"};
constexpr std::string_view kWideNumbers[] = {"9007199254740992",
                                             "9007199254740993",
                                             "9007199254740994.0",
                                             "-9007199254740993",
                                             "9223372036854775807",
                                             "-9223372036854775808",
                                             "9223372036854775000",
                                             "9.223372036854776e+18",
                                             "1e300",
                                             "-1e300",
                                             "1e-300",
                                             "0.1",
                                             "4294967296",
                                             "0.30000000000000004"};
constexpr std::string_view kLargeIntegers[] = {"9007199254740993",  "9007199254740992",  "-9007199254740993",
                                               "72057594037927936", "72057594037927937", "-72057594037927937"};
constexpr std::string_view kTexts[] = {"a", "", "ab", "abc", "b", "B", "AB", "a%b", "a_b", "[a]", "z", "é", "€", "😀a"};
constexpr std::string_view kArrays[] = {"[]",    "[1]",          "[1.0]",       R"(["a"])", R"([1,"a",null])",
                                        "[[1]]", "[true,false]", R"([{"k":1}])"};
constexpr std::string_view kObjects[] = {
    "{}", R"({"a":1})", R"({"a":1,"b":2})", R"({"b":2,"a":1})", R"({"a":null})", R"({"b":{"c":1}})"};

std::string Quoted(std::string_view text) {
  return '"' + std::string(text) + '"';
}

// Longer than what an index is likely to keep of a text.
std::string LongText(Choices* choices) {
  constexpr size_t kLengths[] = {255, 256, 257, 300, 700};
  std::string text(choices->Pick(kLengths), 'x');
  text += choices->Pick(std::array{"", "a", "b", "aa"});
  return text;
}

}  // namespace

std::string RandomNumber(Choices* choices) {
  return std::string(choices->Pick(kNumbers));
}

std::string RandomWideNumber(Choices* choices) {
  return choices->Below(2) == 0 ? RandomNumber(choices) : std::string(choices->Pick(kWideNumbers));
}

std::string RandomLargeInteger(Choices* choices) {
  return std::string(choices->Pick(kLargeIntegers));
}

std::string RandomText(Choices* choices) {
  return Quoted(choices->OneIn(4) ? LongText(choices) : std::string(choices->Pick(kTexts)));
}

std::string RandomPrimitive(Choices* choices) {
  switch (choices->Below(8)) {
    case 0:
    case 1: return RandomNumber(choices);
    case 2: return RandomWideNumber(choices);
    case 3:
    case 4: return RandomText(choices);
    case 5: return "null";
    case 6: return "true";
    default: return "false";
  }
}

std::string RandomValue(Choices* choices, int depth) {
  switch (choices->Below(depth > 0 ? 10 : 8)) {
    case 6: return std::string(choices->Pick(kArrays));
    case 7: return std::string(choices->Pick(kObjects));
    case 8: {
      std::string list;
      for (uint32_t count = choices->Below(4); count > 0; --count) {
        list += (list.empty() ? "" : ",") + RandomValue(choices, depth - 1);
      }
      return "[" + list + "]";
    }
    case 9: return R"({"a":)" + RandomValue(choices, depth - 1) + R"(,"k":)" + RandomValue(choices, depth - 1) + "}";
    default: return RandomPrimitive(choices);
  }
}

std::string RandomKey(Choices* choices) {
  constexpr std::string_view kKeys[] = {R"("p0")", R"("p1")", R"("p2")", R"("p3")", R"("p4")", "7", "null", "true"};
  return std::string(choices->Pick(kKeys));
}

}  // namespace lapse::query_tests
