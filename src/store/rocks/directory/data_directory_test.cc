#include "store/rocks/directory/data_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/log.h"
#include "base/temporary_directory.h"

namespace lapse::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class DataDirectoryTest : public ::testing::Test {
 protected:
  std::string path() const { return (temporary_.path() / "data").string(); }

  Result<std::unique_ptr<DataDirectory>> Open(DataDirectoryOptions options = {}) {
    return DataDirectory::Open(path(), options);
  }
  Status OpenStatus(DataDirectoryOptions options = {}) { return Open(options).status(); }

  void WriteFile(const std::string& name, const std::string& content) {
    std::filesystem::create_directories(path());
    std::ofstream(path() + "/" + name) << content;
  }
  std::string ReadFile(const std::string& name) {
    std::ifstream stream(path() + "/" + name);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }
  std::set<std::string> Names() {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path())) names.insert(entry.path().filename());
    return names;
  }

  TemporaryDirectory temporary_;
};

TEST_F(DataDirectoryTest, AMissingDirectoryIsMadeAndStamped) {
  auto directory = Open();
  ASSERT_TRUE(directory.ok()) << directory.status().ToString();
  EXPECT_EQ((*directory)->format_version(), 6u);
  EXPECT_FALSE((*directory)->test_clock());
  EXPECT_EQ((*directory)->shard_path(), path() + "/shard-0");
  EXPECT_THAT(Names(), ElementsAre("LAPSE"));
}

namespace fs = std::filesystem;

// Permissions of the group and of others.
fs::perms OthersMay(const std::string& path) {
  return fs::status(path).permissions() & (fs::perms::group_all | fs::perms::others_all);
}

TEST_F(DataDirectoryTest, IsItsOwnersAlone) {
  const std::string deep = path() + "/deeper/still/";
  ASSERT_TRUE(DataDirectory::Open(deep, {}).ok());
  EXPECT_EQ(OthersMay(deep), fs::perms::none);
  EXPECT_EQ(OthersMay(deep + "LAPSE"), fs::perms::none);
}

TEST_F(DataDirectoryTest, WhatIsOpenToOthersIsClosedToThem) {
  const fs::perms wide = fs::perms::owner_all | fs::perms::group_all | fs::perms::others_read | fs::perms::others_exec;
  fs::create_directory(path());
  fs::permissions(path(), wide);
  ASSERT_TRUE(Open().ok());
  EXPECT_EQ(OthersMay(path()), fs::perms::none);
  fs::permissions(path(), wide);
  ASSERT_TRUE(Open().ok());
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_all);
}

TEST_F(DataDirectoryTest, TheDirectoryOfSomebodyElseStaysAsItIs) {
  WriteFile("letters", "x");
  const fs::perms before = fs::perms::owner_all | fs::perms::others_read;
  fs::permissions(path(), before);
  EXPECT_EQ(OpenStatus().code(), Code::kInvalidArgument);
  EXPECT_EQ(fs::status(path()).permissions(), before);
}

TEST_F(DataDirectoryTest, AStampedDirectoryOpensAgainWithWhatIsInIt) {
  ASSERT_TRUE(Open().ok());
  WriteFile("anything", "x");
  EXPECT_TRUE(Open().ok());
}

TEST_F(DataDirectoryTest, AnInterruptedCreationIsTakenUp) {
  WriteFile("LAPSE.tmp", "lap");
  EXPECT_TRUE(Open().ok());
  EXPECT_THAT(Names(), ElementsAre("LAPSE"));
}

TEST_F(DataDirectoryTest, WithoutCreateNothingIsMade) {
  EXPECT_EQ(OpenStatus({.create = false}).code(), Code::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(path()));
  std::filesystem::create_directory(path());
  EXPECT_EQ(OpenStatus({.create = false}).code(), Code::kNotFound);
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(DataDirectoryTest, ADirectoryOfSomethingElseIsRefusedUntouched) {
  WriteFile("precious", "x");
  Status status = OpenStatus();
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("not empty"));
  EXPECT_THAT(Names(), ElementsAre("precious"));
}

TEST_F(DataDirectoryTest, AFileIsRefused) {
  std::ofstream(path()) << "x";
  EXPECT_FALSE(OpenStatus().ok());
  EXPECT_EQ(OpenStatus({.create = false}).code(), Code::kInvalidArgument);
}

TEST_F(DataDirectoryTest, OneServerAtATime) {
  auto first = Open();
  ASSERT_TRUE(first.ok());
  Status second = OpenStatus();
  EXPECT_EQ(second.code(), Code::kUnavailable);
  EXPECT_THAT(second.message(), HasSubstr("in use"));
  (*first).reset();
  EXPECT_TRUE(Open().ok());
}

TEST_F(DataDirectoryTest, AnUnknownFormatIsRefusedUntouched) {
  const std::string stamp = "lapse data directory\nformat 1\nwhatever comes then\n";
  WriteFile("LAPSE", stamp);
  Status status = OpenStatus();
  EXPECT_EQ(status.code(), Code::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("format 1"));
  EXPECT_EQ(ReadFile("LAPSE"), stamp);
}

TEST_F(DataDirectoryTest, ADamagedStampIsRefusedUntouched) {
  const std::string large = "lapse data directory\nformat 6\nclock real\n" + std::string(1 << 20, 'x');
  for (const std::string& stamp :
       {std::string(), std::string("garbage"), std::string("lapse data directory\n"),
        std::string("lapse data directory\nformat one\nclock real\n"),
        std::string("lapse data directory\nformat 99999999999\nclock real\n"),
        std::string("lapse data directory\nformat 6\nclock rea"), std::string("lapse data directory\nformat 6\n"),
        std::string("lapse data directory\nformat 6\nclock real\nmore\n"),
        std::string("lapse data directory\nformat 6\nclock real\nshard made\nmore\n"),
        std::string("lapse data directory\nformat 6\nclock real\nclock file made\n"),
        std::string("lapse data directory\nformat 6\nclock real\nshard made\nclock file made\nmore\n"),
        std::string("lapse data directory\nformat 6\nshard made\n"), large}) {
    WriteFile("LAPSE", stamp);
    EXPECT_EQ(OpenStatus().code(), Code::kCorruption) << stamp.substr(0, 100);
    EXPECT_EQ(ReadFile("LAPSE"), stamp);
  }
}

TEST_F(DataDirectoryTest, ADirectoryKeepsItsClock) {
  {
    auto directory = Open({.test_clock = true});
    ASSERT_TRUE(directory.ok());
    EXPECT_TRUE((*directory)->test_clock());
  }
  Status status = OpenStatus();
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("test clock"));
  EXPECT_TRUE(Open({.test_clock = true}).ok());
}

TEST_F(DataDirectoryTest, ARealDirectoryRefusesTheTestClock) {
  ASSERT_TRUE(Open().ok());
  EXPECT_EQ(OpenStatus({.test_clock = true}).code(), Code::kInvalidArgument);
  EXPECT_TRUE(Open().ok());
}

// The shard of a directory. The shard's own tests cover damage that it detects itself.
class DataDirectoryShardTest : public DataDirectoryTest {
 protected:
  DataDirectoryShardTest() { SetLogLevel(LogLevel::kOff); }

  Status OpenShardStatus() {
    auto directory = Open();
    if (!directory.ok()) return directory.status();
    return (*directory)->OpenShard({}, {{"items", nullptr, true}}).status();
  }
  std::string shard_path() const { return path() + "/shard-0"; }
};

TEST_F(DataDirectoryShardTest, IsMadeAndNotedOnce) {
  for (int round = 0; round < 3; ++round) {
    Status status = OpenShardStatus();
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(ReadFile("LAPSE"), "lapse data directory\nformat 6\nclock real\nshard made\nclock file made\n");
    EXPECT_THAT(Names(), ElementsAre("CLOCK", "LAPSE", "shard-0"));
  }
}

TEST_F(DataDirectoryShardTest, ThatWasRemovedIsRefusedAndNotMadeAnew) {
  ASSERT_TRUE(OpenShardStatus().ok());
  const std::string stamp = ReadFile("LAPSE");
  std::filesystem::remove_all(shard_path());
  Status status = OpenShardStatus();
  EXPECT_EQ(status.code(), Code::kCorruption);
  EXPECT_THAT(status.message(), HasSubstr("shard-0"));
  EXPECT_THAT(Names(), ElementsAre("CLOCK", "LAPSE"));

  std::filesystem::create_directory(shard_path());
  EXPECT_EQ(OpenShardStatus().code(), Code::kCorruption);
  EXPECT_TRUE(std::filesystem::is_empty(shard_path()));
  EXPECT_EQ(ReadFile("LAPSE"), stamp);
}

// A crash during the first open: before the shard was made, and before that was recorded.
TEST_F(DataDirectoryShardTest, IsTakenUpWhereACrashLeftIt) {
  ASSERT_TRUE(Open().ok());
  const std::string stamp = ReadFile("LAPSE");
  std::filesystem::create_directory(shard_path());
  ASSERT_TRUE(OpenShardStatus().ok());
  EXPECT_NE(ReadFile("LAPSE"), stamp);

  WriteFile("LAPSE", stamp);
  WriteFile("LAPSE.tmp", "lapse");
  ASSERT_TRUE(OpenShardStatus().ok());
  EXPECT_NE(ReadFile("LAPSE"), stamp);
  std::filesystem::remove_all(shard_path());
  EXPECT_EQ(OpenShardStatus().code(), Code::kCorruption);
}

// The file with the clock's mark.
class DataDirectoryClockTest : public DataDirectoryShardTest {
 protected:
  // Returns what the slot held, then writes `write` to it, unless that is empty.
  std::string Exchange(const std::string& write = "") {
    auto directory = Open();
    EXPECT_TRUE(directory.ok()) << directory.status().ToString();
    auto shard = (*directory)->OpenShard({}, {{"items", nullptr, true}});
    EXPECT_TRUE(shard.ok()) << shard.status().ToString();
    std::string before = (*directory)->clock_slot()->value();
    if (!write.empty()) {
      EXPECT_TRUE((*directory)->clock_slot()->Write(write).ok());
    }
    return before;
  }

  std::string Stamp(const std::string& made) { return "lapse data directory\nformat 6\nclock real\n" + made; }
};

TEST_F(DataDirectoryClockTest, KeepsItsValue) {
  EXPECT_EQ(Exchange("one"), "");
  EXPECT_EQ(Exchange("two"), "one");
  EXPECT_EQ(Exchange(), "two");
}

TEST_F(DataDirectoryClockTest, ThatIsMissingOrDamagedIsRefusedUntouched) {
  Exchange("mark");
  std::set<std::string> shard_files;
  for (const auto& entry : std::filesystem::directory_iterator(shard_path())) shard_files.insert(entry.path());
  for (const std::string& content : {std::string(), std::string("garbage"), std::string(8192, '\0')}) {
    WriteFile("CLOCK", content);
    Status status = OpenShardStatus();
    EXPECT_EQ(status.code(), Code::kCorruption);
    EXPECT_THAT(status.message(), HasSubstr("CLOCK is damaged"));
    EXPECT_EQ(ReadFile("CLOCK"), content);
  }
  std::filesystem::remove(path() + "/CLOCK");
  Status status = OpenShardStatus();
  EXPECT_EQ(status.code(), Code::kCorruption);
  EXPECT_THAT(status.message(), HasSubstr("CLOCK is missing"));
  EXPECT_THAT(Names(), ElementsAre("LAPSE", "shard-0"));
  for (const auto& entry : std::filesystem::directory_iterator(shard_path())) shard_files.erase(entry.path());
  EXPECT_THAT(shard_files, IsEmpty()) << "the inventory of the clean end is there as well";
}

TEST_F(DataDirectoryClockTest, IsMadeInADirectoryThatHadNone) {
  ASSERT_TRUE(OpenShardStatus().ok());
  WriteFile("LAPSE", Stamp("shard made\n"));
  std::filesystem::remove(path() + "/CLOCK");
  EXPECT_EQ(Exchange("mark"), "");
  EXPECT_EQ(ReadFile("LAPSE"), Stamp("shard made\nclock file made\n"));
  EXPECT_EQ(Exchange(), "mark");
}

// A crash between making the file and recording it. The file is unused, whatever it holds.
TEST_F(DataDirectoryClockTest, IsMadeAnewWhereACrashLeftIt) {
  for (const char* made : {"", "shard made\n"}) {
    ASSERT_TRUE(OpenShardStatus().ok());
    WriteFile("LAPSE", Stamp(made));
    WriteFile("CLOCK", "half");
    EXPECT_EQ(Exchange("mark"), "");
    EXPECT_EQ(Exchange(), "mark");
  }
}

TEST_F(DataDirectoryClockTest, CanBeMadeAnewForARepair) {
  Exchange("mark");
  std::filesystem::remove(path() + "/CLOCK");
  {
    auto directory = Open();
    ASSERT_TRUE(directory.ok());
    EXPECT_EQ((*directory)->CheckClock().code(), Code::kCorruption);
    ASSERT_TRUE((*directory)->RemakeClock().ok());
    EXPECT_TRUE((*directory)->CheckClock().ok());
    ASSERT_TRUE((*directory)->clock_slot()->Write("repaired").ok());
  }
  EXPECT_EQ(Exchange(), "repaired");
}

}  // namespace
}  // namespace lapse::store
