#include "doc/edit.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "doc/json.h"
#include "doc/test_bson.h"
#include "doc/writer.h"

namespace lapse::doc {
namespace {

using EditKind = Edit::Kind;

Edit Make(EditKind kind, std::string_view path, std::string_view value_json = "", std::string_view from = "") {
  Edit edit;
  edit.kind = kind;
  edit.path = *Path::FromPointer(path, 200);
  edit.from = *Path::FromPointer(from, 200);
  if (!value_json.empty()) {
    const std::string holder = Bson("{\"v\":" + std::string(value_json) + "}");
    edit.value = OwnedValue(Find(holder, "v"));
  }
  return edit;
}
Edit Add(std::string_view path, std::string_view value) {
  return Make(EditKind::kAdd, path, value);
}
Edit Set(std::string_view path, std::string_view value) {
  return Make(EditKind::kSet, path, value);
}
Edit Replace(std::string_view path, std::string_view value) {
  return Make(EditKind::kReplace, path, value);
}
Edit Remove(std::string_view path) {
  return Make(EditKind::kRemove, path);
}
Edit Increment(std::string_view path, std::string_view value) {
  return Make(EditKind::kIncrement, path, value);
}
Edit Move(std::string_view from, std::string_view path) {
  return Make(EditKind::kMove, path, "", from);
}

std::string Name(EditError::Kind kind) {
  switch (kind) {
    case EditError::Kind::kNoPath: return "no path";
    case EditError::Kind::kNoParent: return "no parent";
    case EditError::Kind::kNoTarget: return "no target";
    case EditError::Kind::kOutOfBounds: return "out of bounds";
    case EditError::Kind::kNotAnIndex: return "not an index";
    case EditError::Kind::kBadName: return "bad name";
    case EditError::Kind::kNoValue: return "no value";
    case EditError::Kind::kNotANumber: return "not a number";
    case EditError::Kind::kNotFinite: return "not finite";
    case EditError::Kind::kIntoItself: return "into itself";
    case EditError::Kind::kTooDeep: return "too deep";
    case EditError::Kind::kTooLarge: return "too large";
  }
  return "?";
}

// Returns the edited document as JSON, or an error such as `0: no parent 'a'`. The result must equal what the parser
// would have made.
std::string Apply(std::string_view json, const std::vector<Edit>& edits, const EditLimits& limits = {}) {
  const std::string before = Bson(json);
  std::string after = "rubbish";
  if (auto error = ApplyEdits(before, edits, limits, &after)) {
    EXPECT_TRUE(after.empty());
    std::string text = std::to_string(error->edit) + (error->from ? " from" : "") + ": " + Name(error->kind);
    return error->name.empty() ? text : text + " '" + error->name + "'";
  }
  EXPECT_TRUE(Validate(after, limits.depth_max).ok());
  std::string text;
  ObjectToJson(after, &text);
  EXPECT_EQ(after, Bson(text)) << text;
  return text;
}

TEST(EditTest, ObjectNames) {
  const char* doc = R"({"a":1,"b":{"c":2}})";
  EXPECT_EQ(Apply(doc, {Add("/n", "5")}), R"({"a":1,"b":{"c":2},"n":5})");
  EXPECT_EQ(Apply(doc, {Set("/n", "[]")}), R"({"a":1,"b":{"c":2},"n":[]})");
  EXPECT_EQ(Apply(doc, {Replace("/n", "5")}), "0: no target 'n'");
  EXPECT_EQ(Apply(doc, {Remove("/n")}), "0: no target 'n'");
  EXPECT_EQ(Apply(doc, {Increment("/n", "-5")}), R"({"a":1,"b":{"c":2},"n":-5})");
  EXPECT_EQ(Apply(doc, {Add("/b/c", "\"x\"")}), R"({"a":1,"b":{"c":"x"}})");
  EXPECT_EQ(Apply(doc, {Set("/a", "{\"z\":null}")}), R"({"a":{"z":null},"b":{"c":2}})");
  EXPECT_EQ(Apply(doc, {Replace("/b", "true")}), R"({"a":1,"b":true})");
  EXPECT_EQ(Apply(doc, {Remove("/b/c")}), R"({"a":1,"b":{}})");
  EXPECT_EQ(Apply(doc, {Remove("/a")}), R"({"b":{"c":2}})");
  EXPECT_EQ(Apply(doc, {Increment("/b/c", "40")}), R"({"a":1,"b":{"c":42}})");
  EXPECT_EQ(Apply(doc, {Set("/", "1"), Set("/b/", "2")}), R"({"a":1,"b":{"c":2,"":2},"":1})");
}

TEST(EditTest, ArrayPlaces) {
  const char* doc = R"({"l":[1,2,3],"z":0})";
  EXPECT_EQ(Apply(doc, {Add("/l/1", "9")}), R"({"l":[1,9,2,3],"z":0})");
  EXPECT_EQ(Apply(doc, {Set("/l/1", "9")}), R"({"l":[1,9,3],"z":0})");
  EXPECT_EQ(Apply(doc, {Replace("/l/1", "9")}), R"({"l":[1,9,3],"z":0})");
  EXPECT_EQ(Apply(doc, {Remove("/l/1")}), R"({"l":[1,3],"z":0})");
  EXPECT_EQ(Apply(doc, {Increment("/l/1", "7")}), R"({"l":[1,9,3],"z":0})");
  for (const char* end : {"/l/3", "/l/-"}) {
    EXPECT_EQ(Apply(doc, {Add(end, "9")}), R"({"l":[1,2,3,9],"z":0})") << end;
    EXPECT_EQ(Apply(doc, {Set(end, "9")}), R"({"l":[1,2,3,9],"z":0})") << end;
    EXPECT_EQ(Apply(doc, {Increment(end, "9")}), R"({"l":[1,2,3,9],"z":0})") << end;
    const std::string bounds = "0: out of bounds '" + std::string(end + 3) + "'";
    EXPECT_EQ(Apply(doc, {Replace(end, "9")}), bounds);
    EXPECT_EQ(Apply(doc, {Remove(end)}), bounds);
  }
  for (const char* far : {"/l/4", "/l/99999999999999999999999999"}) {
    const std::string bounds = "0: out of bounds '" + std::string(far + 3) + "'";
    EXPECT_EQ(Apply(doc, {Add(far, "9")}), bounds);
    EXPECT_EQ(Apply(doc, {Set(far, "9")}), bounds);
    EXPECT_EQ(Apply(doc, {Increment(far, "9")}), bounds);
    EXPECT_EQ(Apply(doc, {Replace(far, "9")}), bounds);
    EXPECT_EQ(Apply(doc, {Remove(far)}), bounds);
  }
  for (const char* wrong : {"/l/x", "/l/", "/l/01", "/l/-1", "/l/1.0", "/l/+1"}) {
    EXPECT_EQ(Apply(doc, {Set(wrong, "9")}).substr(0, 15), "0: not an index") << wrong;
    EXPECT_EQ(Apply(doc, {Remove(wrong)}).substr(0, 15), "0: not an index") << wrong;
  }
}

TEST(EditTest, NamesOfLongArraysAreTheirIndexes) {
  std::string numbers;
  for (int i = 0; i < 1200; ++i) numbers += (i == 0 ? "" : ",") + std::to_string(i);
  const std::string doc = "{\"l\":[" + numbers + "]}";
  EXPECT_EQ(Apply(doc, {Add("/l/0", "-1")}), "{\"l\":[-1," + numbers + "]}");
  EXPECT_EQ(Apply(doc, {Add("/l/0", "-1"), Remove("/l/0")}), doc);
  EXPECT_EQ(Apply(doc, {Move("/l/1199", "/l/9"), Move("/l/9", "/l/-"), Remove("/l/99"), Add("/l/99", "99")}), doc);
}

TEST(EditTest, DigitsAndDashAreNamesOfObjects) {
  EXPECT_EQ(Apply("{}", {Set("/0", "1"), Set("/-", "2"), Set("/12345678901234567890123", "3"), Set("/01", "4")}),
            R"({"0":1,"-":2,"12345678901234567890123":3,"01":4})");
  EXPECT_EQ(Apply(R"({"a":[{"0":1}]})", {Increment("/a/0/0", "1")}), R"({"a":[{"0":2}]})");
}

TEST(EditTest, ParentsAreNotMade) {
  const char* doc = R"({"a":{"b":{}},"s":"x","n":null,"l":[[1]]})";
  for (EditKind kind : {EditKind::kAdd, EditKind::kSet, EditKind::kReplace, EditKind::kRemove, EditKind::kIncrement}) {
    EXPECT_EQ(Apply(doc, {Make(kind, "/x/y", "1")}), "0: no parent 'x'");
    EXPECT_EQ(Apply(doc, {Make(kind, "/a/x/y/z", "1")}), "0: no parent 'x'");
    EXPECT_EQ(Apply(doc, {Make(kind, "/s/y", "1")}), "0: no parent 's'");
    EXPECT_EQ(Apply(doc, {Make(kind, "/n/y", "1")}), "0: no parent 'n'");
    EXPECT_EQ(Apply(doc, {Make(kind, "/l/1/0", "1")}), "0: no parent '1'");
    EXPECT_EQ(Apply(doc, {Make(kind, "/l/-/0", "1")}), "0: no parent '-'");
    EXPECT_EQ(Apply(doc, {Make(kind, "/l/x/0", "1")}), "0: no parent 'x'");
    EXPECT_EQ(Apply(doc, {Make(kind, "", "1")}), "0: no path");
  }
}

TEST(EditTest, EachSeesThoseBeforeIt) {
  EXPECT_EQ(Apply("{}", {Set("/a", "{}"), Set("/a/b", "[]"), Add("/a/b/-", "1"), Increment("/a/b/0", "2")}),
            R"({"a":{"b":[3]}})");
  EXPECT_EQ(Apply(R"({"a":1})", {Set("/b", "2"), Remove("/a"), Replace("/a", "3")}), "2: no target 'a'");
  EXPECT_EQ(Apply(R"({"a":1})", {}), R"({"a":1})");
}

TEST(EditTest, Moves) {
  const char* doc = R"({"a":{"x":1},"b":{},"l":[1,2,3]})";
  EXPECT_EQ(Apply(doc, {Move("/a/x", "/b/y")}), R"({"a":{},"b":{"y":1},"l":[1,2,3]})");
  EXPECT_EQ(Apply(doc, {Move("/a", "/b")}), R"({"b":{"x":1},"l":[1,2,3]})");
  EXPECT_EQ(Apply(doc, {Move("/a", "/b/c")}), R"({"b":{"c":{"x":1}},"l":[1,2,3]})");
  EXPECT_EQ(Apply(doc, {Move("/a", "/l/1")}), R"({"b":{},"l":[1,{"x":1},2,3]})");
  EXPECT_EQ(Apply(doc, {Move("/l/0", "/l/-")}), R"({"a":{"x":1},"b":{},"l":[2,3,1]})");
  EXPECT_EQ(Apply(doc, {Move("/l/0", "/l/2")}), R"({"a":{"x":1},"b":{},"l":[2,3,1]})") << "taken out first";
  EXPECT_EQ(Apply(doc, {Move("/l/2", "/l/0")}), R"({"a":{"x":1},"b":{},"l":[3,1,2]})");
  EXPECT_EQ(Apply(doc, {Move("/l/0", "/l/3")}), "0: out of bounds '3'");
  EXPECT_EQ(Apply(doc, {Move("/a/x", "/a")}), R"({"a":1,"b":{},"l":[1,2,3]})");
  EXPECT_EQ(Apply(doc, {Move("/a", "/a")}), "0: into itself");
  EXPECT_EQ(Apply(doc, {Move("/a", "/a/x/y")}), "0: into itself");
  EXPECT_EQ(Apply(doc, {Move("/n", "/b")}), "0 from: no target 'n'");
  EXPECT_EQ(Apply(doc, {Move("/l/3", "/b")}), "0 from: out of bounds '3'");
  EXPECT_EQ(Apply(doc, {Move("/n/m", "/b")}), "0 from: no parent 'n'");
  EXPECT_EQ(Apply(doc, {Move("/a", "/n/m")}), "0: no parent 'n'");
  EXPECT_EQ(Apply(doc, {Set("/c", "1"), Move("/c", "")}), "1: no path");
}

TEST(EditTest, Sums) {
  const auto sum = [](std::string_view number, std::string_view by) {
    return Apply("{\"n\":" + std::string(number) + "}", {Increment("/n", by)});
  };
  EXPECT_EQ(sum("1", "2"), R"({"n":3})");
  EXPECT_EQ(sum("1", "-2"), R"({"n":-1})");
  EXPECT_EQ(sum("2147483647", "1"), R"({"n":2147483648})");
  EXPECT_EQ(sum("2147483648", "-1"), R"({"n":2147483647})") << "int32 again, as the parser has it";
  EXPECT_EQ(sum("9223372036854775806", "1"), R"({"n":9223372036854775807})");
  EXPECT_EQ(sum("9223372036854775807", "1"), R"({"n":9223372036854775808.0})");
  EXPECT_EQ(sum("-9223372036854775808", "-1"), R"({"n":-9223372036854775808.0})");
  EXPECT_EQ(sum("1", "0.5"), R"({"n":1.5})");
  EXPECT_EQ(sum("1.5", "1"), R"({"n":2.5})");
  EXPECT_EQ(sum("1e308", "1e308"), "0: not finite");
  EXPECT_EQ(sum("-1e308", "-1e308"), "0: not finite");
  for (const char* other : {"null", "\"1\"", "true", "{}", "[1]"}) {
    EXPECT_EQ(sum(other, "1"), "0: not a number") << other;
    EXPECT_EQ(sum("1", other), "0: not a number") << other;
  }
}

TEST(EditTest, WhatBsonCannotHoldDoesNotGetIn) {
  Edit edit = Set("/a", "1");
  edit.path = Path({std::string("n\0m", 3)});
  EXPECT_EQ(Apply("{}", {edit}).substr(0, 11), "0: bad name");
  edit = Set("/a", "1");
  edit.value = {};
  for (EditKind kind : {EditKind::kAdd, EditKind::kSet, EditKind::kReplace, EditKind::kIncrement}) {
    edit.kind = kind;
    EXPECT_EQ(Apply(R"({"a":1})", {edit}), "0: no value");
  }
}

std::string NestedArrays(int depth) {
  return std::string(static_cast<size_t>(depth), '[') + std::string(static_cast<size_t>(depth), ']');
}

TEST(EditTest, DepthIsThatOfTheResult) {
  const EditLimits limits{.depth_max = 5};
  EXPECT_EQ(Apply("{}", {Set("/a", NestedArrays(4))}, limits), "{\"a\":" + NestedArrays(4) + "}");
  EXPECT_EQ(Apply("{}", {Set("/a", NestedArrays(5))}, limits), "0: too deep");
  const char* doc = R"({"a":{"b":{}},"c":[[[]]]})";
  EXPECT_EQ(Apply(doc, {Add("/a/b/x", NestedArrays(2))}, limits), R"({"a":{"b":{"x":[[]]}},"c":[[[]]]})");
  EXPECT_EQ(Apply(doc, {Add("/a/b/x", NestedArrays(3))}, limits), "0: too deep");
  EXPECT_EQ(Apply(doc, {Add("/c/0/0/0", NestedArrays(1))}, limits), R"({"a":{"b":{}},"c":[[[[]]]]})");
  EXPECT_EQ(Apply(doc, {Add("/c/0/0/0", NestedArrays(2))}, limits), "0: too deep");
  EXPECT_EQ(Apply(doc, {Move("/c", "/a/b/x")}, limits), "0: too deep");
  EXPECT_EQ(Apply(doc, {Move("/c/0", "/a/b/x")}, limits), R"({"a":{"b":{"x":[[]]}},"c":[]})");
}

TEST(EditTest, SizeIsCheckedAsItGrows) {
  const std::string text(1000, 'x');
  const std::string doc = R"({"t":")" + text + R"("})";
  const size_t bytes = Bson(doc).size();
  // Type, name, NUL and an int32.
  const EditLimits limits{.bytes_max = bytes + 7};
  EXPECT_EQ(Apply(doc, {Set("/a", "1")}, limits), R"({"t":")" + text + R"(","a":1})");
  EXPECT_EQ(Apply(doc, {Set("/a", "1"), Set("/b", "1")}, limits), "1: too large");
  EXPECT_EQ(Apply(doc, {Set("/ab", "1")}, limits), "0: too large");
  EXPECT_EQ(Apply(doc, {Set("/ab", "1"), Remove("/ab")}, limits), "0: too large") << "each edit";
  EXPECT_EQ(Apply(doc, {Remove("/t"), Set("/ab", "1")}, limits), R"({"ab":1})");
  const EditLimits smaller{.bytes_max = 100};
  EXPECT_EQ(Apply(doc, {Set("/t", "1")}, smaller), R"({"t":1})") << "what shrinks a document that is too large is good";
  EXPECT_EQ(Apply(R"({"a":1})", {Set("/b", "\"" + text + "\"")}, smaller), "0: too large");
}

// Arrays from other writers may have any names. Elements are selected by position.
TEST(EditTest, ArraysOfOtherWriters) {
  const auto odd = [] {
    std::string bson;
    Writer writer(&bson);
    writer.BeginDocument();
    writer.BeginArray("l");
    for (const char* name : {"x", "", "0"}) writer.AppendString(name, name);
    writer.End();
    writer.End();
    return bson;
  }();
  const auto apply = [&](const Edit& edit) {
    std::string after;
    EXPECT_FALSE(ApplyEdits(odd, {&edit, 1}, {}, &after).has_value());
    EXPECT_TRUE(Validate(after, 10).ok());
    std::string json;
    ObjectToJson(after, &json);
    return json;
  };
  EXPECT_EQ(apply(Set("/l/0", "1")), R"({"l":[1,"","0"]})");
  EXPECT_EQ(apply(Remove("/l/1")), R"({"l":["x","0"]})");
  EXPECT_EQ(apply(Add("/l/1", "1")), R"({"l":["x",1,"","0"]})");
}

TEST(EditTest, EveryTypeOfBsonMovesAsItIs) {
  std::string before;
  Writer writer(&before);
  writer.BeginDocument();
  // Its length, the text `x` with its length, an empty scope.
  constexpr std::string_view kCode(
      "\x0F\0\0\0"
      "\x02\0\0\0"
      "x\0"
      "\x05\0\0\0\0",
      15);
  writer.AppendValue("code", Value(Type::kCodeWithScope, kCode));
  writer.AppendValue("id", Value(Type::kObjectId, "123456789012"));
  writer.AppendValue("least", Value(Type::kMinKey, ""));
  writer.End();
  ASSERT_TRUE(Validate(before, 3).ok());
  const std::vector<Edit> edits = {Set("/in", "{}"), Move("/code", "/in/code"), Move("/least", "/in/least"),
                                   Move("/id", "/in/id")};
  std::string after;
  ASSERT_FALSE(ApplyEdits(before, edits, {.depth_max = 3}, &after).has_value());
  EXPECT_TRUE(Validate(after, 3).ok());
  EXPECT_EQ(FindPath(after, Path({"in", "id"})).raw(), "123456789012");
  EXPECT_EQ(FindPath(after, Path({"in", "least"})).type(), Type::kMinKey);
  const auto too_deep = ApplyEdits(before, edits, {.depth_max = 2}, &after);
  ASSERT_TRUE(too_deep.has_value());
  EXPECT_EQ(too_deep->kind, EditError::Kind::kTooDeep);
  EXPECT_EQ(too_deep->edit, 1U);
}

}  // namespace
}  // namespace lapse::doc
