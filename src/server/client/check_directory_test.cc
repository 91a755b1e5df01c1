#include "server/client/check_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "base/executor.h"
#include "base/temporary_directory.h"
#include "doc/json.h"
#include "engine/engine.h"
#include "engine/records/ids/families.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/purge/purge_filter.h"
#include "server/client/commands.h"
#include "store/rocks/directory/data_directory.h"

namespace lapse::server::client {
namespace {

using ::testing::HasSubstr;

constexpr int kItems = 3;

// A data directory that a server has left behind.
class CheckDirectoryTest : public testing::Test {
 protected:
  // Creates it with a few items.
  void Leave(bool test_clock = false) {
    engine::PurgeFilter filter;
    InlineExecutor executor;
    std::unique_ptr<store::DataDirectory> directory =
        *store::DataDirectory::Open(data_dir_, {.create = true, .test_clock = test_clock});
    std::unique_ptr<store::Shard> shard = *directory->OpenShard({}, engine::EngineFamilies(&filter));
    engine::EngineOptions options;
    options.test_clock = test_clock;
    options.background_clock = false;
    options.background_sweeper = false;
    options.clock_slot = directory->clock_slot();
    const std::unique_ptr<engine::Engine> engine = *engine::Engine::Open(options, {{shard.get(), &filter}}, &executor);
    ASSERT_TRUE(engine->catalog_store().CreateDatabase("db", 0, "").ok());
    engine::ContainerDefinition definition;
    definition.name = "c";
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.indexing.paths = {{{}, false, true}};
    const engine::ContainerPtr container = *engine->catalog_store().CreateContainer("db", definition);
    for (int i = 0; i < kItems; ++i) {
      engine::ItemWrite write;
      engine::PartitionKeyComponent key = engine::PartitionKeyComponent::String("p");
      write.address = {engine::LogicalKeyOf(container->partition_key(), {&key, 1}),
                       engine::StringItemId(std::to_string(i))};
      ASSERT_TRUE(doc::JsonToBson(R"({"a":1,"b":2})", {}, &write.document).ok());
      container->Write(std::move(write),
                       [](const Result<engine::ItemWritten>& done) { EXPECT_TRUE(done.ok()) << "written"; });
    }
  }

  // Removes a record, as no server would.
  void Damage(store::FamilyId family) {
    std::unique_ptr<store::DataDirectory> directory = *store::DataDirectory::Open(data_dir_, {.create = false});
    std::unique_ptr<store::Shard> shard = *directory->OpenShard({}, engine::EngineFamilies());
    const std::unique_ptr<store::Iterator> records = shard->NewIterator(family, {});
    records->SeekToFirst();
    ASSERT_TRUE(records->Valid());
    store::Batch batch;
    batch.Delete(family, records->key());
    ASSERT_TRUE(shard->Write(batch, store::Durability::kSync).ok());
  }

  int Check() {
    out_.str("");
    err_.str("");
    const char* arguments[] = {"lapse", "check", data_dir_.c_str()};
    return RunCommand(
        3, arguments, [](const std::string&) { return std::nullopt; }, out_, err_);
  }

  // Returns the names and contents of all files.
  std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data_dir_)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      files[entry.path()] = std::string(std::istreambuf_iterator<char>(stream), {});
    }
    return files;
  }

  std::ostringstream out_;
  std::ostringstream err_;
  TemporaryDirectory root_;
  std::string data_dir_ = root_.PathOf("data");
};

TEST_F(CheckDirectoryTest, ASoundDirectoryIsSaidToBeSoAndStaysAsItIs) {
  for (const bool test_clock : {false, true}) {
    std::filesystem::remove_all(data_dir_);
    Leave(test_clock);
    const std::map<std::string, std::string> before = Files();
    EXPECT_EQ(Check(), 0) << err_.str();
    EXPECT_THAT(out_.str(), HasSubstr("1 container, 3 items ("));
    EXPECT_THAT(out_.str(), HasSubstr("bytes), 6 index entries\nno problem was found\n"));
    EXPECT_EQ(Files(), before);
  }
}

TEST_F(CheckDirectoryTest, WhatACrashHasLeftIsReadAndStaysAsItIs) {
  Leave();
  std::filesystem::remove(data_dir_ + "/shard-0/INVENTORY");
  // Simulates the end of a record that was being written.
  for (const auto& entry : std::filesystem::directory_iterator(data_dir_ + "/shard-0")) {
    if (entry.path().extension() == ".log" && std::filesystem::file_size(entry) > 0) {
      std::ofstream(entry.path(), std::ios::binary | std::ios::app) << std::string(5, '\x01');
    }
  }
  const std::map<std::string, std::string> before = Files();
  EXPECT_EQ(Check(), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("1 container, 3 items ("));
  EXPECT_EQ(Files(), before);
}

TEST_F(CheckDirectoryTest, WhatIsWrongIsToldAndTheExitCodeIsOne) {
  Leave();
  Damage(engine::kIndexFamily);
  EXPECT_EQ(Check(), 1);
  EXPECT_THAT(out_.str(), HasSubstr("1 problem was found:\n  db/c: 1 index entries are missing and 0 are wrong"));
  Damage(engine::kMemberFamily);
  EXPECT_EQ(Check(), 1);
  EXPECT_THAT(out_.str(), HasSubstr("1 problem was found:\n  db/c, partition 0: item 1: it has no member\n"));
}

TEST_F(CheckDirectoryTest, ADirectoryThatCannotBeReadIsAnError) {
  EXPECT_EQ(Check(), 1);
  EXPECT_NE(err_.str(), "");
  EXPECT_FALSE(std::filesystem::exists(data_dir_));
  Leave();
  const std::unique_ptr<store::DataDirectory> in_use = *store::DataDirectory::Open(data_dir_, {.create = false});
  EXPECT_EQ(Check(), 1);
  EXPECT_NE(err_.str(), "");
  EXPECT_EQ(out_.str(), "");
}

}  // namespace
}  // namespace lapse::server::client
