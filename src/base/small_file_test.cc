#include "base/small_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/temporary_directory.h"

namespace lapse {
namespace {

using ::testing::HasSubstr;

TEST(SmallFileTest, WritesForItsOwnerAlone) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteDurably(directory.path(), "file", "first").ok());
  ASSERT_TRUE(WriteDurably(directory.path(), "file", "second").ok());
  EXPECT_EQ(*ReadSmallFile(directory.PathOf("file"), 6), "second");
  namespace fs = std::filesystem;
  EXPECT_EQ(fs::status(directory.PathOf("file")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_FALSE(fs::exists(directory.PathOf("file.tmp")));
}

TEST(SmallFileTest, AWriteThatFailsLeavesTheFile) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteDurably(directory.path(), "file", "first").ok());
  std::filesystem::create_directory(directory.PathOf("file.tmp"));
  EXPECT_EQ(WriteDurably(directory.path(), "file", "second").code(), Code::kUnavailable);
  EXPECT_EQ(*ReadSmallFile(directory.PathOf("file"), 5), "first");
  EXPECT_EQ(WriteDurably(directory.PathOf("nowhere"), "file", "").code(), Code::kNotFound);
  EXPECT_EQ(SyncDirectory(directory.PathOf("nowhere")).code(), Code::kNotFound);
}

TEST(SmallFileTest, WhatCannotBeReadIsNamed) {
  const TemporaryDirectory directory;
  const std::string path = directory.PathOf("file");
  const Status missing = ReadSmallFile(path, 10, "the key file").status();
  EXPECT_EQ(missing.code(), Code::kNotFound);
  EXPECT_EQ(missing.message(), "cannot read the key file " + path + ": No such file or directory");
  EXPECT_EQ(ReadSmallFile(directory.path(), 10).status().code(), Code::kUnavailable);

  ASSERT_TRUE(WriteDurably(directory.path(), "file", std::string(1025, 'x')).ok());
  const Status large = ReadSmallFile(path, 1024, "the key file").status();
  EXPECT_EQ(large.code(), Code::kTooLarge);
  EXPECT_EQ(large.message(), "the key file " + path + " is larger than 1 KB");
  EXPECT_THAT(ReadSmallFile(path, 10).status().message(), HasSubstr(path + " is larger than 10 bytes"));
}

}  // namespace
}  // namespace lapse
