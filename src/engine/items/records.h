// The values in the head, body and queue families. Each begins with a version byte and the lifetime header, so that any
// reader and any compaction can tell alone whether the record is dead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/items/item.h"
#include "ttl/policy.h"

namespace lapse::engine {

// Takes version and lifetime off the front of a record of any of these families. False when they are not there.
bool TakeRecordFront(std::string_view* bytes, ttl::Lifetime* lifetime);

// What the item's key leads to.
struct HeadRecord {
  ttl::Lifetime lifetime;
  uint64_t rid = 0;
  uint32_t stream = 0;          // where the body is, with the lifetime's LSN
  uint32_t document_bytes = 0;  // so that a write over it need not read the body
};

// What the item shows of it.
ItemMeta MetaOf(const ttl::Lifetime& lifetime, uint64_t rid);
inline ItemMeta MetaOf(const HeadRecord& head) {
  return MetaOf(head.lifetime, head.rid);
}

void EncodeHead(const HeadRecord& head, std::string* out);
Status DecodeHead(std::string_view bytes, HeadRecord* head);

// The document, and the key that leads to it: a walk in commit order finds its way back to the item.
struct BodyRecord {
  ttl::Lifetime lifetime;
  uint64_t rid = 0;
  std::string_view head_key;
  std::string_view document;
};

void EncodeBody(const BodyRecord& body, std::string* out);
Status DecodeBody(std::string_view bytes, BodyRecord* body);

// An entry in a queue of expiry: what a sweep needs to account for the item without reading it.
struct QueueRecord {
  ttl::Lifetime lifetime;
  uint32_t document_bytes = 0;
  std::string_view head_key;
};

void EncodeQueueEntry(const QueueRecord& entry, std::string* out);
Status DecodeQueueEntry(std::string_view bytes, QueueRecord* entry);

}  // namespace lapse::engine
