#include "engine/records/items/item_records.h"

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kVersion = 1;

void BeginRecord(const ttl::Lifetime& lifetime, std::string* out) {
  out->push_back(static_cast<char>(kVersion));
  ttl::EncodeLifetime(lifetime, out);
}

Status Malformed(std::string_view what) {
  return {Code::kCorruption, std::string("malformed ").append(what).append(" record")};
}

}  // namespace

bool TakeRecordFront(std::string_view* bytes, ttl::Lifetime* lifetime) {
  if (bytes->empty() || static_cast<uint8_t>(bytes->front()) != kVersion) return false;
  bytes->remove_prefix(1);
  return ttl::DecodeLifetime(bytes, lifetime);
}

ItemMeta MetaOf(const BodyRecord& body) {
  return {.version = VersionOf(body.lifetime), .lsn = body.lsn, .number = body.number};
}

void EncodeHead(const HeadRecord& head, std::string* out) {
  BeginRecord(head.lifetime, out);
  PutLittleEndian(out, head.number);
  PutLittleEndian(out, head.partition);
  PutLittleEndian(out, head.document_bytes);
  PutLittleEndian(out, static_cast<uint8_t>(head.indexing));  // the flags: bits 1-0
}

Status DecodeHead(std::string_view bytes, HeadRecord* head) {
  if (!TakeRecordFront(&bytes, &head->lifetime)) return Malformed("head");
  ByteReader reader(bytes);
  head->number = reader.LittleEndian<ItemNumber>();
  head->partition = reader.LittleEndian<PartitionNumber>();
  head->document_bytes = reader.LittleEndian<uint32_t>();
  const uint8_t flags = reader.Byte();
  head->indexing = static_cast<IndexingDirective>(flags);
  const bool known = flags <= static_cast<uint8_t>(IndexingDirective::kExclude);
  return reader.AtEnd() && known ? Status::Ok() : Malformed("head");
}

void EncodeBody(const BodyRecord& body, std::string* out) {
  out->reserve(out->size() + 48 + body.head_key.size() + body.document.size());
  BeginRecord(body.lifetime, out);
  PutLittleEndian(out, body.lsn);
  PutLittleEndian(out, body.number);
  PutText(out, body.head_key);
  out->append(body.document);
}

Status DecodeBody(std::string_view bytes, BodyRecord* body) {
  if (!TakeRecordFront(&bytes, &body->lifetime)) return Malformed("body");
  ByteReader reader(bytes);
  body->lsn = reader.LittleEndian<Lsn>();
  body->number = reader.LittleEndian<ItemNumber>();
  body->head_key = reader.Text();
  body->document = reader.rest();
  return reader.ok() ? Status::Ok() : Malformed("body");
}

void EncodeQueueEntry(const QueueRecord& entry, std::string* out) {
  BeginRecord(entry.lifetime, out);
  PutLittleEndian(out, entry.document_bytes);
  out->append(entry.head_key);
}

Status DecodeQueueEntry(std::string_view bytes, QueueRecord* entry) {
  if (!TakeRecordFront(&bytes, &entry->lifetime)) return Malformed("queue");
  ByteReader reader(bytes);
  entry->document_bytes = reader.LittleEndian<uint32_t>();
  entry->head_key = reader.rest();
  return reader.ok() ? Status::Ok() : Malformed("queue");
}

std::string EncodeMember() {
  return std::string(1, static_cast<char>(kVersion));
}

}  // namespace lapse::engine
