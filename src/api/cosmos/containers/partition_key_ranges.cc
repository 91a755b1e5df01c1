#include <algorithm>
#include <string>

#include "api/cosmos/containers/handlers.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/resource_ids.h"
#include "base/bytes.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::cosmos {
namespace {

// Clients read the ranges until they get "not modified". The etag identifies this set of ranges.
std::string RangesEtag(const engine::Container& container) {
  uint64_t newest = 0;
  for (const auto& partition : container.partitions()) newest = std::max<uint64_t>(newest, partition->number());
  std::string etag;
  AppendContainerEtag(container.id(), newest << 32 | container.partitions().size(), &etag);
  return etag;
}

void AppendRange(const engine::Container& container, const engine::Partition& partition, std::string* json) {
  std::string id = std::to_string(partition.number());
  json->append(R"({"_rid":")");
  AppendRangeRid(container.database(), container.id(), partition.number(), json);
  json->append(R"(","id":")").append(id).append(R"(","_etag":"","minInclusive":")");
  json->append(HexUpper(partition.range().min)).append(R"(","maxExclusive":")").append(HexUpper(partition.range().max));
  json->append(R"(","ridPrefix":)").append(id).append(R"(,"_self":"dbs/)");
  AppendDatabaseRid(container.database(), json);
  json->append("/colls/");
  AppendContainerRid(container.database(), container.id(), json);
  json->append("/pkranges/");
  AppendRangeRid(container.database(), container.id(), partition.number(), json);
  json->append(R"(/","throughputFraction":)");
  json->append(std::to_string(1.0 / static_cast<double>(container.partitions().size())));
  json->append(R"(,"status":"online","parents":[],"_ts":)").append(std::to_string(container.state()->ts_s));
  json->push_back('}');
}

// Returns the range that the path names, or null if there is none.
const engine::Partition* FindRange(const Route& route, const engine::Container& container) {
  for (const auto& partition : container.partitions()) {
    const bool named = route.by_rid() ? route.rid()->number == partition->number()
                                      : route.item() == std::to_string(partition->number());
    if (named) return partition.get();
  }
  return nullptr;
}

}  // namespace

void ReadPartitionKeyRange(CallPtr call) {
  Result<engine::ContainerPtr> found = FindContainer(*call);
  if (!found.ok()) return call->Fail(OwnerMissing(found.status()));
  const engine::Partition* range = FindRange(call->route(), **found);
  if (range == nullptr) return call->Fail(Status(Code::kNotFound, ""));
  AppendRange(**found, *range, &call->body());
  call->Send(200, engine::kMetadataMilliRu);
}

void ListPartitionKeyRanges(CallPtr call) {
  Result<engine::ContainerPtr> found = FindContainer(*call);
  if (!found.ok()) return call->Fail(OwnerMissing(found.status()));
  // All ranges are on one page, whatever the request asks for.
  if (Status asked = ReadMaxItemCount(call->request()).status(); !asked.ok()) return call->Fail(asked);
  const engine::Container& container = **found;
  std::string etag = RangesEtag(container);
  call->AddEtag(etag);
  if (call->request().Header("if-none-match") == etag) {
    // Clients read the count without checking that it is present.
    call->response().AddHeader("x-ms-item-count", int64_t{0});
    return call->Fail(Status(Code::kNotModified, ""));
  }

  std::string rid;
  AppendContainerRid(container.database(), container.id(), &rid);
  FeedBody feed(rid, "PartitionKeyRanges", &call->body());
  for (const auto& partition : container.partitions()) {
    feed.Add(engine::Place::kMust, [&](std::string* json) { AppendRange(container, *partition, json); });
  }
  feed.End();
  AddPageHeaders(call.get(), rid, feed.count(), {});
  call->Send(200, engine::kMetadataMilliRu);
}

}  // namespace lapse::api::cosmos
