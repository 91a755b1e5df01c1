// The change log: every create, replace, delete and expiry of a partition in commit order, with the images before and
// after. Kept where a container asks for it, for as long as it asks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/ids.h"
#include "engine/items/item.h"

namespace lapse::engine {

enum class ChangeKind : uint8_t { kCreate = 1, kReplace = 2, kDelete = 3, kExpiry = 4 };

// One event. Views point into what it was read from or will be written from.
struct LoggedChange {
  ChangeKind kind = ChangeKind::kCreate;
  Sequence sequence = 0;          // of the event; in the key
  Lsn lsn = 0;                    // of the write that it is a part of
  int64_t time_ms = 0;            // of the commit; of an expiry, when the item became invisible
  int64_t logged_ms = 0;          // when it came into the log; rises with the sequence
  ItemNumber number = 0;          // of the item
  ItemVersion previous;           // the version before; none for kCreate
  Lsn previous_lsn = 0;           // of the write that made it
  std::string_view head_key;      // of the item
  std::string_view current;       // document after; empty for kDelete and kExpiry
  std::string_view previous_doc;  // document before; empty for kCreate

  // The version after, for kCreate and kReplace, and the one before, for all others and kReplace.
  ItemMeta meta() const { return {{sequence, time_ms / 1000}, lsn, number}; }
  ItemMeta previous_meta() const { return {previous, previous_lsn, number}; }
};

// Keys: [container][partition][sequence].
std::string LogKey(PartitionId partition, Sequence sequence);
void EncodeLoggedChange(const LoggedChange& change, std::string* out);
Status DecodeLoggedChange(std::string_view key, std::string_view value, LoggedChange* change);

}  // namespace lapse::engine
