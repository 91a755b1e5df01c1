#include "engine/catalog/container.h"

#include <algorithm>
#include <utility>

#include "engine/catalog/container_view.h"
#include "engine/commit/partition.h"
#include "engine/engine_parts.h"
#include "engine/expiry/census.h"
#include "engine/items/keys.h"
#include "engine/items/page_fill.h"
#include "engine/items/records.h"

namespace lapse::engine {
namespace {

// An item that is replaced between the look-ups of head and body is looked up again; beyond this something is wrong.
constexpr int kLookUpsMax = 100;

Status NotFound() {
  return {Code::kNotFound, "no such item"};
}

Item MakeItem(std::shared_ptr<const CachedItem> cached) {
  Item item;
  item.meta = MetaOf(cached->head);
  item.document = cached->document;
  item.pin = std::move(cached);
  return item;
}

}  // namespace

Container::Container(DatabaseId database, ContainerId id, std::shared_ptr<const ContainerState> state,
                     EngineParts* parts, std::shared_ptr<RequestUnitPool> shared_pool)
    : database_(database),
      id_(id),
      partition_key_(state->definition.partition_key),
      parts_(parts),
      shared_pool_(std::move(shared_pool)),
      state_(std::move(state)) {}

Container::~Container() = default;

int64_t ContainerState::DiedAtMs(const ttl::Lifetime& lifetime, int64_t now_ms) const {
  const ttl::RuleId rule = lifetime.ServerRule().value_or(ttl::kInheritRule);
  return history.DiedAtMs(rule, lifetime.ServerBaseMs(), now_ms).value_or(now_ms);
}

Status ContainerState::Check() const {
  switch (standing) {
    case Standing::kInForce: return Status::Ok();
    case Standing::kDropped: return {Code::kNotFound, "the container was deleted"};
    case Standing::kInDoubt: return {Code::kUnavailable, "it is not known whether a change of the container counts"};
  }
  return {Code::kInternal, "a container without standing"};
}

void Container::Mark(ContainerState::Standing standing) {
  auto marked = std::make_shared<ContainerState>(*state());
  marked->standing = standing;
  state_.store(std::move(marked), std::memory_order_release);
}

Partition& Container::PartitionFor(std::string_view epk) const {
  auto after =
      std::upper_bound(partitions_.begin(), partitions_.end(), epk,
                       [](std::string_view key, const auto& partition) { return key < partition->range().min; });
  return **std::prev(after);  // the first range begins at the empty key
}

Partition& Container::PartitionAt(std::string_view position) const {
  const std::string key = ContainerPrefix(id_).append(position);
  auto after = std::upper_bound(
      partitions_.begin(), partitions_.end(), key,
      [this](std::string_view at, const auto& partition) { return at < EpkBound(id_, partition->range().min); });
  return **(after == partitions_.begin() ? after : std::prev(after));
}

void Container::ShareThroughput() {
  if (shared_pool_ != nullptr) return;
  const int64_t share =
      MilliRuPerPartition(state()->definition.throughput, parts_->options.rate_limiting, partitions_.size());
  for (const auto& partition : partitions_) partition->budget().SetRate(share);
}

const Partition* Container::PartitionOf(uint32_t stream) const {
  auto found = std::find_if(partitions_.begin(), partitions_.end(),
                            [&](const auto& partition) { return partition->stream() == stream; });
  return found == partitions_.end() ? nullptr : found->get();
}

Result<Item> Container::Read(const ItemAddress& address) const {
  View view(*this);
  LAPSE_RETURN_IF_ERROR(view.state->Check());
  return ReadLive(view, HeadKey(id_, address), Caching::kKeep);
}

Result<Item> Container::ReadLive(View& view, std::string_view head_key, Caching caching) const {
  uint64_t ticket = 0;
  std::shared_ptr<const CachedItem> cached = parts_->cache->Find(head_key, &ticket);
  if (cached == nullptr) {
    LAPSE_ASSIGN_OR_RETURN(cached, Load(view, head_key));
    if (caching == Caching::kKeep) parts_->cache->Insert(head_key, ticket, cached);
  }
  if (!view.IsLive(cached->head)) return NotFound();
  return MakeItem(std::move(cached));
}

// Head, then body. No snapshot is held: when the body is gone, the item was written in between, or it died and was
// reclaimed; the head tells which.
Result<std::shared_ptr<const CachedItem>> Container::Load(View& view, std::string_view head_key) const {
  store::PinnedValue value;
  auto item = std::make_shared<CachedItem>();
  uint64_t missing_lsn = 0;
  for (int look_up = 0; look_up < kLookUpsMax; ++look_up) {
    LAPSE_RETURN_IF_ERROR(parts_->shard->Get(kHeadFamily, head_key, &value));
    LAPSE_RETURN_IF_ERROR(DecodeHead(value.view(), &item->head));
    const ttl::Lifetime& lifetime = item->head.lifetime;
    if (!view.IsLive(item->head) || lifetime.lsn == missing_lsn) return NotFound();
    Status found = parts_->shard->Get(kBodyFamily, BodyKey(id_, item->head.stream, lifetime), &value);
    if (found.code() == Code::kNotFound) {
      missing_lsn = lifetime.lsn;
      continue;
    }
    LAPSE_RETURN_IF_ERROR(found);
    BodyRecord body;
    LAPSE_RETURN_IF_ERROR(DecodeBody(value.view(), &body));
    item->document = body.document;
    return std::shared_ptr<const CachedItem>(std::move(item));
  }
  return Status(Code::kInternal, "an item's head and body do not come together");
}

void Container::Write(ItemWrite write, ItemWriteDone done) const {
  Partition& partition = PartitionFor(write.address.epk);
  partition.Write(std::move(write), std::move(done));
}

Result<store::IterateOptions> Container::FeedBounds(const FeedOptions& options) const {
  store::IterateOptions bounds;
  if (options.exact_epk.has_value()) {
    bounds.lower = EpkPrefix(id_, *options.exact_epk);
    bounds.upper = PrefixEnd(bounds.lower);
  } else {
    bounds.lower = EpkBound(id_, options.range.min);
    bounds.upper = EpkBound(id_, options.range.max);
  }
  if (!options.after.empty()) {
    std::string next = ContainerPrefix(id_) + options.after + '\0';
    if (next < bounds.lower || next > bounds.upper) {
      return Status(Code::kInvalidArgument, "the position is not within the range that is read");
    }
    bounds.lower = std::move(next);
  }
  return bounds;
}

Result<FeedResult> Container::ReadFeed(const FeedOptions& options,
                                       const std::function<void(const Item&)>& visit) const {
  LAPSE_ASSIGN_OR_RETURN(store::IterateOptions bounds, FeedBounds(options));
  View view(*this);
  LAPSE_RETURN_IF_ERROR(view.state->Check());
  std::unique_ptr<store::Iterator> heads = parts_->shard->NewIterator(kHeadFamily, bounds);
  PageFill fill(options.items_max, options.bytes_max);
  FeedResult result;
  for (heads->SeekToFirst(); heads->Valid(); heads->Next()) {
    result.cut_short = fill.EndsEarlyByExpiry();
    if (result.cut_short) return result;
    HeadRecord head;
    LAPSE_RETURN_IF_ERROR(DecodeHead(heads->value(), &head));
    bool live = view.IsLive(head);
    // Only here, with another item in sight, is it known that there is more.
    if (live && !fill.Fits(head.document_bytes)) return result;
    result.resume_after.assign(heads->key().substr(ContainerPrefix(id_).size()));
    Result<Item> item = live ? ReadLive(view, heads->key(), Caching::kPassing) : Result<Item>(NotFound());
    if (item.ok()) {
      visit(*item);
      fill.Add(item->document.size());
    } else if (item.status().code() == Code::kNotFound) {
      fill.PassOverExpired();
    } else {
      return item.status();
    }
  }
  LAPSE_RETURN_IF_ERROR(heads->status());
  result.resume_after.clear();
  return result;
}

Census Container::TakeCensus() const {
  View view(*this);
  std::vector<uint32_t> streams;
  for (const auto& partition : partitions_) streams.push_back(partition->stream());
  return {id_, std::move(streams), view.state, last_lsn(), view.now_ms, parts_->shard};
}

}  // namespace lapse::engine
