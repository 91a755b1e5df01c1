#include "store/rocks/reclaim/drop_filter.h"

#include <rocksdb/compaction_filter.h>
#include <rocksdb/slice.h>

namespace lapse::store {
namespace {

// Answers only keep or remove. Above the bottom level RocksDB turns a removed record into a tombstone, so that no older
// version of its key reappears. The interface's other answers do not promise that.
class DropFilter : public rocksdb::CompactionFilter {
 public:
  explicit DropFilter(const DropPredicate* drop) : drop_(drop) {}

  const char* Name() const override { return "lapse.drop"; }

  bool Filter(int, const rocksdb::Slice& key, const rocksdb::Slice& value, std::string*,
              bool*) const noexcept override {
    return drop_->MayDrop({key.data(), key.size()}, {value.data(), value.size()});
  }

 private:
  const DropPredicate* const drop_;
};

class DropFilterFactory : public rocksdb::CompactionFilterFactory {
 public:
  explicit DropFilterFactory(const DropPredicate* drop) : drop_(drop) {}

  const char* Name() const override { return "lapse.drop_factory"; }

  // Not at recovery, because what the predicate needs to know has not been loaded yet.
  bool ShouldFilterTableFileCreation(rocksdb::TableFileCreationReason reason) const override {
    return reason == rocksdb::TableFileCreationReason::kCompaction ||
           reason == rocksdb::TableFileCreationReason::kFlush;
  }

  std::unique_ptr<rocksdb::CompactionFilter> CreateCompactionFilter(
      const rocksdb::CompactionFilter::Context&) override {
    return std::make_unique<DropFilter>(drop_);
  }

 private:
  const DropPredicate* const drop_;
};

}  // namespace

std::shared_ptr<rocksdb::CompactionFilterFactory> NewDropFilterFactory(const DropPredicate* drop) {
  return std::make_shared<DropFilterFactory>(drop);
}

}  // namespace lapse::store
