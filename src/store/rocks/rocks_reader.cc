#include "store/rocks/rocks_reader.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <typeinfo>
#include <utility>

#include "store/failed_iterator.h"
#include "store/rocks/rocks_database.h"
#include "store/rocks/rocks_iterators.h"
#include "store/rocks/status_map.h"

namespace lapse::store {
namespace {

struct RocksHolder final : PinnedValue::Holder {
  std::shared_ptr<rocksdb::Cache> cache;  // the slice may pin a block of this cache and outlive the shard
  rocksdb::PinnableSlice slice;
};

// Shared with its iterators, which may outlive it.
class RocksSnapshot : public Snapshot {
 public:
  explicit RocksSnapshot(rocksdb::DB* db)
      : snapshot_(db->GetSnapshot(), [db](const rocksdb::Snapshot* snapshot) { db->ReleaseSnapshot(snapshot); }) {}

  const std::shared_ptr<const rocksdb::Snapshot>& get() const { return snapshot_; }

 private:
  const std::shared_ptr<const rocksdb::Snapshot> snapshot_;
};

const RocksSnapshot* ToRocks(const Snapshot* snapshot) {
  return static_cast<const RocksSnapshot*>(snapshot);
}

// Returns the existing holder of `value`, emptied, or a new one.
RocksHolder* ReusableHolder(PinnedValue* value, const std::shared_ptr<rocksdb::Cache>& cache) {
  value->SetView({});
  RocksHolder* holder = nullptr;
  // Cheaper than a dynamic cast, and exact: the class is final.
  if (PinnedValue::Holder* held = value->holder(); held != nullptr && typeid(*held) == typeid(RocksHolder)) {
    holder = static_cast<RocksHolder*>(held);
    holder->slice.Reset();
  } else {
    auto made = std::make_unique<RocksHolder>();
    holder = made.get();
    value->Set(std::move(made), {});
  }
  if (holder->cache != cache) holder->cache = cache;
  return holder;
}

// Finishes a read of one key, whose value is in `holder`.
Status Finish(const rocksdb::Status& status, const RocksHolder& holder, PinnedValue* value) {
  if (status.IsNotFound()) return {Code::kNotFound, "no such key"};
  if (status.IsIncomplete()) return {Code::kWouldBlock, "the answer is not in memory"};
  LAPSE_RETURN_IF_ERROR(FromRocksRead(status));
  value->SetView({holder.slice.data(), holder.slice.size()});
  return Status::Ok();
}

}  // namespace

Status RocksReader::Get(FamilyId family, std::string_view key, PinnedValue* value, const ReadOptions& options) const {
  RocksHolder* holder = ReusableHolder(value, database_.cache());
  LAPSE_RETURN_IF_ERROR(database_.CheckFamily(family));
  const rocksdb::Status status = database_.db()->Get(Translate(options), database_.family(family), key, &holder->slice);
  return Finish(status, *holder, value);
}

void RocksReader::MultiGet(FamilyId family, std::span<const std::string_view> keys, std::vector<PinnedValue>* values,
                           std::vector<Status>* statuses, const ReadOptions& options) const {
  const size_t count = keys.size();
  values->resize(count);
  for (PinnedValue& value : *values) value.SetView({});
  statuses->assign(count, database_.CheckFamily(family));
  if (count == 0 || !statuses->front().ok()) return;
  // RocksDB 7.8 reads data blocks from the disk for many keys at once, whatever the read tier says. A few keys are
  // faster one by one: a MultiGet of one key takes 30 us more than a Get.
  constexpr size_t kFewKeys = 4;
  if (count <= kFewKeys || options.reach == Reach::kMemory) {
    for (size_t i = 0; i < count; ++i) (*statuses)[i] = Get(family, keys[i], &(*values)[i], options);
    return;
  }

  std::vector<rocksdb::Slice> asked(count);
  std::copy(keys.begin(), keys.end(), asked.begin());
  std::vector<rocksdb::PinnableSlice> found(count);
  std::vector<rocksdb::Status> outcomes(count);
  const bool ascending = std::is_sorted(keys.begin(), keys.end());
  database_.db()->MultiGet(Translate(options), database_.family(family), count, asked.data(), found.data(),
                           outcomes.data(), ascending);
  for (size_t i = 0; i < count; ++i) {
    PinnedValue& value = (*values)[i];
    RocksHolder* holder = ReusableHolder(&value, database_.cache());
    holder->slice = std::move(found[i]);
    (*statuses)[i] = Finish(outcomes[i], *holder, &value);
  }
}

std::unique_ptr<Snapshot> RocksReader::NewSnapshot() const {
  return std::make_unique<RocksSnapshot>(database_.db());
}

std::unique_ptr<Iterator> RocksReader::NewIterator(FamilyId family, const IterateOptions& options) const {
  if (Status status = database_.CheckFamily(family); !status.ok()) return NewFailedIterator(std::move(status));
  const RocksSnapshot* snapshot = ToRocks(options.snapshot);
  const FamilyPlace place{database_.family(family), database_.family_options(family).alike_but_last_bytes == 0};
  return database_.iterators().New(database_.db(), place, options, snapshot == nullptr ? nullptr : snapshot->get());
}

uint64_t RocksReader::ApproximateBytes(FamilyId family, std::string_view lower, std::string_view upper) const {
  // Sorts after every existing key.
  static const std::string kEnd(64, '\xff');
  if (!database_.CheckFamily(family).ok()) return 0;
  const rocksdb::Range range(lower, upper.empty() ? kEnd : upper);
  rocksdb::SizeApproximationOptions options;
  options.include_memtables = true;
  options.include_files = true;
  uint64_t bytes = 0;
  const rocksdb::Status status =
      database_.db()->GetApproximateSizes(options, database_.family(family), &range, 1, &bytes);
  return status.ok() ? bytes : 0;
}

rocksdb::ReadOptions RocksReader::Translate(const ReadOptions& options) const {
  rocksdb::ReadOptions read;
  if (options.snapshot != nullptr) read.snapshot = ToRocks(options.snapshot)->get().get();
  // In-memory tables need no disk, whether their blocks are cached or not.
  if (options.reach == Reach::kMemory && !database_.in_memory()) read.read_tier = rocksdb::kBlockCacheTier;
  read.fill_cache = options.fill_cache;
  return read;
}

}  // namespace lapse::store
