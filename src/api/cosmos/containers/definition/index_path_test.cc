#include "api/cosmos/containers/definition/index_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace lapse::api::cosmos {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(IndexPathTest, ReadsWhatTheServiceReads) {
  EXPECT_EQ(*ReadIndexPath("/*"), (IndexPath{{}, false}));
  EXPECT_EQ(*ReadIndexPath("/"), (IndexPath{{}, false}));
  EXPECT_EQ(*ReadIndexPath("/a/?"), (IndexPath{{"a"}, true}));
  EXPECT_EQ(*ReadIndexPath("/a/b_1/*"), (IndexPath{{"a", "b_1"}, false}));
  EXPECT_EQ(*ReadIndexPath("/a/[]/b/?"), (IndexPath{{"a", "[]", "b"}, true}));
  EXPECT_EQ(*ReadIndexPath("/\"first-name\"/?"), (IndexPath{{"first-name"}, true}));
  EXPECT_EQ(*ReadIndexPath(R"(/"a/\"b\\"/*)"), (IndexPath{{R"(a/"b\)"}, false}));
  EXPECT_EQ(*ReadIndexPath("/stra\xC3\x9F"
                           "e/?"),
            (IndexPath{{"stra\xC3\x9F"
                        "e"},
                       true}));
}

TEST(IndexPathTest, SaysWhereAPathGoesWrong) {
  EXPECT_EQ(ReadIndexPath("/expiration").status().message(),
            "The indexing path '/expiration' could not be accepted, failed near position '11'. Please ensure that the "
            "path is a valid path. Common errors include invalid characters or absence of quotes around labels.");
  for (const auto& [path, position] : std::initializer_list<std::pair<std::string, int>>{{"", 0},
                                                                                         {"a/?", 0},
                                                                                         {"/?", 2},
                                                                                         {"/a-b/?", 2},
                                                                                         {"//?", 1},
                                                                                         {"/a/", 3},
                                                                                         {"/a/*/b/?", 4},
                                                                                         {"/a/?/?", 4},
                                                                                         {"/a/[0]/?", 3},
                                                                                         {"/a b/?", 2},
                                                                                         {"/\"a/?", 5},
                                                                                         {"/\"a\"b/?", 4},
                                                                                         {"/\"[]\"/?", 5}}) {
    const Result<IndexPath> read = ReadIndexPath(path);
    EXPECT_EQ(read.status().code(), Code::kInvalidArgument) << path;
    EXPECT_THAT(read.status().message(), HasSubstr("near position '" + std::to_string(position) + "'")) << path;
  }
  EXPECT_FALSE(ReadIndexPath(std::string("/a\0b/?", 6)).ok());
}

TEST(IndexPathTest, IsNoDeeperThanItems) {
  std::string path;
  for (size_t i = 0; i < kIndexPathNamesMax; ++i) path += "/a";
  EXPECT_TRUE(ReadIndexPath(path + "/?").ok());
  EXPECT_FALSE(ReadIndexPath(path + "/a/?").ok());
  for (int i = 0; i < 100'000; ++i) path += "/a";
  const Result<IndexPath> read = ReadIndexPath(path + "/?");
  EXPECT_EQ(read.status().code(), Code::kInvalidArgument);
  EXPECT_LT(read.status().message().size(), 500U) << "what came is not repeated in full";
}

TEST(IndexPathTest, PathsOfCompositesAreNamesAlone) {
  EXPECT_THAT(*ReadCompositePath("/a/b"), ElementsAre("a", "b"));
  EXPECT_THAT(*ReadCompositePath("/\"a b\""), ElementsAre("a b"));
  EXPECT_THAT(*ReadCompositePath("/a/?"), ElementsAre("a"));
  for (const char* path : {"", "/", "/*", "/?", "/a/*", "/a/[]/b", "a", "/a-b"}) {
    EXPECT_EQ(ReadCompositePath(path).status().code(), Code::kInvalidArgument) << path;
  }
}

}  // namespace
}  // namespace lapse::api::cosmos
