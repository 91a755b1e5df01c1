#include "engine/items/point_read.h"

#include <optional>
#include <utility>

#include "engine/catalog/container.h"
#include "engine/commit/partition.h"
#include "engine/families.h"
#include "engine/items/item_cache.h"
#include "engine/items/item_keys.h"
#include "engine/items/read_moment.h"

namespace lapse::engine {
namespace {

// An item that is replaced between the look-ups of head and body is looked up again; beyond this something is wrong.
constexpr int kLookUpsMax = 100;

Status NotFound() {
  return {Code::kNotFound, "no such item"};
}

// What a reader sees of one logical partition.
struct SeenKey {
  ReadMoment moment;
  Sequence erased_up_to;  // what it has up to here was deleted with the whole key

  bool IsLive(const ttl::Lifetime& lifetime) const {
    return lifetime.sequence > erased_up_to && moment.IsLive(lifetime);
  }
};

// Before the item is looked up: see ShownErasures.
Result<Sequence> ErasedUpTo(const Partition& partition, const LogicalKey& key, store::Shard* shard,
                            store::Reach reach) {
  if (partition.shown_erasures().empty()) return Sequence{0};
  const std::string prefix = MemberPrefix(partition.id().container, key);
  return partition.shown_erasures().UpTo(partition.id(), prefix, shard, reach);
}

// Head, then body. No snapshot is held: when the body is gone, the item was written in between, or it died and was
// reclaimed; the head tells which.
Result<std::shared_ptr<const CachedItem>> Load(ContainerId container, std::string_view head_key, const SeenKey& seen,
                                               store::Shard* shard, store::Reach reach) {
  const store::ReadOptions options{.reach = reach};
  store::PinnedValue value;
  auto item = std::make_shared<CachedItem>();
  Sequence missing = 0;
  for (int look_up = 0; look_up < kLookUpsMax; ++look_up) {
    LAPSE_RETURN_IF_ERROR(shard->Get(kHeadFamily, head_key, &value, options));
    LAPSE_RETURN_IF_ERROR(DecodeHead(value.view(), &item->head));
    const ttl::Lifetime& lifetime = item->head.lifetime;
    if (!seen.IsLive(lifetime) || lifetime.sequence == missing) return NotFound();
    const Status found = shard->Get(kBodyFamily, BodyKey({container, item->head.partition}, lifetime), &value, options);
    if (found.code() == Code::kNotFound) {
      missing = lifetime.sequence;
      continue;
    }
    LAPSE_RETURN_IF_ERROR(found);
    BodyRecord body;
    LAPSE_RETURN_IF_ERROR(DecodeBody(value.view(), &body));
    item->lsn = body.lsn;
    item->document = body.document;
    return std::shared_ptr<const CachedItem>(std::move(item));
  }
  return Status(Code::kInternal, "an item's head and body do not come together");
}

bool Has(const Precondition& unless, const ItemVersion& version) {
  if (unless.kind == Precondition::Kind::kAbsent) return true;
  return unless.kind == Precondition::Kind::kDiffers && unless.version == version;
}

Item MakeItem(std::shared_ptr<const CachedItem> cached) {
  Item item;
  item.meta = {.version = VersionOf(cached->head.lifetime), .lsn = cached->lsn, .number = cached->head.number};
  item.document = cached->document;
  item.pin = std::move(cached);
  return item;
}

}  // namespace

Result<Item> ReadItem(const Container& container, const ItemAddress& address, const CommitParts& parts,
                      const ReadItemOptions& options) {
  const std::optional<int64_t> clock_ms =
      options.reach == store::Reach::kMemory ? parts.clock->TryNowMs() : std::optional(parts.clock->NowMs());
  if (!clock_ms.has_value()) return Status(Code::kWouldBlock, "the clock's second must be turned over");
  const Partition& partition = container.PartitionFor(address.key.epk);
  store::Shard* shard = parts.shards->Of(partition.id());
  SeenKey seen{ReadMoment(container, partition, *clock_ms), 0};
  LAPSE_RETURN_IF_ERROR(seen.moment.state().Check());
  LAPSE_ASSIGN_OR_RETURN(seen.erased_up_to, ErasedUpTo(partition, address.key, shard, options.reach));

  const std::string head_key = HeadKey(container.id(), address);
  ItemCache::Load load;
  std::shared_ptr<const CachedItem> cached = parts.cache->Find(head_key, &load);
  if (cached == nullptr) {
    LAPSE_ASSIGN_OR_RETURN(cached, Load(container.id(), head_key, seen, shard, options.reach));
    load.Insert(cached);
  }
  if (!seen.IsLive(cached->head.lifetime)) return NotFound();
  Item item = MakeItem(std::move(cached));
  item.unchanged = Has(options.unless, item.meta.version);
  return item;
}

}  // namespace lapse::engine
