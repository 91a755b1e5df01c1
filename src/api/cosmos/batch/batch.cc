#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cosmos/batch/answer_limit.h"
#include "api/cosmos/batch/batch_request.h"
#include "api/cosmos/batch/operation_write.h"
#include "api/cosmos/items/item_request.h"
#include "api/cosmos/partition_key/feed_scope.h"
#include "api/cosmos/partition_key/range_headers.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::cosmos {
namespace {

// Returns the key of the whole batch. An operation may repeat it.
Result<PartitionKeyValues> KeyOf(const BatchRequest& request) {
  const engine::Container& container = *request.container;
  LAPSE_ASSIGN_OR_RETURN(PartitionKeyValues key, RequestedKey(request.call->request(), container));
  const std::shared_ptr<const engine::ContainerState> state = container.state();
  for (const BatchOperation& operation : request.body.operations) {
    if (!operation.partition_key.has_value()) continue;
    const Result<PartitionKeyValues> own =
        WholePartitionKey(*operation.partition_key, container.partition_key(), state->definition.properties);
    if (!own.ok() || *own != key) return OtherKeyInBatch();
  }
  return key;
}

// A range given beside the key must hold it. If it does not, it comes from an outdated list of ranges, and the client
// reloads the list.
std::optional<ApiError> CheckRange(const BatchRequest& request) {
  const net::Request& sent = request.call->request();
  const bool has_range = std::any_of(std::begin(kRangeHeaders), std::end(kRangeHeaders),
                                     [&](std::string_view name) { return sent.HasHeader(name); });
  if (!has_range) return std::nullopt;
  FeedScope scope;
  if (auto error = ReadFeedScope(sent, *request.container, &scope)) return error;
  return scope.empty() ? std::optional(RangeGone()) : std::nullopt;
}

// Returns one result for each operation. The failed operation has its own status, all others have 424.
std::vector<BatchResult> Failed(const engine::AtomicOutcome& outcome, bool answer_too_large) {
  std::vector<BatchResult> results(outcome.milli_ru.size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (i == outcome.failed_at) results[i] = BatchResult::Of(FromStatus(outcome.status), 0);
    results[i].milli_ru = outcome.milli_ru[i];
  }
  if (answer_too_large) results[outcome.failed_at].substatus = kSubStatusAnswerTooLarge;
  return results;
}

void Answer(const BatchRequest& request, const engine::Partition& partition, const AnswerLimit& limit,
            const engine::AtomicOutcome& outcome) {
  const std::vector<BatchOperation>& operations = request.body.operations;
  if (!outcome.status.ok() && outcome.failed_at == operations.size()) return request.call->Fail(outcome.status);
  if (!outcome.status.ok()) return SendBatchResults(request, partition, Failed(outcome, limit.passed()));
  std::vector<BatchResult> results;
  results.reserve(operations.size());
  for (size_t i = 0; i < operations.size(); ++i) {
    results.push_back(
        ResultOf(*request.container, operations[i].kind, request.minimal(operations[i]), outcome.written[i]));
  }
  SendBatchResults(request, partition, results);
}

}  // namespace

void RunAtomically(BatchRequestPtr request) {
  Call& call = *request->call;
  const Result<PartitionKeyValues> key = KeyOf(*request);
  if (!key.ok()) return call.Fail(key.status());
  if (auto error = CheckRange(*request)) return call.Fail(*error);

  const engine::ContainerPtr kept = request->container;
  const engine::Container& container = *kept;
  std::vector<engine::ItemWrite> writes;
  std::vector<bool> shows;
  for (const BatchOperation& operation : request->body.operations) {
    writes.push_back(WriteOfOperation(operation, *key, container));
    shows.push_back(ShowsItem(operation.kind, request->minimal(operation)));
  }
  const engine::Partition& partition = container.PartitionFor(writes.front().address.key.epk);
  if (const Status session = CheckSession(*request, partition); !session.ok()) return call.Fail(session);
  auto limit = std::make_shared<AnswerLimit>(&container, std::move(shows));
  auto answer = [request = std::move(request), &partition, limit](const engine::AtomicOutcome& outcome) {
    Answer(*request, partition, *limit, outcome);
  };
  container.WriteAtomically(std::move(writes), std::move(answer), &call.meter(), limit);
}

}  // namespace lapse::api::cosmos
