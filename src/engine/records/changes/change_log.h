// The change log: every create, replace, delete and expiry of a partition in commit order, with the images before and
// after. Kept only for containers that ask for it, for as long as they ask.
//
// A record is one change, or a range of expiries (expired_range.h). All begin with the same front.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item.h"

namespace lapse::engine {

enum class ChangeKind : uint8_t { kCreate = 1, kReplace = 2, kDelete = 3, kExpiry = 4 };

// One event. Views point into the bytes that it was read from or will be written from.
struct LoggedChange {
  ChangeKind kind = ChangeKind::kCreate;
  Sequence sequence = 0;          // of the event; in the key
  Lsn lsn = 0;                    // of the write that it belongs to
  int64_t time_ms = 0;            // of the commit; for an expiry, when the item became invisible
  int64_t logged_ms = 0;          // when it was logged; rises with the sequence
  ItemNumber number = 0;          // of the item
  ItemVersion previous;           // the version before; none for kCreate
  Lsn previous_lsn = 0;           // of the write that made it
  std::string_view head_key;      // of the item
  std::string_view current;       // document after; empty for kDelete and kExpiry
  std::string_view previous_doc;  // document before; empty for kCreate

  // meta: the version after (kCreate, kReplace). previous_meta: the version before (all but kCreate).
  ItemMeta meta() const { return {{sequence, time_ms / 1000}, lsn, number}; }
  ItemMeta previous_meta() const { return {previous, previous_lsn, number}; }
};

// Keys: [container][partition][sequence], where a range of expiries has its last sequence. So the record that contains
// a sequence is the first one at or behind it.
std::string LogKey(PartitionId partition, Sequence sequence);

enum class LogRecordKind : uint8_t {
  kCreate = static_cast<uint8_t>(ChangeKind::kCreate),
  kReplace = static_cast<uint8_t>(ChangeKind::kReplace),
  kDelete = static_cast<uint8_t>(ChangeKind::kDelete),
  kExpiry = static_cast<uint8_t>(ChangeKind::kExpiry),
  kExpiredRange = 5,
};

// The front of every record; see LoggedChange.
struct LogFront {
  LogRecordKind kind = LogRecordKind::kCreate;
  Sequence sequence = 0;
  Lsn lsn = 0;
  int64_t time_ms = 0;
  int64_t logged_ms = 0;
};

void EncodeLogFront(const LogFront& front, std::string* out);
// Decodes the front and removes it from `value`.
Status TakeLogFront(std::string_view key, std::string_view* value, LogFront* front);

void EncodeLoggedChange(const LoggedChange& change, std::string* out);
Status DecodeLoggedChange(std::string_view key, std::string_view value, LoggedChange* change);

}  // namespace lapse::engine
