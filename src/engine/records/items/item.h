// Items as the engine returns and accepts them. Documents are BSON without system properties; an API makes these from
// ItemMeta.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/records/ids/ids.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::engine {

// The change that made this version of the item. Never reused within a partition; basis of the etag.
struct ItemVersion {
  Sequence sequence = 0;
  int64_t ts_s = 0;

  bool operator==(const ItemVersion&) const = default;
};

struct ItemMeta {
  ItemVersion version;
  Lsn lsn = 0;  // of the write that made the version
  ItemNumber number = 0;
};

// A live item. `document` points into `pin`.
struct Item {
  ItemMeta meta;
  bool unchanged = false;  // the reader already has this version
  std::string_view document;
  std::shared_ptr<const void> pin;
};

// Encodes the id of an item within its logical partition. The encoding sorts, and ids may have any type that a front
// end allows.
std::string StringItemId(std::string_view id);

// The address of an item: its logical partition and its typed id.
struct ItemAddress {
  LogicalKey key;
  std::string id;
};

// An item by number: only this very item, and only in this logical partition.
struct NumberedItem {
  LogicalKey key;
  ItemNumber number = 0;
};

// A writer's request for an item's index entries, which overrides the container's definition.
enum class IndexingDirective : uint8_t { kDefault = 0, kInclude = 1, kExclude = 2 };

// A condition on the live item when the write commits. Without one, only the kind of the write decides.
struct Precondition {
  enum class Kind : uint8_t { kNone, kMatches, kDiffers, kExists, kAbsent };
  Kind kind = Kind::kNone;
  ItemVersion version;  // for kMatches and kDiffers

  // For a read that wants an item only if the condition holds: returns true if the reader already has this version.
  bool ReaderHas(const ItemVersion& found) const {
    return kind == Kind::kAbsent || (kind == Kind::kDiffers && version == found);
  }
};

}  // namespace lapse::engine
