#include "store/mem/mem_shard.h"

#include <mutex>
#include <set>
#include <shared_mutex>
#include <utility>

#include "store/failed_iterator.h"
#include "store/mem/version_map.h"

namespace lapse::store {
namespace {

// State shared by a shard, its snapshots and its iterators.
struct State {
  std::vector<FamilyOptions> options;

  mutable std::shared_mutex mutex;
  // Guarded by mutex.
  std::vector<VersionMap> families;
  Sequence last_sequence = 0;
  std::multiset<Sequence> readers;  // sequences of live snapshots and iterators

  // Versions that a live reader might see are kept. Requires the mutex.
  Sequence OldestReader() const { return readers.empty() ? last_sequence : *readers.begin(); }
};

// Registers a reader for its lifetime.
// Owns: its part of the state.
class MemSnapshot : public Snapshot {
 public:
  explicit MemSnapshot(std::shared_ptr<State> state) : state_(std::move(state)) {
    std::unique_lock lock(state_->mutex);
    sequence_ = state_->last_sequence;
    state_->readers.insert(sequence_);
  }
  MemSnapshot(const MemSnapshot& other) : Snapshot(), state_(other.state_), sequence_(other.sequence_) {
    std::unique_lock lock(state_->mutex);
    state_->readers.insert(sequence_);
  }
  MemSnapshot& operator=(const MemSnapshot&) = delete;
  ~MemSnapshot() override {
    std::unique_lock lock(state_->mutex);
    state_->readers.erase(state_->readers.find(sequence_));
  }

  const State& state() const { return *state_; }
  Sequence sequence() const { return sequence_; }

 private:
  std::shared_ptr<State> state_;
  Sequence sequence_;
};

// Searches for each next key, so that writers need not track the positions of iterators.
class MemIterator : public Iterator {
 public:
  MemIterator(const MemSnapshot& snapshot, FamilyId family, const IterateOptions& options)
      : snapshot_(snapshot), family_(family), lower_(options.lower), upper_(options.upper) {}

  bool Valid() const override { return value_ != nullptr; }
  void SeekToFirst() override { Forward(lower_, true); }
  void SeekToLast() override {
    std::string_view upper = upper_;
    Backward(upper_.empty() ? nullptr : &upper, false);
  }
  void Seek(std::string_view key) override { Forward(key < lower_ ? std::string_view(lower_) : key, true); }
  void SeekForPrev(std::string_view key) override {
    if (!upper_.empty() && key >= upper_) return SeekToLast();
    Backward(&key, true);
  }
  void Next() override { Forward(key_, false); }
  void Prev() override {
    std::string_view key = key_;
    Backward(&key, false);
  }
  std::string_view key() const override { return key_; }
  std::string_view value() const override { return *value_; }
  Status status() const override { return Status::Ok(); }

 private:
  void Forward(std::string_view key, bool inclusive) {
    std::shared_lock lock(snapshot_.state().mutex);
    Take(snapshot_.state().families[family_].Forward(key, inclusive, upper_, snapshot_.sequence()));
  }
  void Backward(const std::string_view* key, bool inclusive) {
    std::shared_lock lock(snapshot_.state().mutex);
    Take(snapshot_.state().families[family_].Backward(key, inclusive, lower_, snapshot_.sequence()));
  }
  void Take(VersionMap::Found found) {
    if (found.key != nullptr) key_ = *found.key;
    value_ = std::move(found.value);
  }

  const MemSnapshot snapshot_;
  const FamilyId family_;
  std::string lower_, upper_;
  std::string key_;
  SharedValue value_;  // null: not valid
};

struct MemHolder : PinnedValue::Holder {
  explicit MemHolder(SharedValue held) : value(std::move(held)) {}
  SharedValue value;
};

class MemShard : public Shard {
 public:
  explicit MemShard(std::vector<FamilyOptions> options) : state_(std::make_shared<State>()) {
    state_->families.resize(options.size());
    state_->options = std::move(options);
  }

  Status Write(const Batch& batch, Durability, Room) override {
    for (const Batch::Operation& operation : batch.operations()) {
      LAPSE_RETURN_IF_ERROR(CheckFamily(operation.family));
      LAPSE_RETURN_IF_ERROR(CheckOperation(operation, state_->options[operation.family]));
    }
    std::unique_lock lock(state_->mutex);
    ++state_->last_sequence;
    const Sequence oldest_reader = state_->OldestReader();
    for (VersionMap& family : state_->families) family.TrimStale(oldest_reader);
    for (const Batch::Operation& operation : batch.operations()) Apply(operation, oldest_reader);
    return Status::Ok();
  }

  Status Writable() override { return Status::Ok(); }

  Status Get(FamilyId family, std::string_view key, PinnedValue* value, const ReadOptions& options) override {
    value->Set(nullptr, {});
    LAPSE_RETURN_IF_ERROR(CheckFamily(family));
    std::shared_lock lock(state_->mutex);
    return Find(family, key, value, options);
  }

  void MultiGet(FamilyId family, std::span<const std::string_view> keys, std::vector<PinnedValue>* values,
                std::vector<Status>* statuses, const ReadOptions& options) override {
    values->clear();
    values->resize(keys.size());
    statuses->assign(keys.size(), CheckFamily(family));
    if (keys.empty() || !statuses->front().ok()) return;
    std::shared_lock lock(state_->mutex);
    for (size_t i = 0; i < keys.size(); ++i) (*statuses)[i] = Find(family, keys[i], &(*values)[i], options);
  }

  std::unique_ptr<Snapshot> NewSnapshot() override { return std::make_unique<MemSnapshot>(state_); }

  std::unique_ptr<Iterator> NewIterator(FamilyId family, const IterateOptions& options) override {
    if (Status status = CheckFamily(family); !status.ok()) return NewFailedIterator(std::move(status));
    if (options.snapshot == nullptr) return std::make_unique<MemIterator>(MemSnapshot(state_), family, options);
    const auto& snapshot = static_cast<const MemSnapshot&>(*options.snapshot);
    return std::make_unique<MemIterator>(snapshot, family, options);
  }

  uint64_t ApproximateBytes(FamilyId family, std::string_view lower, std::string_view upper) override {
    IterateOptions options;
    options.lower = lower;
    options.upper = upper;
    uint64_t bytes = 0;
    const std::unique_ptr<Iterator> walk = NewIterator(family, options);
    for (walk->SeekToFirst(); walk->Valid(); walk->Next()) bytes += walk->key().size() + walk->value().size();
    return bytes;
  }

  Status Compact(FamilyId family, std::string_view begin, std::string_view end) override {
    LAPSE_RETURN_IF_ERROR(CheckFamily(family));
    const DropPredicate* drop = state_->options[family].drop;
    std::unique_lock lock(state_->mutex);
    state_->families[family].DropIf(
        begin, end, state_->OldestReader(),
        [&](std::string_view key, std::string_view value) { return drop != nullptr && drop->MayDrop(key, value); });
    return Status::Ok();
  }

  // Treats the whole family as one part.
  Result<Reclaimed> Reclaim(FamilyId family, const ReclaimShares& least) override {
    LAPSE_RETURN_IF_ERROR(CheckFamily(family));
    const DropPredicate* drop = state_->options[family].drop;
    if (drop == nullptr) return Reclaimed::kNothing;
    size_t bytes = 0;
    size_t droppable = 0;
    std::unique_ptr<Iterator> all = NewIterator(family, {});
    for (all->SeekToFirst(); all->Valid(); all->Next()) {
      const size_t record_bytes = all->key().size() + all->value().size();
      bytes += record_bytes;
      if (drop->MayDrop(all->key(), all->value())) droppable += record_bytes;
    }
    if (droppable == 0 || static_cast<double>(droppable) < least.droppable * static_cast<double>(bytes)) {
      return Reclaimed::kNothing;
    }
    LAPSE_RETURN_IF_ERROR(Compact(family, {}, {}));
    return Reclaimed::kSome;
  }

  Status DropFiles(FamilyId family, std::string_view, std::string_view) override { return CheckFamily(family); }
  Status Flush() override { return Status::Ok(); }
  void StopCompactions() override {}

  ShardStats Stats() override {
    std::shared_lock lock(state_->mutex);
    ShardStats stats;
    for (const VersionMap& family : state_->families) stats.memory_bytes += family.key_and_value_bytes();
    return stats;
  }

 private:
  Status CheckFamily(FamilyId family) const {
    if (family < state_->options.size()) return Status::Ok();
    return {Code::kInvalidArgument, "the shard has no family " + std::to_string(family)};
  }

  // Requires the mutex. `value` must be empty.
  Status Find(FamilyId family, std::string_view key, PinnedValue* value, const ReadOptions& options) const {
    const auto* snapshot = static_cast<const MemSnapshot*>(options.snapshot);
    const Sequence reader = snapshot == nullptr ? state_->last_sequence : snapshot->sequence();
    SharedValue found = state_->families[family].Get(key, reader);
    if (found == nullptr) return {Code::kNotFound, "no such key"};
    std::string_view view = *found;
    value->Set(std::make_unique<MemHolder>(std::move(found)), view);
    return Status::Ok();
  }

  void Apply(const Batch::Operation& operation, Sequence oldest_reader) {
    VersionMap& family = state_->families[operation.family];
    const Sequence sequence = state_->last_sequence;
    switch (operation.kind) {
      case Batch::Kind::kPut:
        family.Put(operation.key, std::make_shared<const std::string>(operation.value), sequence, oldest_reader);
        break;
      case Batch::Kind::kDelete: family.Put(operation.key, nullptr, sequence, oldest_reader); break;
      case Batch::Kind::kDeleteRange:
        family.DeleteRange(operation.key, operation.value, sequence, oldest_reader);
        break;
    }
  }

  const std::shared_ptr<State> state_;
};

}  // namespace

std::unique_ptr<Shard> NewMemShard(std::vector<FamilyOptions> families) {
  return std::make_unique<MemShard>(std::move(families));
}

}  // namespace lapse::store
