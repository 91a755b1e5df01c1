// What happens beside a change of an item, in the same batch: unique keys, counts, index entries, the change log.
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
  std::string_view document;  // of the side before: empty unless a follower, or the change itself, wants it
};

struct ItemChange {
  enum class Kind : uint8_t { kCreate, kReplace, kDelete, kExpiry };
  Kind kind = Kind::kCreate;
  std::string_view head_key;
  ItemImage before;
  ItemImage after;
  Sequence sequence = 0;
  Lsn lsn = 0;
  int64_t time_ms = 0;      // of the commit; of an item that had expired before it, when it expired
  bool before_log = false;  // it happened before the change log began, and is only made up for now
};

// Threads: any; a follower has no state but what is in the transaction, so that a rollback leaves no trace of it.
class Follower {
 public:
  virtual ~Follower() = default;

  // Whether it wants to see the document before a change. It is read only if one does.
  virtual bool WantsDocumentBefore(const ContainerState& /*state*/) const { return false; }

  // Reads ahead what it will look at when this document is written, see Transaction::Preload.
  virtual void Preload(const ContainerState& /*state*/, std::string_view /*head_key*/, std::string_view /*document*/,
                       Transaction* /*transaction*/) const {}

  // When it fails, so does the write that the change is of.
  virtual Status Follow(const ItemChange& change, Transaction* transaction) const = 0;
};

}  // namespace lapse::engine
