// What the contract suite cannot ask of every store: files, and what becomes of damaged ones.
#include "store/rocks/rocks_shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/log.h"
#include "store/temporary_directory.h"

namespace lapse::store {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

constexpr FamilyId kItems = 0;

using Files = std::map<std::string, std::string>;  // name: content

class RocksShardTest : public ::testing::Test {
 protected:
  RocksShardTest() { SetLogLevel(LogLevel::kOff); }

  fs::path path() const { return directory_.path() / "shard"; }

  RocksOptions Options() const {
    RocksOptions options;
    options.path = path().string();
    return options;
  }
  static std::vector<FamilyOptions> Families() { return {{"items", nullptr, true}}; }

  Status Open(const RocksOptions& options, const std::vector<FamilyOptions>& families = Families()) {
    shard_ = nullptr;
    auto shard = OpenRocksShard(options, families);
    if (shard.ok()) shard_ = *std::move(shard);
    return shard.status();
  }
  Status Open() { return Open(Options()); }
  void MustOpen() {
    Status status = Open();
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Close() { shard_ = nullptr; }

  void Put(const std::string& key, const std::string& value = "value", FamilyId family = kItems) {
    Batch batch;
    batch.Put(family, key, value);
    Status status = shard_->Write(batch, Durability::kSync);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  Code Get(const std::string& key, FamilyId family = kItems) {
    PinnedValue value;
    return shard_->Get(family, key, &value).code();
  }

  Files ReadAll() const {
    Files files;
    for (const auto& entry : fs::directory_iterator(path())) {
      std::ifstream stream(entry.path(), std::ios::binary);
      files[entry.path().filename()] = std::string(std::istreambuf_iterator<char>(stream), {});
    }
    return files;
  }
  // The newest, or for logs and tables the largest, file whose name contains `part`.
  fs::path Find(const std::string& part) const {
    fs::path found;
    for (const auto& entry : fs::directory_iterator(path())) {
      const bool matches = entry.path().filename().string().find(part) != std::string::npos;
      if (matches && (found.empty() || fs::file_size(entry) >= fs::file_size(found))) found = entry.path();
    }
    EXPECT_FALSE(found.empty()) << part;
    return found;
  }
  static void Flip(const fs::path& file, uint64_t offset) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(offset));
    const char flipped = static_cast<char>(stream.get() ^ 0x40);
    stream.seekp(static_cast<std::streamoff>(offset));
    stream.put(flipped);
  }

  // Opening is refused as corrupt, and the files stay as they are.
  void ExpectRefusedUntouched() {
    const Files before = ReadAll();
    Status status = Open();
    EXPECT_EQ(status.code(), Code::kCorruption) << status.ToString();
    const Files after = ReadAll();
    for (const auto& [name, content] : before) {
      ASSERT_TRUE(after.contains(name)) << name << " is gone";
      EXPECT_TRUE(after.at(name) == content) << name << " was changed";
    }
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Shard> shard_;
};

TEST_F(RocksShardTest, WhatWasWrittenIsThereAfterReopening) {
  MustOpen();
  Put("a");
  Put("b");
  Batch batch;
  batch.Delete(kItems, "b");
  batch.Put(kItems, "relaxed", "value");
  ASSERT_TRUE(shard_->Write(batch, Durability::kRelaxed).ok());
  for (int round = 0; round < 3; ++round) {
    MustOpen();
    EXPECT_EQ(Get("a"), Code::kOk);
    EXPECT_EQ(Get("b"), Code::kNotFound);
    EXPECT_EQ(Get("relaxed"), Code::kOk);
    if (round == 1) {
      EXPECT_TRUE(shard_->Compact(kItems, {}, {}).ok());
    }
  }
}

TEST_F(RocksShardTest, FamiliesMayBeAddedAndNotLeftOut) {
  MustOpen();
  Put("a");
  const std::vector<FamilyOptions> more = {{"items", nullptr, true}, {"more", nullptr, true}};
  ASSERT_TRUE(Open(Options(), more).ok());
  EXPECT_EQ(Get("a"), Code::kOk);
  Put("b", "value", 1);
  EXPECT_EQ(Get("b", 1), Code::kOk);
  Close();
  EXPECT_EQ(Open().code(), Code::kInvalidArgument);
  EXPECT_TRUE(Open(Options(), more).ok());
}

TEST_F(RocksShardTest, NothingIsMadeUnlessAsked) {
  RocksOptions options = Options();
  options.create_if_missing = false;
  EXPECT_EQ(Open(options).code(), Code::kNotFound);
  EXPECT_FALSE(fs::exists(path()));
  MustOpen();
  EXPECT_TRUE(Open(options).ok());
}

TEST_F(RocksShardTest, AShardIsOpenOnceAndALogInUseIsLeftAlone) {
  MustOpen();
  Put("before");
  std::ofstream(Find(".log"), std::ios::app) << "a record under way";
  const Files files = ReadAll();
  auto second = OpenRocksShard(Options(), Families());
  EXPECT_EQ(second.status().code(), Code::kUnavailable);
  EXPECT_EQ(ReadAll(), files);
  EXPECT_EQ(Get("before"), Code::kOk);
}

TEST_F(RocksShardTest, InMemoryThereAreNoFiles) {
  RocksOptions options = Options();
  options.in_memory = true;
  ASSERT_TRUE(Open(options).ok());
  Put("a");
  EXPECT_TRUE(shard_->Compact(kItems, {}, {}).ok());
  EXPECT_EQ(Get("a"), Code::kOk);
  EXPECT_FALSE(fs::exists(path()));
}

TEST_F(RocksShardTest, StatsCountFilesAndMemory) {
  MustOpen();
  Put("a", std::string(1 << 20, 'x'));
  const ShardStats stats = shard_->Stats();
  EXPECT_GT(stats.disk_bytes, 1u << 20);
  EXPECT_GT(stats.memory_bytes, 1u << 20);
}

TEST_F(RocksShardTest, ADamagedTableIsReported) {
  MustOpen();
  Put("a", std::string(1000, 'x'));
  ASSERT_TRUE(shard_->Compact(kItems, {}, {}).ok());
  Close();
  // The first block of the largest table holds the item.
  const fs::path table = Find(".sst");
  Flip(table, 20);
  const Status opened = Open();
  ASSERT_TRUE(opened.ok()) << opened.ToString();
  EXPECT_EQ(Get("a"), Code::kCorruption);
  auto walk = shard_->NewIterator(kItems, {});
  walk->SeekToFirst();
  EXPECT_FALSE(walk->Valid());
  EXPECT_EQ(walk->status().code(), Code::kCorruption);
  EXPECT_TRUE(fs::exists(table));
}

TEST_F(RocksShardTest, AMissingTableIsRefused) {
  MustOpen();
  Put("a");
  ASSERT_TRUE(shard_->Compact(kItems, {}, {}).ok());
  Close();
  fs::remove(Find(".sst"));
  ExpectRefusedUntouched();
}

TEST_F(RocksShardTest, ADamagedManifestIsRefused) {
  MustOpen();
  Put("a");
  ASSERT_TRUE(shard_->Compact(kItems, {}, {}).ok());
  Close();
  Flip(Find("MANIFEST"), 10);
  ExpectRefusedUntouched();
}

TEST_F(RocksShardTest, ADamagedCurrentIsRefused) {
  MustOpen();
  Put("a");
  Close();
  std::ofstream(path() / "CURRENT") << "MANIFEST-999999\n";
  ExpectRefusedUntouched();
  std::ofstream(path() / "CURRENT") << "garbage";
  ExpectRefusedUntouched();
  std::ofstream(path() / "CURRENT") << "";
  ExpectRefusedUntouched();
}

TEST_F(RocksShardTest, AMissingCurrentIsRefusedAndTheDataStays) {
  MustOpen();
  Put("a");
  Close();
  fs::remove(path() / "CURRENT");
  ExpectRefusedUntouched();
}

TEST_F(RocksShardTest, AnInterruptedCreationIsTakenUp) {
  MustOpen();
  Close();
  for (const auto& entry : fs::directory_iterator(path())) {
    if (!entry.path().filename().string().starts_with("MANIFEST")) fs::remove(entry);
  }
  MustOpen();
  Put("a");
}

// The log: what a crash can do to it is forgiven, anything else is not.

TEST_F(RocksShardTest, ALogWithATornEndIsTrimmed) {
  MustOpen();
  Put("a");
  const uint64_t good_bytes = fs::file_size(Find(".log"));
  Put("b", std::string(100'000, 'x'));
  Close();
  const fs::path log = Find(".log");
  const Files files = ReadAll();
  const uint64_t size_bytes = fs::file_size(log);
  for (const uint64_t kept_bytes : {good_bytes + 1, good_bytes + 7, good_bytes + 50'000, size_bytes - 1}) {
    fs::remove_all(path());
    fs::create_directory(path());
    for (const auto& [name, content] : files) std::ofstream(path() / name, std::ios::binary) << content;
    fs::resize_file(log, kept_bytes);
    MustOpen();
    EXPECT_EQ(Get("a"), Code::kOk);
    EXPECT_EQ(Get("b"), Code::kNotFound);
    Put("c");
    MustOpen();
    EXPECT_EQ(Get("a"), Code::kOk);
    EXPECT_EQ(Get("c"), Code::kOk);
    Close();
  }
}

TEST_F(RocksShardTest, ALastRecordThatIsGarbledCountsAsTorn) {
  MustOpen();
  Put("a");
  const uint64_t good_bytes = fs::file_size(Find(".log"));
  Put("b", std::string(100'000, 'x'));
  Close();
  Flip(Find(".log"), good_bytes + 40'000);
  MustOpen();
  EXPECT_EQ(Get("a"), Code::kOk);
  EXPECT_EQ(Get("b"), Code::kNotFound);
}

TEST_F(RocksShardTest, ALogThatIsDamagedBeforeItsEndIsRefused) {
  for (const size_t value_bytes : {10, 20'000, 100'000}) {
    fs::remove_all(path());
    MustOpen();
    const uint64_t begin_bytes = fs::file_size(Find(".log"));
    Put("a", std::string(value_bytes, 'x'));
    const uint64_t end_bytes = fs::file_size(Find(".log"));
    Put("b");
    Close();
    const fs::path log = Find(".log");
    // Checksum, length, type and payload of the first record.
    for (const uint64_t offset : {begin_bytes, begin_bytes + 4, begin_bytes + 6, (begin_bytes + end_bytes) / 2}) {
      Flip(log, offset);
      ExpectRefusedUntouched();
      EXPECT_THAT(Open().message(), HasSubstr(log.filename().string()));
      Flip(log, offset);
    }
    MustOpen();
    EXPECT_EQ(Get("a"), Code::kOk);
    Close();
  }
}

TEST_F(RocksShardTest, ADamagedLogCanBeAcceptedWithWhatWasBefore) {
  MustOpen();
  Put("a");
  const uint64_t begin_bytes = fs::file_size(Find(".log"));
  Put("b");
  Put("c");
  Close();
  Flip(Find(".log"), begin_bytes + 10);
  ExpectRefusedUntouched();
  RocksOptions options = Options();
  options.accept_lost_log_tail = true;
  ASSERT_TRUE(Open(options).ok());
  EXPECT_EQ(Get("a"), Code::kOk);
  EXPECT_EQ(Get("b"), Code::kNotFound);
  EXPECT_EQ(Get("c"), Code::kNotFound) << "no write without those before it";
}

}  // namespace
}  // namespace lapse::store
