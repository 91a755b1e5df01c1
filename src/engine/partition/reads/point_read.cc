#include "engine/partition/reads/point_read.h"

#include <optional>
#include <utility>

#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/records/prices/prices.h"

namespace lapse::engine {
namespace {

// An item that is replaced between the look-ups of head and body is looked up again. More attempts than this indicate a
// bug.
constexpr int kLookUpsMax = 100;

Status NotFound() {
  return {Code::kNotFound, "no such item"};
}

// The start of a look-up: in the family head by key and id, or in the family record by number.
struct Lead {
  store::FamilyId family;
  std::string key;
};

// One logical partition as a reader sees it.
struct SeenKey {
  const ReadMoment& moment;
  Sequence erased_up_to;  // items up to this sequence were deleted with the whole key

  bool IsLive(const ttl::Lifetime& lifetime) const {
    return lifetime.sequence > erased_up_to && moment.IsLive(lifetime);
  }
};

// Reads the head, then the body, without a snapshot. If the body is gone, the item was written in between, or it died
// and was reclaimed. Reading the head again tells which.
Result<std::shared_ptr<const CachedItem>> Load(ContainerId container, const Lead& lead, const SeenKey& seen,
                                               store::Shard* store, store::Reach reach) {
  const store::ReadOptions options{.reach = reach};
  store::PinnedValue value;
  auto item = std::make_shared<CachedItem>();
  Sequence missing = 0;
  for (int look_up = 0; look_up < kLookUpsMax; ++look_up) {
    LAPSE_RETURN_IF_ERROR(store->Get(lead.family, lead.key, &value, options));
    LAPSE_RETURN_IF_ERROR(DecodeHead(value.view(), &item->head));
    const ttl::Lifetime& lifetime = item->head.lifetime;
    if (!seen.IsLive(lifetime) || lifetime.sequence == missing) return NotFound();
    const Status found = store->Get(kBodyFamily, BodyKey({container, item->head.partition}, lifetime), &value, options);
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

}  // namespace

Result<Sequence> PointReader::ErasedUpTo(const LogicalKey& key, store::Reach reach) const {
  if (partition_.shown_erasures().empty()) return Sequence{0};
  const std::string prefix = MemberPrefix(partition_.id().container, key);
  return partition_.shown_erasures().UpTo(partition_.id(), prefix, partition_.store(), reach);
}

Result<Item> PointReader::Find(const ItemAddress& address, const ReadItemOptions& options) const {
  LAPSE_ASSIGN_OR_RETURN(const Sequence erased_up_to, ErasedUpTo(address.key, options.reach));
  const SeenKey seen{moment_, erased_up_to};
  const ContainerId container = partition_.id().container;
  const Lead lead{kHeadFamily, HeadKey(container, address)};
  ItemCache::Load load;
  std::shared_ptr<const CachedItem> cached = cache_->Find(lead.key, &load);
  if (cached == nullptr) {
    LAPSE_ASSIGN_OR_RETURN(cached, Load(container, lead, seen, partition_.store(), options.reach));
    load.Insert(cached);
  }
  if (!seen.IsLive(cached->head.lifetime)) return NotFound();
  Item item = MakeItem(std::move(cached));
  item.unchanged = options.unless.ReaderHas(item.meta.version);
  return item;
}

Result<std::shared_ptr<const CachedItem>> PointReader::FindNumbered(const NumberedItem& numbered,
                                                                    store::Reach reach) const {
  LAPSE_ASSIGN_OR_RETURN(const Sequence erased_up_to, ErasedUpTo(numbered.key, reach));
  const ContainerId container = partition_.id().container;
  const Lead lead{kRecordFamily, RecordKey(container, numbered.number)};
  LAPSE_ASSIGN_OR_RETURN(std::shared_ptr<const CachedItem> loaded,
                         Load(container, lead, {moment_, erased_up_to}, partition_.store(), reach));
  HeadKeyParts name;
  if (!SplitHeadKey(loaded->head_key, &name)) return Status(Code::kCorruption, "an item's body has no head key");
  if (name.epk != numbered.key.epk || name.value != numbered.key.value) return NotFound();
  return loaded;
}

Result<Item> PointReader::Read(const ItemAddress& address, const ReadItemOptions& options, Meter* meter) const {
  Result<Item> item = Find(address, options);
  Charge(item, meter);
  return item;
}

Result<Item> PointReader::Read(const NumberedItem& numbered, const ReadItemOptions& options, Meter* meter) const {
  Result<std::shared_ptr<const CachedItem>> loaded = FindNumbered(numbered, options.reach);
  Result<Item> item = loaded.ok() ? Result<Item>(MakeItem(*std::move(loaded))) : Result<Item>(loaded.status());
  if (item.ok()) item->unchanged = options.unless.ReaderHas(item->meta.version);
  Charge(item, meter);
  return item;
}

Result<std::string> PointReader::FindId(const NumberedItem& numbered, store::Reach reach, Meter* meter) const {
  Result<std::shared_ptr<const CachedItem>> loaded = FindNumbered(numbered, reach);
  if (!loaded.ok()) {
    if (meter != nullptr && loaded.status().code() != Code::kWouldBlock) meter->ChargeRefused(loaded.status());
    return loaded.status();
  }
  HeadKeyParts name;
  SplitHeadKey((*loaded)->head_key, &name);
  return std::string(name.id);
}

void PointReader::Charge(const Result<Item>& item, Meter* meter) const {
  if (meter == nullptr || item.status().code() == Code::kWouldBlock) return;
  if (!item.ok()) {
    meter->ChargeRefused(item.status());
  } else if (item->unchanged) {
    meter->Charge(kRefusedMilliRu);
  } else {
    meter->Charge(PointReadMilliRu(item->document, moment_.state().definition.lifetime_property));
  }
}

}  // namespace lapse::engine
