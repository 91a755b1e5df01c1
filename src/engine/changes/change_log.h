// The change log: every create, replace, delete and expiry of a partition in commit order, with the images before and
// after. Kept where a container asks for it, for as long as it asks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/changes/change_feed.h"
#include "engine/items/item.h"

namespace lapse::engine {

enum class ChangeKind : uint8_t { kCreate = 1, kReplace = 2, kDelete = 3, kExpiry = 4 };

// One event. Views point into what it was read from or will be written from.
struct LoggedChange {
  ChangeKind kind = ChangeKind::kCreate;
  uint64_t lsn = 0;               // of the event; in the key
  int64_t time_ms = 0;            // of the commit; of an expiry, when the item became invisible
  int64_t logged_ms = 0;          // when it came into the log; rises with the LSN
  uint64_t rid = 0;               // of the item
  ItemVersion previous;           // the version before; none for kCreate
  std::string_view head_key;      // of the item
  std::string_view current;       // document after; empty for kDelete and kExpiry
  std::string_view previous_doc;  // document before; empty for kCreate

  // The version after; for kCreate and kReplace.
  ItemVersion version() const { return {.lsn = lsn, .ts_s = time_ms / 1000}; }
};

// Keys: [container][stream][LSN].
std::string LogKey(ContainerId container, uint32_t stream, uint64_t lsn);
void EncodeLoggedChange(const LoggedChange& change, std::string* out);
Status DecodeLoggedChange(std::string_view key, std::string_view value, LoggedChange* change);

}  // namespace lapse::engine
