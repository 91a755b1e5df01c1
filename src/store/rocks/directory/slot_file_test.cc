#include "store/rocks/directory/slot_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/log.h"
#include "base/temporary_directory.h"

namespace lapse::store {
namespace {

using ::testing::HasSubstr;

constexpr size_t kBlockBytes = 4096;
constexpr size_t kRecordBytes = 512;

class SlotFileTest : public ::testing::Test {
 protected:
  SlotFileTest() { EXPECT_TRUE(SlotFile::Make(directory(), "SLOT").ok()); }

  std::string directory() const { return temporary_.path().string(); }
  std::string path() const { return directory() + "/SLOT"; }

  std::unique_ptr<SlotFile> Open() {
    auto file = SlotFile::Open(directory(), "SLOT");
    EXPECT_TRUE(file.ok()) << file.status().ToString();
    return file.ok() ? *std::move(file) : nullptr;
  }
  std::string Value() {
    auto file = Open();
    return file == nullptr ? "" : file->value();
  }
  void ExpectRefused(const std::string& reason) {
    auto file = SlotFile::Open(directory(), "SLOT");
    EXPECT_EQ(file.status().code(), Code::kCorruption);
    EXPECT_THAT(file.status().message(), HasSubstr("SLOT is " + reason));
  }

  std::string Content() const {
    std::ifstream stream(path(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }
  void SetContent(const std::string& content) const { std::ofstream(path(), std::ios::binary) << content; }
  static std::string Flipped(const std::string& content, size_t offset) {
    const char flipped = static_cast<char>(content[offset] ^ 0x10);
    return content.substr(0, offset) + flipped + content.substr(offset + 1);
  }

  TemporaryDirectory temporary_;
};

TEST_F(SlotFileTest, ANewOneIsEmptyAndHasItsFullSize) {
  EXPECT_EQ(Value(), "");
  EXPECT_EQ(Content().size(), 2 * kBlockBytes);
}

TEST_F(SlotFileTest, TheLastValueIsThereAfterEveryWriteAsACrashLeavesIt) {
  auto file = Open();
  for (int n = 0; n < 5; ++n) {
    const std::string value = "value " + std::to_string(n);
    ASSERT_TRUE(file->Write(value).ok());
    EXPECT_EQ(file->value(), value);
    EXPECT_EQ(Value(), value) << "from the file, which is still open";
    EXPECT_EQ(Content().size(), 2 * kBlockBytes);
  }
}

TEST_F(SlotFileTest, AWriteThatWasCutShortLeavesTheValueBefore) {
  auto file = Open();
  ASSERT_TRUE(file->Write("before").ok());
  const std::string before = Content();
  ASSERT_TRUE(file->Write("after").ok());
  const std::string after = Content();
  for (size_t cut = 0; cut < after.size(); cut += 16) {
    SetContent(after.substr(0, cut) + before.substr(cut));
    const std::string value = Value();
    EXPECT_TRUE(value == "before" || value == "after") << cut;
  }
  SetContent(before);
  EXPECT_EQ(Value(), "before");
}

TEST_F(SlotFileTest, AfterACleanEndDamageToOneRecordLosesNothing) {
  {
    auto file = Open();
    ASSERT_TRUE(file->Write("before").ok());
    ASSERT_TRUE(file->Write("last").ok());
  }
  const std::string content = Content();
  for (size_t offset = 0; offset < content.size(); ++offset) {
    SetContent(Flipped(content, offset));
    ASSERT_EQ(Value(), "last") << offset;
  }
}

TEST_F(SlotFileTest, AfterDamageToOneRecordItGoesOn) {
  ASSERT_TRUE(Open()->Write("one").ok());
  for (size_t block = 0; block < 2; ++block) {
    SetContent(Flipped(Content(), block * kBlockBytes + 20));
    EXPECT_EQ(Value(), "one");
    ASSERT_TRUE(Open()->Write("two").ok());
    EXPECT_EQ(Value(), "two");
    ASSERT_TRUE(Open()->Write("one").ok());
  }
}

TEST_F(SlotFileTest, WithoutAWholeRecordItIsRefusedUntouched) {
  ASSERT_TRUE(Open()->Write("value").ok());
  const std::string content = Content();
  for (const std::string& damaged : {Flipped(Flipped(content, 100), kBlockBytes + kRecordBytes - 1), std::string(),
                                     std::string(content.size(), '\0'), content.substr(0, content.size() - 1),
                                     content + "x", content.substr(0, kBlockBytes)}) {
    SetContent(damaged);
    ExpectRefused("damaged");
    EXPECT_EQ(Content(), damaged);
  }
  std::filesystem::remove(path());
  ExpectRefused("missing");
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(SlotFileTest, LookingChangesNothing) {
  {
    auto file = Open();
    ASSERT_TRUE(file->Write("value").ok());
    const std::string crashed = Content();
    Open();
    EXPECT_EQ(Content(), crashed);
  }
}

TEST_F(SlotFileTest, AValueThatDoesNotFitIsRefused) {
  auto file = Open();
  const std::string largest(SlotFile::kValueBytesMax, 'x');
  ASSERT_TRUE(file->Write(largest).ok());
  EXPECT_EQ(file->Write(largest + "x").code(), Code::kInvalidArgument);
  EXPECT_EQ(Value(), largest);
}

// Makes writes fail while it exists: no file may be written beyond its first byte.
class FailingWrites {
 public:
  FailingWrites() : handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit none{0, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FailingWrites() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    signal(SIGXFSZ, handler_);
  }
  FailingWrites(const FailingWrites&) = delete;
  FailingWrites& operator=(const FailingWrites&) = delete;

 private:
  const sighandler_t handler_;
  rlimit limit_;
};

TEST_F(SlotFileTest, AFailedWriteKeepsTheValueAndALaterOneWorks) {
  SetLogLevel(LogLevel::kOff);
  {
    auto file = Open();
    ASSERT_TRUE(file->Write("before").ok());
    {
      FailingWrites failing;
      for (int n = 0; n < 3; ++n) EXPECT_EQ(file->Write("failed").code(), Code::kUnavailable);
    }
    EXPECT_EQ(file->value(), "before");
    EXPECT_EQ(Value(), "before");
    ASSERT_TRUE(file->Write("after").ok());
    EXPECT_EQ(Value(), "after");
    FailingWrites failing;
    file = nullptr;
  }
  EXPECT_EQ(Value(), "after") << "also when the end could not copy it";
  SetLogLevel(LogLevel::kInfo);
}

}  // namespace
}  // namespace lapse::store
