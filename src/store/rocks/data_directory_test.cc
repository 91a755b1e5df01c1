#include "store/rocks/data_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/log.h"
#include "store/temporary_directory.h"

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
  EXPECT_EQ((*directory)->format_version(), 1u);
  EXPECT_FALSE((*directory)->test_clock());
  EXPECT_EQ((*directory)->shard_path(), path() + "/shard-0");
  EXPECT_THAT(Names(), ElementsAre("LAPSE"));
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
  const std::string stamp = "lapse data directory\nformat 2\nwhatever comes then\n";
  WriteFile("LAPSE", stamp);
  Status status = OpenStatus();
  EXPECT_EQ(status.code(), Code::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("format 2"));
  EXPECT_EQ(ReadFile("LAPSE"), stamp);
}

TEST_F(DataDirectoryTest, ADamagedStampIsRefusedUntouched) {
  const std::string large = "lapse data directory\nformat 1\nclock real\n" + std::string(1 << 20, 'x');
  for (const std::string& stamp :
       {std::string(), std::string("garbage"), std::string("lapse data directory\n"),
        std::string("lapse data directory\nformat one\nclock real\n"),
        std::string("lapse data directory\nformat 99999999999\nclock real\n"),
        std::string("lapse data directory\nformat 1\nclock rea"), std::string("lapse data directory\nformat 1\n"),
        std::string("lapse data directory\nformat 1\nclock real\nmore\n"),
        std::string("lapse data directory\nformat 1\nclock real\nshard made\nmore\n"),
        std::string("lapse data directory\nformat 1\nshard made\n"), large}) {
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

// The shard of a directory. What the shard itself finds damaged is tested with it.
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
    EXPECT_EQ(ReadFile("LAPSE"), "lapse data directory\nformat 1\nclock real\nshard made\n");
  }
}

TEST_F(DataDirectoryShardTest, ThatWasRemovedIsRefusedAndNotMadeAnew) {
  ASSERT_TRUE(OpenShardStatus().ok());
  const std::string stamp = ReadFile("LAPSE");
  std::filesystem::remove_all(shard_path());
  Status status = OpenShardStatus();
  EXPECT_EQ(status.code(), Code::kCorruption);
  EXPECT_THAT(status.message(), HasSubstr("shard-0"));
  EXPECT_THAT(Names(), ElementsAre("LAPSE"));

  std::filesystem::create_directory(shard_path());
  EXPECT_EQ(OpenShardStatus().code(), Code::kCorruption);
  EXPECT_TRUE(std::filesystem::is_empty(shard_path()));
  EXPECT_EQ(ReadFile("LAPSE"), stamp);
}

// Of a crash the first time: before the shard was made, and before that was noted.
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

}  // namespace
}  // namespace lapse::store
