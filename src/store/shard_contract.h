// All kinds of stores, for tests of what every shard promises.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/temporary_directory.h"
#include "store/faulty/faulty_shard.h"
#include "store/mem/mem_shard.h"
#include "store/rocks/rocks_shard.h"
#include "store/shard.h"

namespace lapse::store {

inline constexpr FamilyId kItems = 0;
inline constexpr FamilyId kOther = 1;
inline constexpr FamilyId kAlike = 2;  // alike but for their last two bytes
inline constexpr FamilyId kFamilyCount = 3;

// Drops records whose value starts with "dead", and those with "mortal" once told to.
class DropDead : public DropPredicate {
 public:
  bool MayDrop(std::string_view, std::string_view value) const override {
    return value.starts_with("dead") || (kill_mortals && value.starts_with("mortal"));
  }

  std::atomic<bool> kill_mortals{false};
};

struct Store {
  std::string name;
  std::function<std::unique_ptr<Shard>(const std::string& path, const std::vector<FamilyOptions>&)> open;
};

inline std::unique_ptr<Shard> OpenRocks(const std::string& path, bool in_memory,
                                        const std::vector<FamilyOptions>& families) {
  RocksOptions options;
  options.path = path;
  options.in_memory = in_memory;
  auto shard = OpenRocksShard(options, families);
  EXPECT_TRUE(shard.ok()) << shard.status().ToString();
  return shard.ok() ? *std::move(shard) : nullptr;
}

inline std::vector<Store> Stores() {
  return {
      {"FaultyWithoutFaults",
       [](const std::string&, const auto& families) {
         return std::make_unique<FaultyShard>(FaultyOptions(), families);
       }},
      {"Mem", [](const std::string&, const auto& families) { return NewMemShard(families); }},
      {"RocksOnDisk", [](const std::string& path, const auto& f) { return OpenRocks(path, false, f); }},
      {"RocksInMemory", [](const std::string& path, const auto& f) { return OpenRocks(path, true, f); }},
  };
}

class ShardContract : public ::testing::TestWithParam<Store> {
 protected:
  ShardContract() {
    std::vector<FamilyOptions> families = {{"items", &drop_, true}, {"other", nullptr, false}};
    families.push_back({.name = "alike", .point_lookups = false, .alike_but_last_bytes = 2});
    shard_ = GetParam().open((directory_.path() / "shard").string(), families);
  }

  void SetUp() override { ASSERT_NE(shard_, nullptr); }

  void Write(const Batch& batch) {
    Status status = shard_->Write(batch, Durability::kSync);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Put(std::string_view key, std::string_view value, FamilyId family = kItems) {
    Batch batch;
    batch.Put(family, key, value);
    Write(batch);
  }
  void Delete(std::string_view key) {
    Batch batch;
    batch.Delete(kItems, key);
    Write(batch);
  }
  void DeleteRange(std::string_view begin, std::string_view end) {
    Batch batch;
    batch.DeleteRange(kItems, begin, end);
    Write(batch);
  }
  void Compact(FamilyId family = kItems) {
    Status status = shard_->Compact(family, {}, {});
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  // Returns the value, or the name of the error in angle brackets.
  static std::string Text(const Status& status, const PinnedValue& value) {
    if (status.ok()) return std::string(value.view());
    EXPECT_EQ(value.view(), "") << "no value with an error";
    return std::string("<").append(CodeName(status.code())).append(">");
  }
  std::string Get(std::string_view key, FamilyId family = kItems, const ReadOptions& options = {}) {
    PinnedValue value;
    Status status = shard_->Get(family, key, &value, options);
    return Text(status, value);
  }
  std::vector<std::string> MultiGet(const std::vector<std::string_view>& keys, FamilyId family = kItems,
                                    const ReadOptions& options = {}) {
    shard_->MultiGet(family, keys, &values_, &statuses_, options);
    EXPECT_EQ(values_.size(), keys.size());
    EXPECT_EQ(statuses_.size(), keys.size());
    std::vector<std::string> found;
    for (size_t i = 0; i < keys.size(); ++i) found.push_back(Text(statuses_[i], values_[i]));
    return found;
  }

  std::unique_ptr<Iterator> Walk(std::string lower = {}, std::string upper = {}, const Snapshot* snapshot = nullptr) {
    return shard_->NewIterator(kItems, {std::move(lower), std::move(upper), snapshot, true});
  }

  static std::vector<std::string> Forward(Iterator* walk) {
    std::vector<std::string> found;
    for (walk->SeekToFirst(); walk->Valid(); walk->Next()) found.push_back(Entry(walk));
    EXPECT_TRUE(walk->status().ok());
    return found;
  }
  static std::vector<std::string> Backward(Iterator* walk) {
    std::vector<std::string> found;
    for (walk->SeekToLast(); walk->Valid(); walk->Prev()) found.push_back(Entry(walk));
    EXPECT_TRUE(walk->status().ok());
    return found;
  }
  static std::string Entry(Iterator* walk) { return std::string(walk->key()) + "=" + std::string(walk->value()); }

  // Returns the key at which the iterator stands, or "<end>".
  static std::string At(const Iterator& walk) { return walk.Valid() ? std::string(walk.key()) : "<end>"; }

  std::vector<std::string> All() { return Forward(Walk().get()); }

  DropDead drop_;
  TemporaryDirectory directory_;
  std::unique_ptr<Shard> shard_;
  // Reused by MultiGet.
  std::vector<PinnedValue> values_;
  std::vector<Status> statuses_;
};

}  // namespace lapse::store
