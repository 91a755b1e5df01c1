// The values in the head, record, body, member and queue families. All but members begin with a version byte and the
// lifetime header, so that any reader or compaction can tell from the record alone whether it is dead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item.h"
#include "ttl/policy.h"

namespace lapse::engine {

// Decodes version and lifetime and removes them from the front of a record of any of these families. Returns false if
// they are missing.
bool TakeRecordFront(std::string_view* bytes, ttl::Lifetime* lifetime);

// Locates an item, by its key (family head) and by its number (family record).
struct HeadRecord {
  ttl::Lifetime lifetime;
  ItemNumber number = 0;
  PartitionNumber partition = 0;  // locates the body, together with the lifetime's sequence
  uint32_t document_bytes = 0;    // so that an overwrite need not read the body
  IndexingDirective indexing = IndexingDirective::kDefault;
};

inline ItemVersion VersionOf(const ttl::Lifetime& lifetime) {
  return {.sequence = lifetime.sequence, .ts_s = lifetime.ts_s};
}

void EncodeHead(const HeadRecord& head, std::string* out);
Status DecodeHead(std::string_view bytes, HeadRecord* head);

// The document and its head key, by which a walk in commit order finds the item.
struct BodyRecord {
  ttl::Lifetime lifetime;
  Lsn lsn = 0;
  ItemNumber number = 0;
  std::string_view head_key;
  std::string_view document;
};

// Returns the item's metadata.
ItemMeta MetaOf(const BodyRecord& body);

void EncodeBody(const BodyRecord& body, std::string* out);
Status DecodeBody(std::string_view bytes, BodyRecord* body);

// An entry in an expiry queue. It lets a sweep account for the item without reading it.
struct QueueRecord {
  ttl::Lifetime lifetime;
  uint32_t document_bytes = 0;
  std::string_view head_key;
};

void EncodeQueueEntry(const QueueRecord& entry, std::string* out);
Status DecodeQueueEntry(std::string_view bytes, QueueRecord* entry);

// A member's key has all the information.
std::string EncodeMember();

}  // namespace lapse::engine
