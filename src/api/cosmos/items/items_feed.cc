#include <optional>
#include <string>

#include "api/cosmos/handlers.h"
#include "api/cosmos/items/feed_scope.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "base/bytes.h"
#include "engine/commit/partition.h"

namespace lapse::api::cosmos {
namespace {

// Names the feed in its continuations: the container and what of it is read.
std::string FeedName(std::string_view container_rid, const FeedScope& scope) {
  std::string name(container_rid);
  if (scope.exact_epk) return name.append(" key ").append(HexUpper(*scope.exact_epk));
  return name.append(" range ").append(HexUpper(scope.range.min)).append("-").append(HexUpper(scope.range.max));
}

// Where a page begins, and where it ends.
const engine::Partition& FirstOf(const engine::Container& container, const FeedScope& scope,
                                 std::string_view position) {
  if (!position.empty()) return container.PartitionAt(position);
  return container.PartitionFor(scope.exact_epk ? *scope.exact_epk : scope.range.min);
}

const engine::Partition& LastOf(const engine::Container& container, const FeedScope& scope,
                                const engine::Partition& first, std::string_view resume_after) {
  if (!resume_after.empty()) return container.PartitionAt(resume_after);
  const engine::Partition* last = &first;
  for (const auto& partition : container.partitions()) {
    if (scope.Touches(partition->range())) last = partition.get();
  }
  return *last;
}

// What a query may ask to be told. There is no index to use, and all that is read is given out.
void AddQueryHeaders(Call* call, int items, size_t bytes) {
  const net::Request& request = call->request();
  if (HeaderIsTrue(request, "x-ms-documentdb-populatequerymetrics")) {
    std::string count = std::to_string(items);
    std::string size = std::to_string(bytes);
    call->response().AddHeader("x-ms-documentdb-query-metrics",
                               "retrievedDocumentCount=" + count + ";retrievedDocumentSize=" + size +
                                   ";outputDocumentCount=" + count + ";outputDocumentSize=" + size);
  }
  if (HeaderIsTrue(request, "x-ms-cosmos-populateindexmetrics-v2")) {
    call->response().AddHeader("x-ms-cosmos-index-utilization",
                               "%7B%22UtilizedIndexes%22%3A%7B%22SingleIndexes%22%3A%5B%5D%2C%22CompositeIndexes%22%3A"
                               "%5B%5D%7D%2C%22PotentialIndexes%22%3A%7B%22SingleIndexes%22%3A%5B%5D%2C"
                               "%22CompositeIndexes%22%3A%5B%5D%7D%7D");
  }
}

}  // namespace

void ReadItemFeed(CallPtr call) {
  Result<engine::ContainerPtr> found = FindContainer(*call);
  if (!found.ok()) return call->Fail(OwnerNotFound());
  const engine::Container& container = **found;
  FeedScope scope;
  if (std::optional<ApiError> error = ReadFeedScope(call->request(), container, &scope)) return call->Fail(*error);
  std::string rid;
  AppendContainerRid(container.database(), container.id(), &rid);
  std::string name = FeedName(rid, scope);
  Result<PageRequest> page = ReadPageRequest(call->request(), name);
  if (!page.ok()) return call->Fail(page.status());
  const engine::Partition& first = FirstOf(container, scope, page->position);
  if (!call->Admit(*found, first)) return;
  Result<std::string> session = FeedSession(call->request(), container, scope);
  if (!session.ok()) return call->Fail(session.status());

  engine::FeedOptions options;
  options.range = scope.range;
  options.exact_epk = scope.exact_epk;
  options.after = std::move(page->position);
  options.items_max = page->items_max;
  options.bytes_max = kPageBytesMax;
  FeedBody feed(rid, "Documents", &call->body());
  engine::FeedResult result;
  size_t bytes = 0;
  int64_t items_milli_ru = 0;
  if (!scope.empty()) {
    Result<engine::FeedResult> read = container.ReadFeed(options, [&](const engine::Item& item) {
      AppendItemJson(container, item.meta, item.document, feed.Next());
      const size_t priced = engine::PricedBytes(item.document);
      bytes += priced;
      items_milli_ru += engine::PageItemMilliRu(priced);
    });
    if (!read.ok()) return call->Fail(read.status());
    result = *std::move(read);
  }
  feed.End();
  call->AddSession(container, *session);
  AddPageHeaders(call.get(), name, feed.count(), result.resume_after);
  AddQueryHeaders(call.get(), feed.count(), bytes);
  call->ExtendChargeTo(LastOf(container, scope, first, result.resume_after));
  call->Send(200, engine::PageMilliRu(items_milli_ru, result.cut_short));
}

}  // namespace lapse::api::cosmos
