#include "store/rocks/pinned_tables.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/table.h>

#include <utility>

namespace lapse::store {
namespace {

std::unique_ptr<rocksdb::TableFactory> NewFactory(rocksdb::BlockBasedTableOptions options, bool pins) {
  if (pins) options.metadata_cache_options.unpartitioned_pinning = rocksdb::PinningTier::kAll;
  return std::unique_ptr<rocksdb::TableFactory>(rocksdb::NewBlockBasedTableFactory(options));
}

// Wraps two factories for the same files. Which one opens a table decides whether its index and filter are pinned.
class PinnedTables : public rocksdb::TableFactory {
 public:
  explicit PinnedTables(const rocksdb::BlockBasedTableOptions& options)
      : cache_(options.block_cache), pinning_(NewFactory(options, true)), others_(NewFactory(options, false)) {}

  const char* Name() const override { return "lapse.pinned_tables"; }
  const rocksdb::Customizable* Inner() const override { return others_.get(); }
  rocksdb::Status PrepareOptions(const rocksdb::ConfigOptions& config) override {
    rocksdb::Status status = pinning_->PrepareOptions(config);
    return status.ok() ? others_->PrepareOptions(config) : status;
  }
  rocksdb::Status ValidateOptions(const rocksdb::DBOptions& db,
                                  const rocksdb::ColumnFamilyOptions& family) const override {
    return others_->ValidateOptions(db, family);
  }

  using TableFactory::NewTableReader;
  rocksdb::Status NewTableReader(const rocksdb::ReadOptions& read, const rocksdb::TableReaderOptions& options,
                                 std::unique_ptr<rocksdb::RandomAccessFileReader>&& file, uint64_t file_bytes,
                                 std::unique_ptr<rocksdb::TableReader>* table, bool prefetch) const override {
    const bool has_room = cache_->GetPinnedUsage() < cache_->GetCapacity() / 2;
    return (has_room ? pinning_ : others_)->NewTableReader(read, options, std::move(file), file_bytes, table, prefetch);
  }
  rocksdb::TableBuilder* NewTableBuilder(const rocksdb::TableBuilderOptions& options,
                                         rocksdb::WritableFileWriter* file) const override {
    return others_->NewTableBuilder(options, file);
  }
  bool IsDeleteRangeSupported() const override { return others_->IsDeleteRangeSupported(); }

 private:
  const std::shared_ptr<rocksdb::Cache> cache_;
  const std::unique_ptr<rocksdb::TableFactory> pinning_;
  const std::unique_ptr<rocksdb::TableFactory> others_;
};

}  // namespace

std::shared_ptr<rocksdb::TableFactory> NewPinnedTables(const rocksdb::BlockBasedTableOptions& options) {
  return std::make_shared<PinnedTables>(options);
}

}  // namespace lapse::store
