// An item as the engine hands it out and takes it in. Documents are BSON, without any system property: those are made
// from ItemMeta by the API that shows them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/records/ids/ids.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::engine {

// Which change of the item this is. Unique within a partition for ever; what an etag is made of.
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
  bool unchanged = false;  // it is the version that the reader has already
  std::string_view document;
  std::shared_ptr<const void> pin;
};

// The id of an item within its logical partition: any type a front end allows, in an encoding that sorts.
std::string StringItemId(std::string_view id);

// Where an item is: its logical partition and its typed id.
struct ItemAddress {
  LogicalKey key;
  std::string id;
};

// The same by number: an item of this logical partition, and only that very one.
struct NumberedItem {
  LogicalKey key;
  ItemNumber number = 0;
};

// What the writer of an item says about its index entries, whatever the container's definition says otherwise.
enum class IndexingDirective : uint8_t { kDefault = 0, kInclude = 1, kExclude = 2 };

// A condition on the live item that is there when the write commits; where there is none, only the kind of the write
// decides.
struct Precondition {
  enum class Kind : uint8_t { kNone, kMatches, kDiffers, kExists, kAbsent };
  Kind kind = Kind::kNone;
  ItemVersion version;  // for kMatches and kDiffers

  // Of a read that wants an item only if the condition holds: whether the reader has this version already.
  bool ReaderHas(const ItemVersion& found) const {
    return kind == Kind::kAbsent || (kind == Kind::kDiffers && version == found);
  }
};

}  // namespace lapse::engine
