// A walk over the bodies of a partition in commit order.
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/items/keys.h"
#include "engine/items/records.h"
#include "store/shard.h"

namespace lapse::engine {

// Inheriting bodies and those with a lifetime of their own lie apart; here they are one. Threads: one at a time.
class BodyWalk {
 public:
  // Stands on the first body with an LSN above `after_lsn`.
  BodyWalk(store::Shard* shard, ContainerId container, uint32_t stream, uint64_t after_lsn);

  // False at the end, and after a failure.
  bool Valid() const;
  void Next();
  uint64_t lsn() const;
  // Valid until the next move.
  Status Read(BodyRecord* body) const;
  // Ok at the end; what went wrong otherwise.
  Status status() const;

 private:
  struct Part {
    std::unique_ptr<store::Iterator> bodies;
    uint64_t lsn = 0;  // of where it stands
  };

  static Part Begin(store::Shard* shard, ContainerId container, uint32_t stream, BodyClass body_class,
                    uint64_t after_lsn);
  static void ReadLsn(Part* part);
  Part* First();

  Part inheriting_;
  Part own_lifetime_;
  Part* first_ = nullptr;  // the one whose body is next; null at the end
};

}  // namespace lapse::engine
