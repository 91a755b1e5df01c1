#include "engine/partition/changes/body_walk.h"

#include <algorithm>

#include "base/bytes.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"

namespace lapse::engine {

BodyWalk::BodyWalk(store::Shard* shard, const store::Snapshot& snapshot, PartitionId partition, Sequence after,
                   Sequence inheriting_from)
    : inheriting_(Begin(shard, snapshot, partition, BodyClass::kInheriting, std::max(after + 1, inheriting_from) - 1)),
      own_lifetime_(Begin(shard, snapshot, partition, BodyClass::kOwnLifetime, after)),
      first_(First()) {}

BodyWalk::Part BodyWalk::Begin(store::Shard* shard, const store::Snapshot& snapshot, PartitionId partition,
                               BodyClass body_class, Sequence after) {
  store::IterateOptions bounds;
  bounds.lower = BodyBound(partition, body_class, after) + '\0';
  bounds.upper = PrefixEnd(BodyPrefix(partition, body_class));
  bounds.snapshot = &snapshot;
  bounds.fill_cache = false;
  Part part;
  part.bodies = shard->NewIterator(kBodyFamily, bounds);
  part.bodies->SeekToFirst();
  ReadSequence(&part);
  return part;
}

void BodyWalk::ReadSequence(Part* part) {
  if (!part->bodies->Valid()) return;
  std::string_view key = part->bodies->key();
  part->sequence = ByteReader(key.substr(key.size() - sizeof(Sequence))).BigEndian<Sequence>();
}

BodyWalk::Part* BodyWalk::First() {
  const bool inheriting = inheriting_.bodies->Valid();
  const bool own_lifetime = own_lifetime_.bodies->Valid();
  if (!status().ok() || (!inheriting && !own_lifetime)) return nullptr;
  if (inheriting && own_lifetime) return inheriting_.sequence < own_lifetime_.sequence ? &inheriting_ : &own_lifetime_;
  return inheriting ? &inheriting_ : &own_lifetime_;
}

bool BodyWalk::Valid() const {
  return first_ != nullptr;
}

void BodyWalk::Next() {
  first_->bodies->Next();
  ReadSequence(first_);
  first_ = First();
}

Sequence BodyWalk::sequence() const {
  return first_->sequence;
}

Status BodyWalk::Read(BodyRecord* body) const {
  return DecodeBody(first_->bodies->value(), body);
}

Status BodyWalk::status() const {
  LAPSE_RETURN_IF_ERROR(inheriting_.bodies->status());
  return own_lifetime_.bodies->status();
}

}  // namespace lapse::engine
