// An item as the engine hands it out and takes it in. Documents are BSON, without any system property: those are made
// from ItemMeta by the API that shows them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::engine {

// Which write of the item this is. Unique within a container for ever; what an etag is made of.
struct ItemVersion {
  uint64_t lsn = 0;
  int64_t ts_s = 0;

  bool operator==(const ItemVersion&) const = default;
};

struct ItemMeta {
  ItemVersion version;
  uint64_t rid = 0;  // unique within the container, kept by replace, rising within a partition
};

// A live item. `document` points into `pin`.
struct Item {
  ItemMeta meta;
  std::string_view document;
  std::shared_ptr<const void> pin;
};

// The id of an item within its logical partition: any type a front end allows, in an encoding that sorts.
std::string StringItemId(std::string_view id);

// Where an item is: the effective partition key (raw bytes) and its typed id.
struct ItemAddress {
  std::string epk;
  std::string id;
};

// A condition on the live item that is there when the write commits; where there is none, only the kind of the write
// decides.
struct Precondition {
  enum class Kind : uint8_t { kNone, kMatches, kDiffers, kExists, kAbsent };
  Kind kind = Kind::kNone;
  ItemVersion version;  // for kMatches and kDiffers
};

struct ItemWrite {
  enum class Kind : uint8_t { kCreate, kReplace, kUpsert, kDelete };
  Kind kind = Kind::kCreate;
  ItemAddress address;
  std::string document;            // empty for kDelete
  std::optional<int32_t> own_ttl;  // what the document's own ttl means; nullopt: it inherits
  Precondition precondition;
};

struct ItemWritten {
  ItemMeta meta;         // of the new version; for kDelete of the deleted one
  bool created = false;  // there was no live item before
  uint64_t partition_lsn = 0;
  std::string document;  // the one that was written, given back
};

// Called once, on the thread that committed. Fails: kAlreadyExists, kNotFound, kPreconditionFailed, and what the store
// says (kNoSpace, kUnknownOutcome, kUnavailable).
using ItemWriteDone = std::function<void(Result<ItemWritten>)>;

}  // namespace lapse::engine
