#include <atomic>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cosmos/batch/answer_limit.h"
#include "api/cosmos/batch/batch_request.h"
#include "api/cosmos/batch/operation_write.h"
#include "api/cosmos/partition_key/feed_scope.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::cosmos {
namespace {

// A bulk request in flight. Threads: any. Each operation completes on the thread that committed it. The last one sends
// the response.
class BulkRun : public std::enable_shared_from_this<BulkRun> {
 public:
  BulkRun(BatchRequestPtr request, const engine::Partition* partition, std::vector<engine::ItemWrite> writes)
      : request_(std::move(request)),
        partition_(partition),
        writes_(std::move(writes)),
        results_(writes_.size()),
        meters_(writes_.size()),
        left_(writes_.size()) {}

  // Runs all at once. An invalid operation does not delay the others.
  void RunAll() {
    std::vector<engine::MeteredWrite> queued;
    size_t refused = 0;
    for (size_t i = 0; i < writes_.size(); ++i) {
      if (Refuse(i)) {
        ++refused;
        continue;
      }
      auto done = [self = shared_from_this(), i](const Result<engine::ItemWritten>& written) {
        self->Note(i, written);
        self->Leave(1);
      };
      queued.push_back({std::move(writes_[i]), std::move(done), &meters_[i]});
    }
    if (refused > 0 && Leave(refused)) return;
    request_->container->WriteEach(std::move(queued));
  }

  // Runs the operations from this one on in sequence, up to the first that fails.
  void RunFrom(size_t at) {
    if (at < writes_.size() && Refuse(at)) at = writes_.size();
    if (at == writes_.size()) return Send();
    auto done = [self = shared_from_this(), at](const Result<engine::ItemWritten>& written) {
      self->Note(at, written);
      constexpr int kFirstError = 400;
      self->RunFrom(self->results_[at].status >= kFirstError ? self->writes_.size() : at + 1);
    };
    request_->container->Write(std::move(writes_[at]), std::move(done), &meters_[at]);
  }

 private:
  // Completes the operation if it is invalid by itself. That costs what any refusal costs.
  bool Refuse(size_t at) {
    if (writes_[at].refusal.ok()) return false;
    Status refusal = request_->container->Admit(&meters_[at], *partition_);
    if (refusal.ok()) {
      refusal = writes_[at].refusal;
      meters_[at].ChargeRefused(refusal);
    }
    NoteError(at, refusal);
    return true;
  }

  void Note(size_t at, const Result<engine::ItemWritten>& written) {
    if (!written.ok()) return NoteError(at, written.status());
    const BatchOperation& operation = request_->body.operations[at];
    results_[at] = ResultOf(*request_->container, operation.kind, request_->minimal(operation), *written);
    Bound(operation, &results_[at]);
  }

  void NoteError(size_t at, const Status& error) {
    results_[at] = BatchResult::Of(FromStatus(error), meters_[at].milli_ru());
    if (error.code() == Code::kThrottled) results_[at].retry_after_ms = meters_[at].retry_after_ms();
    constexpr int kServiceUnavailable = 503;
    if (results_[at].status == kServiceUnavailable) results_[at].retry_after_ms = kRetryAfter_ms;
  }

  // A write stands, so its result is sent without the item. A read can be retried.
  void Bound(const BatchOperation& operation, BatchResult* result) {
    const size_t bytes = result->resource.size() + kAroundResult_bytes;
    if (answer_bytes_.fetch_add(bytes) + bytes <= kBatchAnswerBytesMax) return;
    answer_bytes_.fetch_sub(result->resource.size());
    result->resource.clear();
    result->resource.shrink_to_fit();
    if (!operation.only_reads()) return;
    const int64_t milli_ru = result->milli_ru;
    *result = BatchResult::Of(FromStatus(BatchAnswerTooLarge()), milli_ru);
    result->substatus = kSubStatusAnswerTooLarge;
  }

  // Returns true, after sending the response, if these were the last operations.
  bool Leave(size_t count) {
    if (left_.fetch_sub(count, std::memory_order_acq_rel) != count) return false;
    Send();
    return true;
  }

  void Send() { SendBatchResults(*request_, *partition_, results_); }

  const BatchRequestPtr request_;
  const engine::Partition* const partition_;
  std::vector<engine::ItemWrite> writes_;
  std::vector<BatchResult> results_;
  std::vector<engine::RequestMeter> meters_;
  std::atomic<size_t> left_;
  std::atomic<size_t> answer_bytes_{0};
};

// Reads the writes, each under its own key. A key outside the scope comes from an outdated list of ranges, and the
// client reloads the list.
std::optional<ApiError> ReadWrites(const BatchRequest& request, const FeedScope& scope,
                                   std::vector<engine::ItemWrite>* writes) {
  const engine::Container& container = *request.container;
  const std::shared_ptr<const engine::ContainerState> state = container.state();
  for (const BatchOperation& operation : request.body.operations) {
    if (!operation.partition_key.has_value()) {
      return FromStatus(WrongBatchOperation(writes->size(), "it needs a 'partitionKey'."));
    }
    const Result<PartitionKeyValues> key =
        WholePartitionKey(*operation.partition_key, container.partition_key(), state->definition.properties);
    if (!key.ok()) {
      engine::ItemWrite& refused = writes->emplace_back();
      refused.refusal = key.status();
      continue;
    }
    engine::ItemWrite write = WriteOfOperation(operation, *key, container);
    const engine::LogicalKey& at = write.address.key;
    if (!scope.Contains(at.epk, at.value)) {
      const bool by_key = scope.exact.has_value() || !scope.value_prefix.empty();
      return by_key ? FromStatus(OtherKeyInBatch()) : RangeGone();
    }
    writes->push_back(std::move(write));
  }
  return std::nullopt;
}

}  // namespace

void RunBulk(BatchRequestPtr request) {
  Call& call = *request->call;
  const engine::Container& container = *request->container;
  FeedScope scope;
  if (auto error = ReadFeedScope(call.request(), container, &scope)) return call.Fail(*error);
  const engine::Partition* partition = nullptr;
  if (auto error = FindOnePartition(call.request(), container, scope, &partition)) return call.Fail(*error);
  std::vector<engine::ItemWrite> writes;
  if (auto error = ReadWrites(*request, scope, &writes)) return call.Fail(*error);
  if (const Status session = CheckSession(*request, *partition); !session.ok()) return call.Fail(session);
  // If nothing at all is admitted, the client must retry the whole request.
  if (Status admitted = request->container->Admit(&call.meter(), *partition); !admitted.ok()) {
    return call.Fail(admitted);
  }
  const bool goes_on = !EqualsIgnoreCase(call.request().Header("x-ms-cosmos-batch-continue-on-error"), "false");
  auto run = std::make_shared<BulkRun>(std::move(request), partition, std::move(writes));
  if (goes_on) return run->RunAll();
  run->RunFrom(0);
}

}  // namespace lapse::api::cosmos
