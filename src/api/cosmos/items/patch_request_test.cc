// Tests bodies of patches: which are accepted, and the exact errors of all others.
#include "api/cosmos/items/patch_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/partition_key/partition_key_fixture.h"
#include "doc/json.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kMalformed = "Invalid patch request: check syntax of patch specification.";
constexpr std::string_view kMore = " Learn more: https://aka.ms/cosmosdbpatchdocs";

// Returns the edits as text, or the error's text.
std::string Read(const std::string& body, const engine::PartitionKeyDefinition& key = kPk) {
  const Result<engine::ItemPatch> patch = ReadPatch(body, key, {});
  if (!patch.ok()) {
    EXPECT_NE(patch.status().code(), Code::kTooLarge);
    return patch.status().message();
  }
  std::string text;
  for (const doc::Edit& edit : patch->edits) {
    text += std::to_string(static_cast<int>(edit.kind)) + edit.path.ToPointer();
    if (edit.kind == doc::Edit::Kind::kMove) text += "<" + edit.from.ToPointer();
    if (!edit.value.view().missing()) {
      text += "=";
      doc::ValueToJson(edit.value.view(), &text);
    }
    text += ";";
  }
  return text;
}

std::string One(const std::string& operation) {
  return Read("[" + operation + "]");
}

TEST(PatchRequestTest, EveryOperation) {
  const std::string operations = R"([{"op":"add","path":"/a","value":1},{"op":"set","path":"/b/-","value":null},)"
                                 R"({"op":"replace","path":"/c~1d/0","value":{"x":[1.5]}},{"op":"remove","path":"/e"},)"
                                 R"({"path":"/f","value":-2,"op":"incr"},{"op":"move","from":"/g","path":"/h"}])";
  const std::string expected = R"(0/a=1;1/b/-=null;2/c~1d/0={"x":[1.5]};3/e;4/f=-2;5/h</g;)";
  EXPECT_EQ(Read(operations), expected);
  EXPECT_EQ(Read(R"({"operations":)" + operations + "}"), expected);
  EXPECT_EQ(Read(" \r\n\t" + operations + "\n"), expected);
  EXPECT_EQ(Read(R"({"other":1,"operations":)" + operations + "}"), expected);
}

TEST(PatchRequestTest, MembersThatDoNotBelongArePassedOver) {
  EXPECT_EQ(One(R"({"op":"remove","path":"/a","value":1,"from":"/b","x":[]})"), "3/a;");
  EXPECT_EQ(One(R"({"op":"set","path":"/a","value":1,"from":7})"), "1/a=1;");
}

TEST(PatchRequestTest, MalformedBodies) {
  for (const char* body : {"",
                           " ",
                           "x",
                           "5",
                           "\"[]\"",
                           "null",
                           "true",
                           "[",
                           "{",
                           "[1,",
                           "{}",
                           "[]",
                           "[] []",
                           R"({"operations":null})",
                           R"({"operations":{}})",
                           R"({"operations":"[]"})",
                           R"({"operations":[]})",
                           R"({"operations":[{"op":"remove","path":"/a"}],"condition":5})",
                           R"({"operations":[{"op":"remove","path":"/a"}],"condition":null})",
                           R"({"operations":[],"operations":[]})",
                           "[{\"op\":\"remove\",\"path\":\"/\xFF\"}]"}) {
    const std::string text = Read(body);
    EXPECT_THAT(text, StartsWith(std::string(kMalformed))) << body;
    EXPECT_THAT(text, HasSubstr(kMore)) << body;
  }
}

TEST(PatchRequestTest, MalformedOperations) {
  for (const char* operation : {"5",
                                "null",
                                "\"x\"",
                                "[]",
                                "{}",
                                R"({"path":"/a","value":1})",
                                R"({"op":null,"path":"/a","value":1})",
                                R"({"op":5,"path":"/a","value":1})",
                                R"({"op":"","path":"/a","value":1})",
                                R"({"op":"Set","path":"/a","value":1})",
                                R"({"op":"increment","path":"/a","value":1})",
                                R"({"op":"copy","from":"/a","path":"/b"})",
                                R"({"op":"test","path":"/a","value":1})",
                                R"({"op":"set","value":1})",
                                R"({"op":"set","path":null,"value":1})",
                                R"({"op":"set","path":5,"value":1})",
                                R"({"op":"set","path":["a"],"value":1})",
                                R"({"op":"set","path":"","value":1})",
                                R"({"op":"set","path":"/","value":1})",
                                R"({"op":"set","path":"a","value":1})",
                                R"({"op":"set","path":"/a~","value":1})",
                                R"({"op":"set","path":"/a~2","value":1})",
                                R"({"op":"set","path":"/a\u0000","value":1})",
                                R"({"op":"set","path":"/a"})",
                                R"({"op":"add","path":"/a"})",
                                R"({"op":"replace","path":"/a"})",
                                R"({"op":"incr","path":"/a"})",
                                R"({"op":"incr","path":"/a","value":"1"})",
                                R"({"op":"incr","path":"/a","value":null})",
                                R"({"op":"incr","path":"/a","value":true})",
                                R"({"op":"incr","path":"/a","value":[1]})",
                                R"({"op":"incr","path":"/a","value":{}})",
                                R"({"op":"move","path":"/a"})",
                                R"({"op":"move","path":"/a","from":5})",
                                R"({"op":"move","path":"/a","from":""})",
                                R"({"op":"move","path":"/a","from":"b"})",
                                R"({"op":"move","from":"/a"})",
                                R"({"op":"move","path":"/a","from":"/a"})",
                                R"({"op":"move","path":"/a/b","from":"/a"})"}) {
    EXPECT_THAT(One(operation), StartsWith("For Operation(1): " + std::string(kMalformed))) << operation;
    EXPECT_THAT(One(R"({"op":"remove","path":"/z"},)" + std::string(operation)),
                StartsWith("For Operation(2): " + std::string(kMalformed)))
        << operation;
    EXPECT_THAT(One(operation), HasSubstr(kMore)) << operation;
  }
}

TEST(PatchRequestTest, WhatMayNotBePatched) {
  for (const char* path :
       {"/_rid", "/_self", "/_etag", "/_ts", "/_attachments", "/_ts/x", "/id", "/id/0", "/pk", "/pk/x"}) {
    const std::string expected = "For Operation(1): Invalid patch request: Cannot patch system property " +
                                 std::string(path) + "." + std::string(kMore);
    const std::string there = R"("path":")" + std::string(path) + "\"";
    for (const char* op : {"add", "set", "replace", "remove", "incr"}) {
      EXPECT_EQ(One(R"({"op":")" + std::string(op) + R"(","value":1,)" + there + "}"), expected);
    }
    EXPECT_EQ(One(R"({"op":"move","from":"/a",)" + there + "}"), expected);
    EXPECT_EQ(One(R"({"op":"move","path":"/a","from":")" + std::string(path) + "\"}"), expected);
  }
  EXPECT_EQ(One(R"({"op":"set","path":"/a/_ts","value":1})"), "1/a/_ts=1;");
  EXPECT_EQ(One(R"({"op":"set","path":"/a/id","value":1})"), "1/a/id=1;");
  EXPECT_EQ(One(R"({"op":"set","path":"/_lsn","value":1})"), "1/_lsn=1;");
  EXPECT_EQ(One(R"({"op":"set","path":"/ttl","value":1})"), "1/ttl=1;");
}

TEST(PatchRequestTest, EveryPathOfAHierarchicalKeyWithItsParents) {
  const auto key = Key({doc::Path({"a"}), doc::Path({"b", "c", "d"})});
  for (const char* path : {"/a", "/a/x", "/b", "/b/c", "/b/c/d", "/b/c/d/e"}) {
    EXPECT_THAT(Read(R"([{"op":"set","value":1,"path":")" + std::string(path) + "\"}]", key),
                HasSubstr("Cannot patch system property " + std::string(path) + "."));
  }
  for (const char* path : {"/c", "/b/x", "/b/c/x", "/d"}) {
    EXPECT_EQ(Read(R"([{"op":"remove","path":")" + std::string(path) + "\"}]", key), "3" + std::string(path) + ";");
  }
}

TEST(PatchRequestTest, AtMostTenOperations) {
  std::string list;
  for (int i = 0; i < 10; ++i) list += R"({"op":"remove","path":"/a"},)";
  list.pop_back();
  EXPECT_THAT(Read("[" + list + "]"), StartsWith("3/a;3/a;"));
  const std::string expected = "The number of patch operations cannot exceed 10." + std::string(kMore);
  EXPECT_EQ(Read("[" + list + R"(,{"op":"remove","path":"/a"}])"), expected);
  EXPECT_EQ(Read(R"({"operations":[)" + list + ",5]}"), expected) << "before any of them is looked at";
}

TEST(PatchRequestTest, AConditionIsAFromAndAWhereOverTheItem) {
  const auto with = [](const std::string& condition) {
    return ReadPatch(R"({"condition":)" + condition + R"(,"operations":[{"op":"remove","path":"/a"}]})", kPk, {});
  };
  EXPECT_NE(with(R"("from c where c.a = 1")")->condition, nullptr);
  EXPECT_NE(with(R"("from c")")->condition, nullptr);
  for (const char* bad : {"1", "null", R"("")", R"("where c.a = 1")", R"("from c where")", R"("from c where x.a = 1")",
                          R"("from c order by c.a")", R"("from c group by c.a")", R"("from c offset 0 limit 1")"}) {
    EXPECT_EQ(with(bad).status().code(), Code::kInvalidArgument) << bad;
  }
}

TEST(PatchRequestTest, Limits) {
  const auto set = [](const std::string& path, const std::string& value) {
    return R"({"operations":[{"op":"set","path":")" + path + R"(","value":)" + value + "}]}";
  };
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_THAT(Read(set("/a", nested(127))), StartsWith("1/a=[["));
  EXPECT_THAT(Read(set("/a", nested(129))), StartsWith(std::string(kMalformed)));
  std::string path;
  for (int i = 0; i < 128; ++i) path += "/a";
  EXPECT_THAT(Read(set(path, "1")), StartsWith("1/a/a"));
  EXPECT_THAT(Read(set(path + "/a", "1")), HasSubstr("too many names"));
  const std::string long_name(200'000, 'x');
  EXPECT_LT(Read(set("/id/" + long_name, "1")).size(), 400U) << "a long path is not repeated";
  constexpr size_t kBodyMax = 4 << 20;
  const std::string around = set("/a", "\"\"");
  EXPECT_THAT(Read(set("/a", "\"" + std::string(kBodyMax - around.size(), 'x') + "\"")), StartsWith("1/a="));
  const auto large = ReadPatch(set("/a", "\"" + std::string(kBodyMax - around.size() + 1, 'x') + "\""), kPk, {});
  EXPECT_EQ(large.status().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace lapse::api::cosmos
