#include "engine/items/body_walk.h"

#include "base/bytes.h"

namespace lapse::engine {

BodyWalk::BodyWalk(store::Shard* shard, ContainerId container, uint32_t stream, uint64_t after_lsn)
    : inheriting_(Begin(shard, container, stream, BodyClass::kInheriting, after_lsn)),
      own_lifetime_(Begin(shard, container, stream, BodyClass::kOwnLifetime, after_lsn)),
      first_(First()) {}

BodyWalk::Part BodyWalk::Begin(store::Shard* shard, ContainerId container, uint32_t stream, BodyClass body_class,
                               uint64_t after_lsn) {
  store::IterateOptions bounds;
  bounds.lower = BodyBound(container, stream, body_class, after_lsn) + '\0';
  bounds.upper = PrefixEnd(BodyPrefix(container, stream, body_class));
  bounds.fill_cache = false;
  Part part;
  part.bodies = shard->NewIterator(kBodyFamily, bounds);
  part.bodies->SeekToFirst();
  ReadLsn(&part);
  return part;
}

void BodyWalk::ReadLsn(Part* part) {
  if (!part->bodies->Valid()) return;
  std::string_view key = part->bodies->key();
  part->lsn = ByteReader(key.substr(key.size() - sizeof(uint64_t))).BigEndian<uint64_t>();
}

BodyWalk::Part* BodyWalk::First() {
  const bool inheriting = inheriting_.bodies->Valid();
  const bool own_lifetime = own_lifetime_.bodies->Valid();
  if (!status().ok() || (!inheriting && !own_lifetime)) return nullptr;
  if (inheriting && own_lifetime) return inheriting_.lsn < own_lifetime_.lsn ? &inheriting_ : &own_lifetime_;
  return inheriting ? &inheriting_ : &own_lifetime_;
}

bool BodyWalk::Valid() const {
  return first_ != nullptr;
}

void BodyWalk::Next() {
  first_->bodies->Next();
  ReadLsn(first_);
  first_ = First();
}

uint64_t BodyWalk::lsn() const {
  return first_->lsn;
}

Status BodyWalk::Read(BodyRecord* body) const {
  return DecodeBody(first_->bodies->value(), body);
}

Status BodyWalk::status() const {
  LAPSE_RETURN_IF_ERROR(inheriting_.bodies->status());
  return own_lifetime_.bodies->status();
}

}  // namespace lapse::engine
