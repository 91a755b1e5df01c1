#include "engine/changes/change_feed.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "api/cosmos/changes/change_feed_request.h"
#include "api/cosmos/changes/change_record.h"
#include "api/cosmos/handlers.h"
#include "api/cosmos/items/feed_scope.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "engine/changes/change_log.h"
#include "engine/commit/partition.h"
#include "engine/request_units/prices.h"

namespace lapse::api::cosmos {
namespace {

Status Invalid(std::string message) {
  return Status(Code::kInvalidArgument, std::move(message));
}

// The place behind everything that was written. Where the log of all versions began behind the partition's last write,
// that place is its first one.
uint64_t NowLsn(ChangeFeedMode mode, const engine::Container& container, const engine::Partition& partition) {
  const uint64_t last_lsn = partition.last_lsn();
  if (mode == ChangeFeedMode::kLatestVersion) return last_lsn;
  return std::max(last_lsn, container.state()->log_since_lsn);
}

Result<engine::ChangesOptions> OptionsFor(const ChangeFeedRequest& request, const FeedScope& scope,
                                          const engine::Container& container, const engine::Partition& partition) {
  const uint64_t now_lsn = NowLsn(request.mode, container, partition);
  if (request.after_lsn > now_lsn) {
    return Invalid(
        "The continuation in If-None-Match is ahead of all changes: it is of another container or of "
        "another partition key range.");
  }
  engine::ChangesOptions options;
  options.stream = partition.stream();
  options.range = scope.range;
  options.exact_epk = scope.exact_epk;
  options.after_lsn = request.from_now ? now_lsn : request.after_lsn;
  options.since_s = request.since_s;
  options.items_max = request.items_max;
  options.bytes_max = kPageBytesMax;
  return options;
}

// A page as it is written: the envelope, and what is paid for.
struct Page {
  FeedBody feed;
  int64_t items_milli_ru = 0;
};

Result<engine::ChangesPage> ReadLatestVersions(const engine::Container& container,
                                               const engine::ChangesOptions& options, Page* page) {
  return container.ReadChanges(options, [&](const engine::Item& item) {
    AppendChangedItemJson(container, item.meta, item.document, page->feed.Next());
    page->items_milli_ru += engine::PageItemMilliRu(engine::PricedBytes(item.document));
  });
}

Result<engine::ChangesPage> ReadAllVersions(const engine::Container& container, const engine::Partition& partition,
                                            const engine::ChangesOptions& options, Page* page) {
  if (container.state()->definition.change_log_retention_s == 0) {
    return Invalid(
        "The change feed of all versions and deletes needs a container that keeps them: set a "
        "retentionDuration in its changeFeedPolicy.");
  }
  // The log's first place, which the partition has not reached.
  if (options.after_lsn > partition.last_lsn()) return engine::ChangesPage{.last_lsn = options.after_lsn};
  Result<engine::ChangesPage> read = container.ReadLog(options, [&](const engine::LoggedChange& change) {
    AppendChangeRecordJson(container, change, page->feed.Next());
    const size_t bytes = engine::PricedBytes(change.current) + engine::PricedBytes(change.previous_doc);
    page->items_milli_ru += engine::PageItemMilliRu(bytes);
  });
  if (read.status().code() == Code::kInvalidArgument) {
    return Invalid(
        "The continuation in If-None-Match is older than what the container's changeFeedPolicy keeps: "
        "changes behind it are lost to this feed. Start again from now (If-None-Match: *).");
  }
  return read;
}

// Expired records may cut a page into several answers: it is paid for once, with its first items.
void SendPage(CallPtr call, int page_items, const engine::ChangesPage& read, Page* page) {
  page->feed.End();
  const int count = page->feed.count();
  call->AddEtag(ChangeFeedContinuation(read.last_lsn, read.cut_short ? page_items + count : 0));
  call->response().AddHeader("x-ms-item-count", int64_t{count});
  // Clients take "not modified" for the end of what is there now: a page that only passed over what does not belong to
  // the feed must not say so.
  bool nothing_new = count == 0 && !read.more;
  if (nothing_new) call->body().clear();
  const bool paid_elsewhere = count > 0 ? page_items > 0 : read.cut_short;
  call->Send(nothing_new ? 304 : 200, engine::PageMilliRu(page->items_milli_ru, paid_elsewhere));
}

}  // namespace

void ReadChangeFeed(CallPtr call) {
  Result<engine::ContainerPtr> found = FindContainer(*call);
  if (!found.ok()) return call->Fail(OwnerNotFound());
  const engine::Container& container = **found;
  Result<ChangeFeedRequest> request = ReadChangeFeedRequest(call->request());
  if (!request.ok()) return call->Fail(request.status());
  FeedScope scope;
  if (std::optional<ApiError> error = ReadFeedScope(call->request(), container, &scope)) return call->Fail(*error);
  const engine::Partition* partition = nullptr;
  if (auto error = FindOnePartition(call->request(), container, scope, &partition)) return call->Fail(*error);
  // Before the read, which then sees at least this much.
  Result<std::string> session = FeedSession(call->request(), container, scope);
  if (!session.ok()) return call->Fail(session.status());
  Result<engine::ChangesOptions> options = OptionsFor(*request, scope, container, *partition);
  if (!options.ok()) return call->Fail(options.status());
  if (!call->Admit(*found, *partition)) return;
  // With another size of pages than before it is a new one.
  const int page_items = request->page_items < request->items_max ? request->page_items : 0;
  options->items_max -= page_items;

  std::string rid;
  AppendContainerRid(container.database(), container.id(), &rid);
  Page page{FeedBody(rid, "Documents", &call->body())};
  Result<engine::ChangesPage> read = request->mode == ChangeFeedMode::kLatestVersion
                                         ? ReadLatestVersions(container, *options, &page)
                                         : ReadAllVersions(container, *partition, *options, &page);
  if (!read.ok()) return call->Fail(read.status());
  call->AddSession(container, *session);
  SendPage(std::move(call), page_items, *read, &page);
}

}  // namespace lapse::api::cosmos
