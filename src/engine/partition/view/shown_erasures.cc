#include "engine/partition/view/shown_erasures.h"

#include <limits>
#include <utility>

#include "engine/records/ids/families.h"

namespace lapse::engine {

void ShownErasures::Publish(const ErasedKeysPtr& keys) {
  constexpr Sequence kAllCertain = std::numeric_limits<Sequence>::max();
  if (keys == nullptr && empty()) return;
  const std::shared_ptr<const Shown> before = shown_.load(std::memory_order_acquire);
  if (before != nullptr && before->keys == keys && before->certain_up_to == kAllCertain) return;
  Store(keys == nullptr ? nullptr : std::make_shared<const Shown>(Shown{keys, kAllCertain}));
}

void ShownErasures::PublishUncertain(ErasedKeysPtr keys, Sequence certain_up_to) {
  Store(std::make_shared<const Shown>(Shown{std::move(keys), certain_up_to}));
}

void ShownErasures::Store(std::shared_ptr<const Shown> shown) {
  const bool any = shown != nullptr;
  shown_.store(std::move(shown), std::memory_order_release);
  any_.store(any, std::memory_order_release);
}

Result<Sequence> ShownErasures::UpTo(PartitionId partition, std::string_view prefix, store::Shard* shard,
                                     store::Reach reach) const {
  const std::shared_ptr<const Shown> shown = shown_.load(std::memory_order_acquire);
  if (shown == nullptr) return Sequence{0};
  Sequence certain = 0;
  for (const auto& erasure : shown->keys->OfKey(prefix)) {
    if (erasure->sequence > shown->certain_up_to) {
      store::PinnedValue value;
      const Status found =
          shard->Get(kErasedFamily, ErasureKey(partition, prefix, erasure->sequence), &value, {.reach = reach});
      if (found.code() == Code::kNotFound) break;
      LAPSE_RETURN_IF_ERROR(found);
    }
    certain = erasure->sequence;
  }
  return certain;
}

}  // namespace lapse::engine
