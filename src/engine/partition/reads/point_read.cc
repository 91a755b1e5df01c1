#include "engine/partition/reads/point_read.h"

#include <optional>
#include <utility>

#include "engine/catalog/containers/container.h"
#include "engine/memory/item_cache.h"
#include "engine/partition/view/read_moment.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {
namespace {

// An item that is replaced between the look-ups of head and body is looked up again; beyond this something is wrong.
constexpr int kLookUpsMax = 100;

Status NotFound() {
  return {Code::kNotFound, "no such item"};
}

// Where a look-up begins: in the family head by key and id, or in the family record by number.
struct Lead {
  store::FamilyId family;
  std::string key;
};

// What a reader sees of one logical partition.
struct SeenKey {
  ReadMoment moment;
  Sequence erased_up_to;  // what it has up to here was deleted with the whole key

  bool IsLive(const ttl::Lifetime& lifetime) const {
    return lifetime.sequence > erased_up_to && moment.IsLive(lifetime);
  }
};

// Head, then body. No snapshot is held: when the body is gone, the item was written in between, or it died and was
// reclaimed; the head tells which.
Result<std::shared_ptr<const CachedItem>> Load(ContainerId container, const Lead& lead, const SeenKey& seen,
                                               store::Shard* shard, store::Reach reach) {
  const store::ReadOptions options{.reach = reach};
  store::PinnedValue value;
  auto item = std::make_shared<CachedItem>();
  Sequence missing = 0;
  for (int look_up = 0; look_up < kLookUpsMax; ++look_up) {
    LAPSE_RETURN_IF_ERROR(shard->Get(lead.family, lead.key, &value, options));
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
    item->head_key = body.head_key;
    item->document = body.document;
    return std::shared_ptr<const CachedItem>(std::move(item));
  }
  return Status(Code::kInternal, "an item's head and body do not come together");
}

Item MakeItem(std::shared_ptr<const CachedItem> cached) {
  Item item;
  item.meta = MetaOf(*cached);
  item.document = cached->document;
  item.pin = std::move(cached);
  return item;
}

Result<Sequence> ErasedUpTo(const Partition& partition, const LogicalKey& key, store::Shard* shard,
                            store::Reach reach) {
  if (partition.shown_erasures().empty()) return Sequence{0};
  const std::string prefix = MemberPrefix(partition.id().container, key);
  return partition.shown_erasures().UpTo(partition.id(), prefix, shard, reach);
}

// To be called before the item is looked up: see ShownErasures.
Result<SeenKey> See(const Container& container, const Partition& partition, const LogicalKey& key,
                    const CommitParts& parts, store::Reach reach) {
  const std::optional<int64_t> clock_ms =
      reach == store::Reach::kMemory ? parts.clock->TryNowMs() : std::optional(parts.clock->NowMs());
  if (!clock_ms.has_value()) return Status(Code::kWouldBlock, "the clock's second must be turned over");
  SeenKey seen{ReadMoment(container, partition, *clock_ms), 0};
  LAPSE_RETURN_IF_ERROR(seen.moment.state().Check());
  LAPSE_ASSIGN_OR_RETURN(seen.erased_up_to, ErasedUpTo(partition, key, parts.shards->Of(partition.id()), reach));
  return seen;
}

// The live item with this number and this key.
Result<std::shared_ptr<const CachedItem>> LoadNumbered(const Container& container, const NumberedItem& numbered,
                                                       const CommitParts& parts, store::Reach reach) {
  const Partition& partition = container.PartitionFor(numbered.key.epk);
  LAPSE_ASSIGN_OR_RETURN(const SeenKey seen, See(container, partition, numbered.key, parts, reach));
  const Lead lead{kRecordFamily, RecordKey(container.id(), numbered.number)};
  LAPSE_ASSIGN_OR_RETURN(std::shared_ptr<const CachedItem> loaded,
                         Load(container.id(), lead, seen, parts.shards->Of(partition.id()), reach));
  HeadKeyParts name;
  if (!SplitHeadKey(loaded->head_key, &name)) return Status(Code::kCorruption, "an item's body has no head key");
  if (name.epk != numbered.key.epk || name.value != numbered.key.value) return NotFound();
  return loaded;
}

}  // namespace

Result<Item> ReadItem(const Container& container, const ItemAddress& address, const CommitParts& parts,
                      const ReadItemOptions& options) {
  const Partition& partition = container.PartitionFor(address.key.epk);
  store::Shard* shard = parts.shards->Of(partition.id());
  LAPSE_ASSIGN_OR_RETURN(const SeenKey seen, See(container, partition, address.key, parts, options.reach));

  const Lead lead{kHeadFamily, HeadKey(container.id(), address)};
  ItemCache::Load load;
  std::shared_ptr<const CachedItem> cached = parts.cache->Find(lead.key, &load);
  if (cached == nullptr) {
    LAPSE_ASSIGN_OR_RETURN(cached, Load(container.id(), lead, seen, shard, options.reach));
    load.Insert(cached);
  }
  if (!seen.IsLive(cached->head.lifetime)) return NotFound();
  Item item = MakeItem(std::move(cached));
  item.unchanged = options.unless.ReaderHas(item.meta.version);
  return item;
}

Result<Item> ReadItem(const Container& container, const NumberedItem& numbered, const CommitParts& parts,
                      const ReadItemOptions& options) {
  LAPSE_ASSIGN_OR_RETURN(std::shared_ptr<const CachedItem> loaded,
                         LoadNumbered(container, numbered, parts, options.reach));
  Item item = MakeItem(std::move(loaded));
  item.unchanged = options.unless.ReaderHas(item.meta.version);
  return item;
}

Result<std::string> FindItemId(const Container& container, const NumberedItem& numbered, const CommitParts& parts,
                               store::Reach reach) {
  LAPSE_ASSIGN_OR_RETURN(const std::shared_ptr<const CachedItem> loaded,
                         LoadNumbered(container, numbered, parts, reach));
  HeadKeyParts name;
  SplitHeadKey(loaded->head_key, &name);
  return std::string(name.id);
}

}  // namespace lapse::engine
