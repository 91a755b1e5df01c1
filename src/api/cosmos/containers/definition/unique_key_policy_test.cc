#include "api/cosmos/containers/definition/unique_key_policy.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "doc/json.h"

namespace lapse::api::cosmos {
namespace {

Result<engine::UniqueKeysDefinition> ReadPolicy(const std::string& json) {
  std::string bson;
  EXPECT_TRUE(doc::JsonToBson("{\"p\":" + json + "}", {}, &bson).ok()) << json;
  return ReadUniqueKeyPolicy(doc::Find(bson, "p"));
}

std::string List(const std::string& first, int count, const std::string& last) {
  std::string list = "[";
  for (int i = 0; i < count; ++i) list.append(i > 0 ? "," : "").append(first).append(std::to_string(i)).append(last);
  return list + "]";
}

TEST(UniqueKeyPolicyTest, ReadsKeysAndPaths) {
  auto read = ReadPolicy(R"({"uniqueKeys":[{"paths":["/a","/b/c"]},{"paths":["/\"x/y\"/\"*\""]}]})");
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  ASSERT_EQ(read->keys.size(), 2U);
  EXPECT_EQ(read->keys[0].paths, (std::vector{doc::Path({"a"}), doc::Path({"b", "c"})}));
  EXPECT_EQ(read->keys[1].paths, (std::vector{doc::Path({"x/y", "*"})}));
}

TEST(UniqueKeyPolicyTest, MayHaveNoKeys) {
  EXPECT_TRUE(ReadUniqueKeyPolicy({})->empty());
  for (const char* none : {"null", "{}", R"({"uniqueKeys":null})", R"({"uniqueKeys":[]})"}) {
    auto read = ReadPolicy(none);
    ASSERT_TRUE(read.ok()) << none;
    EXPECT_TRUE(read->empty()) << none;
  }
}

TEST(UniqueKeyPolicyTest, HasLimits) {
  EXPECT_TRUE(ReadPolicy("{\"uniqueKeys\":" + List(R"({"paths":["/a)", 10, "\"]}") + "}").ok());
  EXPECT_EQ(ReadPolicy("{\"uniqueKeys\":" + List(R"({"paths":["/a)", 11, "\"]}") + "}").status().message(),
            "A container may have 10 unique keys.");
  EXPECT_TRUE(ReadPolicy("{\"uniqueKeys\":[{\"paths\":" + List("\"/a", 16, "\"") + "}]}").ok());
  EXPECT_EQ(ReadPolicy("{\"uniqueKeys\":[{\"paths\":" + List("\"/a", 17, "\"") + "}]}").status().message(),
            "A unique key may have 16 paths.");
}

TEST(UniqueKeyPolicyTest, RefusesWhatIsMalformed) {
  for (const char* policy : {"5", "[]", R"({"uniqueKeys":{}})", R"({"uniqueKeys":["/a"]})", R"({"uniqueKeys":[{}]})",
                             R"({"uniqueKeys":[{"paths":"/a"}]})", R"({"uniqueKeys":[{"paths":[]}]})",
                             R"({"uniqueKeys":[{"paths":[1]}]})", R"({"uniqueKeys":[{"paths":["/a","/a"]}]})"}) {
    EXPECT_EQ(ReadPolicy(policy).status().code(), Code::kInvalidArgument) << policy;
  }
}

TEST(UniqueKeyPolicyTest, SaysWhereAPathIsBad) {
  const std::vector<std::pair<std::string, int>> bad = {{"", 0},        {"a", 0},    {"/", 1},  {"/a/", 3},
                                                        {"/a//b", 3},   {"/a/*", 3}, {"/*", 1}, {"/a/?", 3},
                                                        {"/a/[]/b", 3}, {"/\"a", 3}};
  for (const auto& [path, position] : bad) {
    std::string quoted;
    for (char c : path) quoted.append(c == '"' ? "\\\"" : std::string(1, c));
    auto read = ReadPolicy(R"({"uniqueKeys":[{"paths":[")" + quoted + "\"]}]}");
    EXPECT_EQ(read.status().code(), Code::kInvalidArgument) << path;
    EXPECT_EQ(read.status().message(),
              "Error parsing the unique key path '" + path + "' at position " + std::to_string(position) +
                  ". Make sure the unique key path does not contain wildcards and invalid characters.");
  }
}

}  // namespace
}  // namespace lapse::api::cosmos
