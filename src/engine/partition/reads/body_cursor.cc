#include "engine/partition/reads/body_cursor.h"

#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"

namespace lapse::engine {

store::Iterator* BodyCursor::IteratorFor(BodyClass body_class) {
  std::unique_ptr<store::Iterator>& bodies = bodies_[static_cast<size_t>(body_class)];
  if (bodies == nullptr) {
    store::IterateOptions bounds;
    bounds.lower = ContainerPrefix(container_);
    bounds.upper = PrefixEnd(bounds.lower);
    bounds.snapshot = &snapshot_;
    bounds.fill_cache = fill_cache_;
    bounds.scan = true;
    bodies = shard_->NewIterator(kBodyFamily, bounds);
  }
  return bodies.get();
}

Status BodyCursor::Find(const HeadRecord& head, BodyRecord* body) {
  key_.clear();
  AppendBodyKey({container_, head.partition}, head.lifetime, &key_);
  store::Iterator* bodies = IteratorFor(ClassOf(head.lifetime));
  if (bodies->Valid()) bodies->Next();
  if (!bodies->Valid() || bodies->key() != key_) bodies->Seek(key_);
  LAPSE_RETURN_IF_ERROR(bodies->status());
  if (!bodies->Valid() || bodies->key() != key_) return {Code::kCorruption, "the body of an item is missing"};
  return DecodeBody(bodies->value(), body);
}

}  // namespace lapse::engine
