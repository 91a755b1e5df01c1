// Followers make the changes that accompany a change of an item in the same batch: unique keys, counts, index entries,
// the change log.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item_records.h"

namespace lapse::engine {

class Transaction;

// One side of a change.
struct ItemImage {
  const HeadRecord* head = nullptr;  // null: there is no item
  Lsn lsn = 0;
  std::string_view document;  // of the side before; empty unless a follower or the change itself wants it
};

struct ItemChange {
  enum class Kind : uint8_t { kCreate, kReplace, kDelete, kExpiry };
  Kind kind = Kind::kCreate;
  std::string_view head_key;
  ItemImage before;
  ItemImage after;
  Sequence sequence = 0;
  Lsn lsn = 0;
  int64_t time_ms = 0;      // of the commit, or of the expiry if the item had expired before it
  bool before_log = false;  // it happened before the change log began, and is only recorded now
};

// Threads: any. A follower keeps all state in the transaction, so that a rollback leaves no trace of it.
class Follower {
 public:
  virtual ~Follower() = default;

  // Returns true if the follower wants the document before a change. It is read only if some follower does.
  virtual bool WantsDocumentBefore(const ContainerState& /*state*/) const { return false; }

  // Reads ahead what the follower needs when this document is written, see Transaction::Preload.
  virtual void Preload(const ContainerState& /*state*/, std::string_view /*head_key*/, std::string_view /*document*/,
                       Transaction* /*transaction*/) const {}

  // A failure fails the write to which the change belongs.
  virtual Status Follow(const ItemChange& change, Transaction* transaction) const = 0;
};

}  // namespace lapse::engine
