#include "store/faulty/faulty_shard.h"

#include <cassert>
#include <string>
#include <utility>

#include "store/failed_iterator.h"
#include "store/mem/mem_shard.h"

namespace lapse::store {
namespace {

// Memory cannot fail, and the families are the same everywhere.
void MustWrite(Shard* shard, const Batch& batch) {
  [[maybe_unused]] const Status status = shard->Write(batch, Durability::kSync);
  assert(status.ok());
}

void CopyAll(Shard* from, size_t families, Shard* to) {
  Batch batch;
  for (FamilyId family = 0; family < families; ++family) {
    const auto walk = from->NewIterator(family, {});
    for (walk->SeekToFirst(); walk->Valid(); walk->Next()) batch.Put(family, walk->key(), walk->value());
  }
  MustWrite(to, batch);
}

}  // namespace

FaultyShard::FaultyShard(FaultyOptions options, std::vector<FamilyOptions> families)
    : options_(std::move(options)),
      families_(std::move(families)),
      live_(NewMemShard(families_)),
      durable_(NewMemShard(families_)),
      random_(options_.seed) {}

void FaultyShard::set_faults(bool on) {
  std::lock_guard lock(mutex_);
  faults_ = on;
}

void FaultyShard::set_full(bool full) {
  std::lock_guard lock(mutex_);
  full_ = full;
}

std::unique_ptr<FaultyShard> FaultyShard::Crash(uint64_t seed) const {
  FaultyOptions options = options_;
  options.seed = seed;
  auto survivor = std::make_unique<FaultyShard>(std::move(options), families_);
  std::lock_guard lock(mutex_);
  survivor->faults_ = faults_;
  std::mt19937_64 random(seed);
  const size_t kept = std::uniform_int_distribution<size_t>(0, unsynced_.size())(random);
  for (Shard* shard : {survivor->live_.get(), survivor->durable_.get()}) {
    CopyAll(durable_.get(), families_.size(), shard);
    for (size_t i = 0; i < kept; ++i) MustWrite(shard, unsynced_[i]);
  }
  return survivor;
}

Status FaultyShard::Write(const Batch& batch, Durability durability, Room room) {
  Called("Write");
  std::lock_guard lock(mutex_);
  if (full_ && room == Room::kOrdinary) return {Code::kNoSpace, "the disk is nearly full"};
  const WriteFault fault = DrawWriteFault();
  if (fault == WriteFault::kBefore) return {Code::kUnavailable, "injected before the write"};
  // A write with an unknown outcome may or may not be on disk.
  LAPSE_RETURN_IF_ERROR(Apply(batch, fault == WriteFault::kAfter ? Durability::kRelaxed : durability, room));
  if (fault == WriteFault::kAfter) return {Code::kUnknownOutcome, "injected after the write"};
  return Status::Ok();
}

Status FaultyShard::Writable() {
  Called("Writable");
  std::lock_guard lock(mutex_);
  if (full_) return {Code::kNoSpace, "the disk is nearly full"};
  return live_->Writable();
}

Status FaultyShard::Get(FamilyId family, std::string_view key, PinnedValue* value, const ReadOptions& options) {
  Called("Get");
  if (Status fault = DrawReadFault(options.reach); !fault.ok()) {
    value->Set(nullptr, {});
    return fault;
  }
  return live_->Get(family, key, value, options);
}

void FaultyShard::MultiGet(FamilyId family, std::span<const std::string_view> keys, std::vector<PinnedValue>* values,
                           std::vector<Status>* statuses, const ReadOptions& options) {
  Called("MultiGet");
  live_->MultiGet(family, keys, values, statuses, options);
  for (size_t i = 0; i < keys.size(); ++i) {
    Status fault = DrawReadFault(options.reach);
    if (fault.ok()) continue;
    (*values)[i].Set(nullptr, {});
    (*statuses)[i] = std::move(fault);
  }
}

std::unique_ptr<Snapshot> FaultyShard::NewSnapshot() {
  Called("NewSnapshot");
  return live_->NewSnapshot();
}

std::unique_ptr<Iterator> FaultyShard::NewIterator(FamilyId family, const IterateOptions& options) {
  Called("NewIterator");
  if (Status fault = DrawReadFault(Reach::kDisk); !fault.ok()) return NewFailedIterator(std::move(fault));
  return live_->NewIterator(family, options);
}

uint64_t FaultyShard::ApproximateBytes(FamilyId family, std::string_view lower, std::string_view upper) {
  Called("ApproximateBytes");
  return live_->ApproximateBytes(family, lower, upper);
}

Status FaultyShard::Compact(FamilyId family, std::string_view begin, std::string_view end) {
  Called("Compact");
  std::lock_guard lock(mutex_);
  LAPSE_RETURN_IF_ERROR(durable_->Compact(family, begin, end));
  return live_->Compact(family, begin, end);
}

Result<Reclaimed> FaultyShard::Reclaim(FamilyId family, const ReclaimShares& least) {
  Called("Reclaim");
  std::lock_guard lock(mutex_);
  LAPSE_RETURN_IF_ERROR(durable_->Reclaim(family, least).status());
  return live_->Reclaim(family, least);
}

Status FaultyShard::DropFiles(FamilyId family, std::string_view begin, std::string_view end) {
  Called("DropFiles");
  std::lock_guard lock(mutex_);
  LAPSE_RETURN_IF_ERROR(durable_->DropFiles(family, begin, end));
  return live_->DropFiles(family, begin, end);
}

Status FaultyShard::Flush() {
  Called("Flush");
  return live_->Flush();
}

void FaultyShard::StopCompactions() {}

ShardStats FaultyShard::Stats() {
  Called("Stats");
  return live_->Stats();
}

void FaultyShard::Called(std::string_view call) const {
  if (options_.on_call) options_.on_call(call);
}

FaultyShard::WriteFault FaultyShard::DrawWriteFault() {
  if (Draw(options_.fail_before_per_mille)) return WriteFault::kBefore;
  return Draw(options_.fail_after_per_mille) ? WriteFault::kAfter : WriteFault::kNone;
}

Status FaultyShard::DrawReadFault(Reach reach) {
  std::lock_guard lock(mutex_);
  if (Draw(options_.read_fail_per_mille)) return {Code::kUnavailable, "injected into the read"};
  if (reach == Reach::kMemory && Draw(options_.would_block_per_mille)) {
    return {Code::kWouldBlock, "injected: not in memory"};
  }
  return Status::Ok();
}

bool FaultyShard::Draw(uint32_t per_mille) {
  return faults_ && std::uniform_int_distribution<uint32_t>(0, 999)(random_) < per_mille;
}

Status FaultyShard::Apply(const Batch& batch, Durability durability, Room room) {
  LAPSE_RETURN_IF_ERROR(live_->Write(batch, durability, room));
  unsynced_.push_back(batch);
  if (durability == Durability::kRelaxed) return Status::Ok();
  for (const Batch& unsynced : unsynced_) MustWrite(durable_.get(), unsynced);
  unsynced_.clear();
  return Status::Ok();
}

}  // namespace lapse::store
