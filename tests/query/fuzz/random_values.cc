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

// Around poles, the antimeridian, and the edges of what an index may divide the earth into.
constexpr std::string_view kLongitudes[] = {"0",       "0.001",    "44.999", "45",   "90",
                                            "179.999", "-179.999", "180",    "-180", "-120"};
constexpr std::string_view kLatitudes[] = {"0",      "0.001", "-0.002", "35.2644", "45",
                                           "89.999", "90",    "-90",    "-89.99",  "60"};

std::string Position(Choices* choices) {
  return "[" + std::string(choices->Pick(kLongitudes)) + "," + std::string(choices->Pick(kLatitudes)) + "]";
}

std::string Quoted(std::string_view text) {
  return '"' + std::string(text) + '"';
}

// Longer than the part of a text that an index is likely to keep.
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

std::string RandomGeometry(Choices* choices) {
  const auto geometry = [](std::string_view type, const std::string& coordinates) {
    return R"({"type":")" + std::string(type) + R"(","coordinates":)" + coordinates + "}";
  };
  switch (choices->Below(8)) {
    case 4: return geometry("LineString", "[" + Position(choices) + "," + Position(choices) + "]");
    case 5: {
      const std::string first = Position(choices);
      const std::string ring = first + "," + Position(choices) + "," + Position(choices) + "," + first;
      return geometry("Polygon", "[[" + ring + "]]");
    }
    case 6: {
      constexpr std::string_view kRings[] = {
          "[[-1,-1],[1,-1],[1,1],[-1,1],[-1,-1]]", "[[179,-1],[-179,-1],[-179,1],[179,1],[179,-1]]",
          "[[0,88],[90,88],[180,88],[-90,88],[0,88]]", "[[-1,-1],[-1,1],[1,1],[1,-1],[-1,-1]]"};
      return geometry("Polygon", "[" + std::string(choices->Pick(kRings)) + "]");
    }
    case 7: return choices->OneIn(3) ? geometry("Point", "[0,100]") : geometry("Point", "[0.0005,0.0005]");
    default: return geometry("Point", Position(choices));
  }
}

std::string RandomKey(Choices* choices) {
  constexpr std::string_view kKeys[] = {R"("p0")", R"("p1")", R"("p2")", R"("p3")", R"("p4")", "7", "null", "true"};
  return std::string(choices->Pick(kKeys));
}

}  // namespace lapse::query_tests
