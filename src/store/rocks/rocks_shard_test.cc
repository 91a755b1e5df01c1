// Tests what the contract suite cannot ask of every store: files, and damage to them.
#include "store/rocks/rocks_shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/log.h"
#include "base/temporary_directory.h"
#include "store/rocks/check/log_file.h"

namespace lapse::store {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::Not;

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
    if (!shard.ok()) return shard.status();
    shard_ = *std::move(shard);
    return Status::Ok();
  }
  Status Open() { return Open(Options()); }
  void MustOpen() {
    Status status = Open();
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Close() { shard_ = nullptr; }
  // Leaves the files as after a crash, without a record of their lengths.
  void Crash() {
    Close();
    fs::remove(path() / "INVENTORY");
  }

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
  // Returns the newest file whose name contains `part`, or the largest one for logs and tables.
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

  void WriteAll(const Files& files) const {
    fs::remove_all(path());
    fs::create_directory(path());
    for (const auto& [name, content] : files) std::ofstream(path() / name, std::ios::binary) << content;
  }

  // Expects that opening fails with kCorruption and a message naming `culprit`, changing no file.
  void ExpectRefusedUntouched(const std::string& culprit = "",
                              const std::vector<FamilyOptions>& families = Families()) {
    const Files before = ReadAll();
    Status status = Open(Options(), families);
    EXPECT_EQ(status.code(), Code::kCorruption) << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr(culprit));
    const Files after = ReadAll();
    for (const auto& [name, content] : before) {
      ASSERT_TRUE(after.contains(name)) << name << " is gone";
      EXPECT_TRUE(after.at(name) == content) << name << " was changed";
    }
    for (const auto& [name, content] : after) EXPECT_TRUE(before.contains(name)) << name << " was made";
  }

  // Makes a shard whose table, manifest and log all hold something.
  void MakeFullShard() {
    MustOpen();
    Put("table", std::string(1000, 'x'));
    ASSERT_TRUE(shard_->Compact(kItems, {}, {}).ok());
    Put("log", std::string(1000, 'x'));
  }

  // Offsets at which a manifest can be cut without a trace: after each record except the last.
  static std::vector<uint64_t> RecordEnds(const std::string& log) {
    std::vector<uint64_t> ends;
    std::string_view rest = log;
    while (!IsLogPadding(rest)) {
      const auto fragment = ParseLogFragment(rest);
      if (!fragment.has_value()) break;
      rest.remove_prefix(fragment->size_bytes());
      ends.push_back(log.size() - rest.size());
    }
    if (!ends.empty()) ends.pop_back();
    return ends;
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
  const Files files = ReadAll();
  EXPECT_EQ(Open().code(), Code::kInvalidArgument);
  EXPECT_EQ(ReadAll(), files);
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
  EXPECT_GT(stats.buffered_bytes, 1u << 20);
}

// The filter of a table with very many records is a single block. If it were not cached, every look-up would read it.
TEST_F(RocksShardTest, ALargeFilterIsKeptInASmallCache) {
  RocksOptions options = Options();
  options.cache_bytes = 32 << 20;
  ASSERT_TRUE(Open(options).ok());
  constexpr int kKeys = 600'000;
  constexpr uint64_t kFilterBytes = kKeys * 10 / 8;
  for (int i = 0; i < kKeys;) {
    Batch batch;
    for (const int end = i + 10'000; i < end; ++i) batch.Put(kItems, "key" + std::to_string(i), "");
    ASSERT_TRUE(shard_->Write(batch, Durability::kRelaxed).ok());
  }
  ASSERT_TRUE(shard_->Compact(kItems, {}, {}).ok());
  Close();
  ASSERT_TRUE(Open(options).ok());
  EXPECT_EQ(Get("key1"), Code::kOk);
  EXPECT_GT(shard_->Stats().memory_bytes, kFilterBytes);
}

// Pinned filters must respect the cache's limit.
TEST_F(RocksShardTest, ManyFiltersAreHeldToTheCache) {
  constexpr int kTables = 16, kKeys = 60'000;
  RocksOptions options = Options();
  options.cache_bytes = 512 << 10;
  ASSERT_TRUE(Open(options).ok());
  for (int table = 0; table < kTables; ++table) {
    Batch batch;
    // Disjoint, so that tables are moved rather than compacted.
    for (int i = 0; i < kKeys; ++i) batch.Put(kItems, std::to_string(table * kKeys + i + 1'000'000), "");
    ASSERT_TRUE(shard_->Write(batch, Durability::kRelaxed).ok());
    ASSERT_TRUE(shard_->Flush().ok());
  }
  ASSERT_TRUE(Open(options).ok());
  const uint64_t before = shard_->Stats().memory_bytes;
  for (int table = 0; table < kTables; ++table) {
    EXPECT_EQ(Get(std::to_string(table * kKeys + 1'000'000)), Code::kOk);
    EXPECT_EQ(Get(std::to_string(table * kKeys + 1'000'000) + "x"), Code::kNotFound);
  }
  constexpr uint64_t kFilterBytes = kKeys * 10 / 8;
  EXPECT_LE(shard_->Stats().memory_bytes, before + options.cache_bytes + kFilterBytes);
  EXPECT_GT(kTables * kFilterBytes, 2 * options.cache_bytes) << "all of them are far more";
}

TEST_F(RocksShardTest, AFlushEmptiesTheLog) {
  for (bool in_memory : {false, true}) {
    RocksOptions options = Options();
    options.in_memory = in_memory;
    ASSERT_TRUE(Open(options).ok());
    Put("a", std::string(3 << 20, 'x'));
    ASSERT_GT(shard_->Stats().buffered_bytes, 3u << 20);
    ASSERT_TRUE(shard_->Flush().ok());
    EXPECT_LT(shard_->Stats().buffered_bytes, in_memory ? 2u << 20 : 1000u);
    EXPECT_GT(shard_->Stats().table_bytes, 1000u);
    EXPECT_EQ(Get("a"), Code::kOk);
    Close();
  }
}

// Cached iterators must not pin tables that were replaced.
TEST_F(RocksShardTest, WalksThatHaveEndedHoldNoTable) {
  ASSERT_TRUE(Open(Options(), {{.name = "alike", .point_lookups = false, .alike_but_last_bytes = 1}}).ok());
  const auto count = [&] {
    int64_t tables = 0;
    for (const auto& entry : fs::directory_iterator(path())) tables += entry.path().extension() == ".sst" ? 1 : 0;
    return tables;
  };
  // Another thread removes the tables.
  const auto wait_until_there_are = [&](int64_t tables) {
    shard_->RemoveUnused();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (count() != tables && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    EXPECT_EQ(count(), tables);
  };
  const auto walk = [&] {
    const auto snapshot = shard_->NewSnapshot();
    IterateOptions options;
    options.lower = "a";
    options.upper = "z";
    options.snapshot = snapshot.get();
    const auto entries = shard_->NewIterator(kItems, options);
    entries->SeekToFirst();
    EXPECT_TRUE(entries->Valid());
  };
  for (int round = 0; round < 5; ++round) {
    // The tables overlap, so that a compaction merges them all.
    for (const char* key : {"b", "y"}) Put(key, std::to_string(round));
    walk();
    ASSERT_TRUE(shard_->Flush().ok());
    walk();
    ASSERT_TRUE(shard_->Compact(kItems, {}, {}).ok());
    wait_until_there_are(1);
  }
  walk();
  ASSERT_TRUE(shard_->DropFiles(kItems, "a", "z").ok());
  wait_until_there_are(0);
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

TEST_F(RocksShardTest, AFamilyThatIsCheckedAtOpenIsRefusedUntouchedForAnyDamagedBlock) {
  std::vector<FamilyOptions> families = Families();
  families.push_back({.name = "small", .check_at_open = true});
  const FamilyId small = 1;
  ASSERT_TRUE(Open(Options(), families).ok());
  // Makes a table of several blocks, and a log that opening for writing would convert.
  for (int key = 0; key < 100; ++key) Put(std::to_string(key), std::string(500, 'x'), small);
  ASSERT_TRUE(shard_->Compact(small, {}, {}).ok());
  Put("log", "value", small);
  Close();
  const fs::path table = Find(".sst");
  const uint64_t size_bytes = fs::file_size(table);
  for (uint64_t offset = 20; offset < size_bytes; offset += size_bytes / 8) {
    Flip(table, offset);
    for (const bool clean : {true, false}) {
      if (!clean) fs::remove(path() / "INVENTORY");
      ExpectRefusedUntouched(table.stem(), families);
    }
    Flip(table, offset);
    ASSERT_TRUE(Open(Options(), families).ok());
    EXPECT_EQ(Get("log", small), Code::kOk);
    Close();
    ASSERT_TRUE(fs::exists(table));
  }
}

TEST_F(RocksShardTest, ADamagedTableIsRefusedUnderItsOwnName) {
  MakeFullShard();
  Crash();
  const Files whole = ReadAll();
  const fs::path table = Find(".sst");
  const uint64_t size_bytes = fs::file_size(table);
  // Damages the footer, the index it points to, and a table's end.
  auto cut = [&] { fs::resize_file(table, size_bytes - 10); };
  for (const std::function<void()>& damage : std::vector<std::function<void()>>{
           [&] { Flip(table, size_bytes - 3); }, [&] { Flip(table, size_bytes - 50); }, cut}) {
    WriteAll(whole);
    damage();
    ExpectRefusedUntouched("the table " + table.string() + " is damaged");
    EXPECT_THAT(Open().message(), Not(HasSubstr("MANIFEST")));
  }
}

TEST_F(RocksShardTest, AStartWithWholeTablesWarnsOfNothing) {
  std::vector<FamilyOptions> families = Families();
  families.push_back({.name = "small", .check_at_open = true});
  ASSERT_TRUE(Open(Options(), families).ok());
  Put("a", "value", 0);
  Put("b", "value", 1);
  ASSERT_TRUE(shard_->Flush().ok());
  Close();
  SetLogLevel(LogLevel::kWarn);
  testing::internal::CaptureStderr();
  const Status opened = Open(Options(), families);
  const std::string log = testing::internal::GetCapturedStderr();
  SetLogLevel(LogLevel::kOff);
  EXPECT_TRUE(opened.ok()) << opened.ToString();
  EXPECT_EQ(log, "");
}

TEST_F(RocksShardTest, ReadOnlyItShowsEverythingAndChangesNoFile) {
  for (const bool clean : {true, false}) {
    fs::remove_all(path());
    MustOpen();
    Put("in a table");
    ASSERT_TRUE(shard_->Flush().ok());
    Put("in the log");
    clean ? Close() : Crash();
    const Files before = ReadAll();
    RocksOptions options = Options();
    options.read_only = true;
    const Status opened = Open(options);
    ASSERT_TRUE(opened.ok()) << opened.ToString();
    EXPECT_EQ(Get("in a table"), Code::kOk);
    EXPECT_EQ(Get("in the log"), Code::kOk);
    EXPECT_EQ(Get("nowhere"), Code::kNotFound);
    Batch batch;
    batch.Put(kItems, "new", "value");
    EXPECT_FALSE(shard_->Write(batch, Durability::kSync).ok());
    Close();
    EXPECT_EQ(ReadAll(), before);
    MustOpen();
    EXPECT_EQ(Get("new"), Code::kNotFound);
    Close();
  }
}

TEST_F(RocksShardTest, ReadOnlyNothingIsMade) {
  RocksOptions options = Options();
  options.read_only = true;
  EXPECT_EQ(Open(options).code(), Code::kNotFound);
  MustOpen();
  Close();
  std::vector<FamilyOptions> more = Families();
  more.push_back({"more", nullptr, true});
  const Files before = ReadAll();
  EXPECT_EQ(Open(options, more).code(), Code::kUnsupported);
  EXPECT_EQ(ReadAll(), before);
}

// After a crash these are found without an inventory. With one, the message names the file.

TEST_F(RocksShardTest, AMissingTableIsRefused) {
  for (const bool clean : {true, false}) {
    fs::remove_all(path());
    MakeFullShard();
    clean ? Close() : Crash();
    const fs::path table = Find(".sst");
    fs::remove(table);
    ExpectRefusedUntouched(table.filename());
    EXPECT_THAT(Open().message(), Not(HasSubstr("MANIFEST")));
  }
}

TEST_F(RocksShardTest, ATableThatWasCutOrHasABadEndIsRefused) {
  for (const bool clean : {true, false}) {
    fs::remove_all(path());
    MakeFullShard();
    clean ? Close() : Crash();
    const fs::path table = Find(".sst");
    const uint64_t size_bytes = fs::file_size(table);
    Flip(table, size_bytes - 3);
    ExpectRefusedUntouched();
    fs::resize_file(table, size_bytes - 1);
    ExpectRefusedUntouched();
    fs::resize_file(table, 0);
    ExpectRefusedUntouched();
  }
}

TEST_F(RocksShardTest, ADamagedManifestIsRefused) {
  for (const bool clean : {true, false}) {
    fs::remove_all(path());
    MakeFullShard();
    clean ? Close() : Crash();
    const fs::path manifest = Find("MANIFEST");
    Flip(manifest, 10);
    ExpectRefusedUntouched();
    fs::remove(manifest);
    ExpectRefusedUntouched(manifest.filename());
  }
}

// Damage that only the inventory of a clean shutdown reveals.

TEST_F(RocksShardTest, AManifestThatLostWholeRecordsIsRefusedAfterACleanEnd) {
  MakeFullShard();
  Close();
  const Files files = ReadAll();
  const std::string manifest = Find("MANIFEST").filename();
  const std::vector<uint64_t> ends = RecordEnds(files.at(manifest));
  ASSERT_GT(ends.size(), 2u);
  for (const uint64_t end : ends) {
    WriteAll(files);
    fs::resize_file(path() / manifest, end);
    ExpectRefusedUntouched(manifest);
  }
  WriteAll(files);
  MustOpen();
  EXPECT_EQ(Get("table"), Code::kOk);
  EXPECT_EQ(Get("log"), Code::kOk);
}

TEST_F(RocksShardTest, ALogThatIsMissingEmptyOrCutIsRefusedAfterACleanEnd) {
  MakeFullShard();
  const uint64_t record_end = fs::file_size(Find(".log"));
  Put("last");
  Close();
  const Files files = ReadAll();
  const fs::path log = Find(".log");
  for (const uint64_t kept_bytes : {uint64_t{0}, record_end, record_end + 3}) {
    WriteAll(files);
    fs::resize_file(log, kept_bytes);
    ExpectRefusedUntouched(log.filename());
  }
  fs::remove(log);
  ExpectRefusedUntouched(log.filename());
}

TEST_F(RocksShardTest, AShardThatWasMadeAlwaysHasALog) {
  MakeFullShard();
  Crash();
  fs::remove(Find(".log"));
  const Files files = ReadAll();
  RocksOptions options = Options();
  options.create_if_missing = false;
  EXPECT_EQ(Open(options).code(), Code::kCorruption);
  EXPECT_EQ(ReadAll(), files);
}

TEST_F(RocksShardTest, ALogWithAGarbledEndIsRefusedAfterACleanEnd) {
  MakeFullShard();
  Close();
  const fs::path log = Find(".log");
  Flip(log, fs::file_size(log) - 1);
  ExpectRefusedUntouched(log.filename());
  RocksOptions options = Options();
  options.accept_lost_log_tail = true;
  EXPECT_EQ(Open(options).code(), Code::kCorruption) << "no crash of the machine explains it";
}

TEST_F(RocksShardTest, AFileThatWasNotThereIsRefusedAfterACleanEnd) {
  MakeFullShard();
  Close();
  std::ofstream(path() / "999999.log") << "x";
  ExpectRefusedUntouched("999999.log");
}

TEST_F(RocksShardTest, ADamagedInventoryIsRefused) {
  MakeFullShard();
  Close();
  const fs::path inventory = path() / "INVENTORY";
  const Files files = ReadAll();
  for (uint64_t offset = 0; offset < fs::file_size(inventory); ++offset) {
    Flip(inventory, offset);
    ExpectRefusedUntouched("INVENTORY");
    Flip(inventory, offset);
  }
  for (const uint64_t kept_bytes : {0, 1, 20, 40}) {
    WriteAll(files);
    fs::resize_file(inventory, kept_bytes);
    ExpectRefusedUntouched("INVENTORY");
  }
  fs::resize_file(inventory, uint64_t{1} << 40);
  EXPECT_EQ(Open().code(), Code::kCorruption) << "and not read";
}

TEST_F(RocksShardTest, AnInventoryIsThereOnlyWhileNobodyHasTheShardOpen) {
  MakeFullShard();
  EXPECT_FALSE(fs::exists(path() / "INVENTORY"));
  for (int round = 0; round < 3; ++round) {
    Close();
    EXPECT_TRUE(fs::exists(path() / "INVENTORY"));
    MustOpen();
    EXPECT_FALSE(fs::exists(path() / "INVENTORY"));
    Put(std::to_string(round));
  }
  Crash();
  MustOpen();
  EXPECT_EQ(Get("log"), Code::kOk);
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
  ExpectRefusedUntouched("CURRENT");
  for (const auto& entry : fs::directory_iterator(path())) {
    if (entry.path().filename() != "INVENTORY") fs::remove(entry);
  }
  EXPECT_EQ(Open().code(), Code::kCorruption);
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

// Damage to the log is accepted only if a crash can explain it.

TEST_F(RocksShardTest, ALogWithATornEndIsTrimmed) {
  MustOpen();
  Put("a");
  const uint64_t good_bytes = fs::file_size(Find(".log"));
  Put("b", std::string(100'000, 'x'));
  Crash();
  const fs::path log = Find(".log");
  const Files files = ReadAll();
  const uint64_t size_bytes = fs::file_size(log);
  for (const uint64_t kept_bytes : {good_bytes + 1, good_bytes + 7, good_bytes + 50'000, size_bytes - 1}) {
    WriteAll(files);
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
  Crash();
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
    Crash();
    const fs::path log = Find(".log");
    // Damages checksum, length, type and payload of the first record.
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
  Crash();
  Flip(Find(".log"), begin_bytes + 10);
  ExpectRefusedUntouched();
  RocksOptions options = Options();
  options.accept_lost_log_tail = true;
  ASSERT_TRUE(Open(options).ok());
  EXPECT_EQ(Get("a"), Code::kOk);
  EXPECT_EQ(Get("b"), Code::kNotFound);
  EXPECT_EQ(Get("c"), Code::kNotFound) << "no write without those before it";
  Close();
  EXPECT_FALSE(fs::exists(path() / "INVENTORY")) << "the damaged log may still be there";
  ASSERT_TRUE(Open(options).ok());
  EXPECT_EQ(Get("a"), Code::kOk);
}

}  // namespace
}  // namespace lapse::store
