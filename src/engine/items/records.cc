#include "engine/items/records.h"

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

ItemMeta MetaOf(const ttl::Lifetime& lifetime, uint64_t rid) {
  return {.version = {.lsn = lifetime.lsn, .ts_s = lifetime.ts_s}, .rid = rid};
}

void EncodeHead(const HeadRecord& head, std::string* out) {
  BeginRecord(head.lifetime, out);
  PutLittleEndian(out, head.rid);
  PutLittleEndian(out, head.stream);
  PutLittleEndian(out, head.document_bytes);
}

Status DecodeHead(std::string_view bytes, HeadRecord* head) {
  if (!TakeRecordFront(&bytes, &head->lifetime)) return Malformed("head");
  ByteReader reader(bytes);
  head->rid = reader.LittleEndian<uint64_t>();
  head->stream = reader.LittleEndian<uint32_t>();
  head->document_bytes = reader.LittleEndian<uint32_t>();
  return reader.AtEnd() ? Status::Ok() : Malformed("head");
}

void EncodeBody(const BodyRecord& body, std::string* out) {
  out->reserve(out->size() + 32 + body.head_key.size() + body.document.size());
  BeginRecord(body.lifetime, out);
  PutLittleEndian(out, body.rid);
  PutLittleEndian(out, static_cast<uint32_t>(body.head_key.size()));
  out->append(body.head_key);
  out->append(body.document);
}

Status DecodeBody(std::string_view bytes, BodyRecord* body) {
  if (!TakeRecordFront(&bytes, &body->lifetime)) return Malformed("body");
  ByteReader reader(bytes);
  body->rid = reader.LittleEndian<uint64_t>();
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

}  // namespace lapse::engine
