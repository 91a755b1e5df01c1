#include "engine/partition/changes/change_feed.h"

#include <optional>
#include <string>
#include <utility>

#include "api/cosmos/changes/change_feed_request.h"
#include "api/cosmos/changes/change_record.h"
#include "api/cosmos/changes/handlers.h"
#include "api/cosmos/partition_key/feed_scope.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "api/invalid.h"
#include "engine/records/changes/change_log.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::cosmos {
namespace {

engine::ChangesOptions OptionsFor(const ChangeFeedRequest& request, const FeedScope& scope,
                                  const engine::Partition& partition) {
  engine::ChangesOptions options;
  options.partition = partition.number();
  options.scope = scope;
  options.after = request.after;
  options.from_now = request.from_now;
  options.since_s = request.since_s;
  options.items_max = request.items_max;
  // A different page size begins a new page.
  options.items_before = request.page_items < request.items_max ? request.page_items : 0;
  options.items_max -= options.items_before;
  return options;
}

Result<engine::ChangesPage> ReadLatestVersions(Call* call, const engine::Container& container,
                                               const engine::ChangesOptions& options, bool enveloped, FeedBody* feed) {
  const auto append = enveloped ? AppendEnvelopedItemJson : AppendChangedItemJson;
  const auto take = [&](const engine::Item& item, engine::Place place) {
    return feed->Add(place, [&](std::string* json) { append(container, item.meta, item.document, json); });
  };
  return container.ReadChanges(options, take, &call->meter());
}

Result<engine::ChangesPage> ReadAllVersions(Call* call, const engine::Container& container,
                                            const engine::ChangesOptions& options, FeedBody* feed) {
  const auto take = [&](const engine::LoggedChange& change, engine::Place place) {
    return feed->Add(place, [&](std::string* json) { AppendChangeRecordJson(container, change, json); });
  };
  return container.ReadLog(options, take, &call->meter());
}

// Rewords an error for this feed.
Status Explained(const Status& failed) {
  switch (failed.code()) {
    case Code::kInvalidArgument:
      return Invalid(
          "The continuation in If-None-Match is ahead of all changes: it is of another container or of "
          "another partition key range.");
    case Code::kUnsupported:
      return Invalid(
          "The change feed of all versions and deletes needs a container that keeps them: set a "
          "retentionDuration in its changeFeedPolicy.");
    case Code::kNoLongerKept:
      return Invalid(
          "You must read the change feed from within the retention period. "
          "The continuation in If-None-Match is older than what the container's changeFeedPolicy keeps: "
          "changes behind it are lost to this feed. Start again from now (If-None-Match: *).");
    default: return failed;
  }
}

void SendPage(CallPtr call, int items_before, const engine::ChangesPage& read, FeedBody* feed) {
  feed->End();
  call->AddEtag(ChangeFeedContinuation(read.last, read.cut_short ? items_before + read.items : 0));
  call->response().AddHeader("x-ms-item-count", int64_t{read.items});
  // Clients take "not modified" for the current end of the feed. A page that only skipped changes outside the feed must
  // not say so.
  bool nothing_new = read.items == 0 && !read.more;
  if (nothing_new) call->body().clear();
  call->Send(nothing_new ? 304 : 200);
}

}  // namespace

void ReadChangeFeed(CallPtr call) {
  Result<engine::ContainerPtr> found = FindContainer(*call);
  if (!found.ok()) return call->Fail(OwnerMissing(found.status()));
  const engine::Container& container = **found;
  Result<ChangeFeedRequest> request = ReadChangeFeedRequest(call->request());
  if (!request.ok()) return call->Fail(request.status());
  FeedScope scope;
  if (std::optional<ApiError> error = ReadFeedScope(call->request(), container, &scope)) return call->Fail(*error);
  const engine::Partition* partition = nullptr;
  if (auto error = FindOnePartition(call->request(), container, scope, &partition)) return call->Fail(*error);
  // Taken before the read, which then sees at least this much.
  Result<std::string> session = FeedSession(call->request(), container, scope);
  if (!session.ok()) return call->Fail(session.status());
  const engine::ChangesOptions options = OptionsFor(*request, scope, *partition);

  std::string rid;
  AppendContainerRid(container.database(), container.id(), &rid);
  FeedBody feed(rid, "Documents", &call->body());
  Result<engine::ChangesPage> read = request->mode == ChangeFeedMode::kLatestVersion
                                         ? ReadLatestVersions(call.get(), container, options, request->enveloped, &feed)
                                         : ReadAllVersions(call.get(), container, options, &feed);
  if (!read.ok()) return call->Fail(Explained(read.status()));
  call->AddSession(container, *session);
  SendPage(std::move(call), options.items_before, *read, &feed);
}

}  // namespace lapse::api::cosmos
