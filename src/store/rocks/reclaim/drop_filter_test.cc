// Tests the filter in a RocksDB with several levels, which small stores never have.
#include "store/rocks/reclaim/drop_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/compaction_filter.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/table_properties.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lapse::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class DropDead : public DropPredicate {
 public:
  bool MayDrop(std::string_view, std::string_view value) const override { return value.starts_with("dead"); }
};

class DropFilterTest : public ::testing::Test {
 protected:
  DropFilterTest() : env_(rocksdb::NewMemEnv(rocksdb::Env::Default())) {
    rocksdb::Options options;
    options.env = env_.get();
    options.create_if_missing = true;
    options.disable_auto_compactions = true;
    options.compaction_filter_factory = NewDropFilterFactory(&drop_);
    rocksdb::DB* opened = nullptr;
    EXPECT_TRUE(rocksdb::DB::Open(options, "/levels", &opened).ok());
    db_.reset(opened);
  }

  void Put(const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Put(rocksdb::WriteOptions(), key, value).ok());
  }
  std::vector<std::string> TablesOf(size_t level) {
    rocksdb::ColumnFamilyMetaData tables;
    db_->GetColumnFamilyMetaData(&tables);
    std::vector<std::string> names;
    for (const rocksdb::SstFileMetaData& table : tables.levels[level].files) names.push_back(table.name);
    return names;
  }
  // Compacts all tables of a level. For the first level it flushes the write buffer before.
  void Compact(size_t from, int to) {
    ASSERT_TRUE(db_->Flush(rocksdb::FlushOptions()).ok());
    const rocksdb::Status compacted = db_->CompactFiles(rocksdb::CompactionOptions(), TablesOf(from), to);
    ASSERT_TRUE(compacted.ok()) << compacted.ToString();
  }

  std::vector<std::string> All(const rocksdb::Snapshot* snapshot = nullptr) {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    std::unique_ptr<rocksdb::Iterator> walk(db_->NewIterator(options));
    std::vector<std::string> found;
    for (walk->SeekToFirst(); walk->Valid(); walk->Next()) {
      found.push_back(walk->key().ToString() + "=" + walk->value().ToString());
    }
    EXPECT_TRUE(walk->status().ok()) << walk->status().ToString();
    return found;
  }

  const DropDead drop_;
  std::unique_ptr<rocksdb::Env> env_;
  std::unique_ptr<rocksdb::DB> db_;
};

TEST_F(DropFilterTest, AboveTheBottomADroppedRecordStillHidesOlderOnes) {
  Put("a", "alive");
  Put("b", "alive");
  Compact(0, 6);
  Put("a", "dead");
  Compact(0, 4);
  EXPECT_THAT(All(), ElementsAre("b=alive"));
  Compact(4, 5);
  EXPECT_THAT(All(), ElementsAre("b=alive"));
  ASSERT_TRUE(db_->CompactRange(rocksdb::CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_THAT(All(), ElementsAre("b=alive"));
}

TEST_F(DropFilterTest, TheSameWhileSomebodyHoldsASnapshot) {
  Put("a", "alive");
  Compact(0, 6);
  const rocksdb::Snapshot* snapshot = db_->GetSnapshot();
  Put("a", "dead");
  Put("b", "dead");
  Compact(0, 5);
  EXPECT_THAT(All(), IsEmpty());
  EXPECT_THAT(All(snapshot), ElementsAre("a=alive"));
  db_->ReleaseSnapshot(snapshot);
  ASSERT_TRUE(db_->CompactRange(rocksdb::CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_THAT(All(), IsEmpty());
}

TEST_F(DropFilterTest, WhatIsDeadDoesNotReachATable) {
  Put("a", "alive");
  Compact(0, 6);
  Put("a", "dead");
  Put("b", "dead");
  const rocksdb::Snapshot* snapshot = db_->GetSnapshot();
  ASSERT_TRUE(db_->Flush(rocksdb::FlushOptions()).ok());
  EXPECT_THAT(All(), IsEmpty());
  EXPECT_THAT(All(snapshot), IsEmpty()) << "a snapshot does not keep what is dead, nor bring back what was before";
  db_->ReleaseSnapshot(snapshot);
  rocksdb::TablePropertiesCollection tables;
  ASSERT_TRUE(db_->GetPropertiesOfAllTables(&tables).ok());
  uint64_t values = 0;
  for (const auto& [name, properties] : tables) values += properties->num_entries - properties->num_deletions;
  EXPECT_EQ(values, 1U) << "the one that was in a table before";
}

}  // namespace
}  // namespace lapse::store
