// Adds the events of one commit to the change log of a partition, where its container keeps one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/changes/change_log.h"
#include "engine/items/records.h"
#include "store/batch.h"
#include "store/shard.h"

namespace lapse::engine {

// Threads: one; the partition's leader makes one per commit.
class ChangeLogWriter {
 public:
  ChangeLogWriter(ContainerId container, uint32_t stream, store::Shard* shard)
      : container_(container), stream_(stream), shard_(shard) {}

  // Nothing is logged before this.
  void Begin(const ContainerState& state, int64_t now_ms);
  bool on() const { return on_; }

  // The document of a stored version; empty when nothing is logged. Reads the store: to be asked before the commit's
  // batch says that it goes.
  Result<std::string> DocumentOf(const ttl::Lifetime& stored);

  // A new version. `before` is what DocumentOf said of the one that it replaces, if there is one.
  void Written(const HeadRecord& now, std::string_view head_key, std::string_view document, const HeadRecord* replaced,
               std::string_view before, store::Batch* batch);
  void Deleted(uint64_t lsn, const HeadRecord& deleted, std::string_view head_key, std::string_view before,
               store::Batch* batch) const;
  void Expired(uint64_t lsn, int64_t died_ms, ItemMeta expired, std::string_view head_key, std::string_view before,
               store::Batch* batch) const;

 private:
  void Gone(ChangeKind kind, uint64_t lsn, int64_t time_ms, const ItemMeta& gone, std::string_view head_key,
            std::string_view before, store::Batch* batch) const;
  void Add(LoggedChange change, store::Batch* batch) const;

  const ContainerId container_;
  const uint32_t stream_;
  store::Shard* const shard_;
  bool on_ = false;
  int64_t now_ms_ = 0;
  std::unordered_map<uint64_t, std::string> written_;  // by LSN: documents of this commit, which the store has not yet
};

}  // namespace lapse::engine
