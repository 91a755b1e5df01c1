#include "tests/query/fuzz/random_document.h"

#include <string_view>

#include "tests/query/fuzz/random_values.h"

namespace lapse::query_tests {
namespace {

std::string Elements(Choices* choices, std::string (*element)(Choices*)) {
  std::string list;
  for (uint32_t count = choices->Below(4); count > 0; --count) list += (list.empty() ? "" : ",") + element(choices);
  return "[" + list + "]";
}

std::string Entry(Choices* choices) {
  if (choices->OneIn(8)) return RandomValue(choices);
  std::string members = R"("k":)" + RandomPrimitive(choices);
  if (choices->Below(3) > 0) members += R"(,"v":)" + RandomNumber(choices);
  if (choices->OneIn(3)) members += R"(,"t":)" + Elements(choices, RandomPrimitive);
  return "{" + members + "}";
}

std::string Nested(Choices* choices) {
  std::string members;
  if (choices->Below(5) > 0) members = R"("a":)" + RandomValue(choices);
  if (choices->Below(3) > 0) {
    members += (members.empty() ? "" : ",") + (R"("b":{"c":)" + RandomPrimitive(choices)) + "}";
  }
  return "{" + members + "}";
}

}  // namespace

std::string RandomMembers(Choices* choices) {
  std::string members;
  // Sometimes the member has another type, or is missing.
  const auto add_or = [&](std::string_view name, auto usual, auto other) {
    const uint32_t kind = choices->Below(8);
    if (kind == 0) return;
    members.append(",\"").append(name).append("\":");
    members += kind == 1 ? other(choices) : usual(choices);
  };
  const auto anything = [](Choices* c) { return RandomValue(c); };
  const auto add = [&](std::string_view name, auto usual) { add_or(name, usual, anything); };
  // Numbers of other sizes would make sums depend on their order.
  add_or("n", RandomNumber, [](Choices* c) {
    constexpr std::string_view kNoNumbers[] = {"null", "true", R"("a")", "[1]", "{}"};
    return std::string(c->Pick(kNoNumbers));
  });
  add("s", RandomText);
  add("b", [](Choices* c) { return std::string(c->Below(2) == 0 ? "true" : "false"); });
  add("x", anything);
  switch (choices->Below(8)) {
    case 0: break;
    case 1: members += R"(,"big":null)"; break;
    default: members += R"(,"big":)" + RandomLargeInteger(choices);
  }
  add("o", Nested);
  add("t", [](Choices* c) { return Elements(c, [](Choices* e) { return RandomValue(e, 1); }); });
  add("r", [](Choices* c) { return Elements(c, Entry); });
  if (choices->OneIn(3)) members += R"(,"x-y":)" + RandomPrimitive(choices);
  add("loc", RandomGeometry);
  return members;
}

}  // namespace lapse::query_tests
