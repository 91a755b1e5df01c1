// For tests of deleted partition keys.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"
#include "engine/shard/sweep/sweeper.h"

namespace lapse::engine {

class ErasureFixture : public EngineFixture {
 protected:
  static Result<ItemWritten> PutIn(const ContainerPtr& container, std::string_view pk, WriteKind kind,
                                   std::string_view id, std::string document,
                                   std::optional<int32_t> own_ttl = std::nullopt) {
    ItemWrite write;
    write.kind = kind;
    write.address = Address(*container, pk, id);
    write.document = std::move(document);
    write.own_ttl = own_ttl;
    return Write(container, std::move(write));
  }
  static Result<ItemWritten> CreateIn(const ContainerPtr& container, std::string_view pk, std::string_view id,
                                      std::string document, std::optional<int32_t> own_ttl = std::nullopt) {
    return PutIn(container, pk, WriteKind::kCreate, id, std::move(document), own_ttl);
  }
  static void CreateMany(const ContainerPtr& container, std::string_view pk, int count,
                         std::optional<int32_t> own_ttl = std::nullopt) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(CreateIn(container, pk, "id" + std::to_string(i), std::string(pk) + std::to_string(i), own_ttl).ok());
    }
  }
  // Returns the document, or the name of the error.
  static std::string ReadIn(const ContainerPtr& container, std::string_view pk, std::string_view id) {
    auto item = container->Read(Address(*container, pk, id));
    return item.ok() ? std::string(item->document) : std::string(CodeName(item.status().code()));
  }

  static Result<ItemWritten> Erase(const ContainerPtr& container, std::string_view pk) {
    std::optional<Result<ItemWritten>> outcome;
    container->EraseKey(Address(*container, pk, "").key, [&](Result<ItemWritten> done) { outcome = std::move(done); });
    return *std::move(outcome);
  }

  static FeedOptions OfKey(const ContainerPtr& container, std::string_view pk) {
    FeedOptions options;
    options.scope.exact = Address(*container, pk, "").key;
    return options;
  }

  static std::vector<std::string> Changes(const ContainerPtr& container) {
    std::vector<std::string> documents;
    EXPECT_TRUE(container->ReadChanges({.scope = {}, .since_s = {}}, Collect(&documents)).ok());
    return documents;
  }

  void SweepAll() {
    while (engine_->SweepTurn()) continue;
  }
  // Takes one step of this many items in the first partition.
  static Result<SweepOutcome> SweepStepOf(const ContainerPtr& container, int64_t items_max) {
    std::optional<Result<SweepOutcome>> outcome;
    container->partitions()[0]->QueueSweep({.items_max = items_max},
                                           [&](Result<SweepOutcome> done) { outcome = std::move(done); });
    return *std::move(outcome);
  }

  size_t Records(store::FamilyId family) {
    size_t records = 0;
    const std::unique_ptr<store::Iterator> walk = shard_->NewIterator(family, {});
    for (walk->SeekToFirst(); walk->Valid(); walk->Next()) ++records;
    return records;
  }
};

}  // namespace lapse::engine
