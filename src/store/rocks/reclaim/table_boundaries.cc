#include "store/rocks/reclaim/table_boundaries.h"

#include <rocksdb/sst_partitioner.h>

#include <algorithm>
#include <cstdint>

namespace lapse::store {
namespace {

// A smaller table is not worth a file of its own, since there may be very many prefixes with few records each.
constexpr uint64_t kTableBytesMin = 8 << 20;

class Boundaries : public rocksdb::SstPartitioner {
 public:
  explicit Boundaries(size_t prefix_bytes) : prefix_bytes_(prefix_bytes) {}

  const char* Name() const override { return "lapse.boundaries"; }

  rocksdb::PartitionerResult ShouldPartition(const rocksdb::PartitionerRequest& request) override {
    if (request.current_output_file_size < kTableBytesMin) return rocksdb::kNotRequired;
    return Prefix(*request.prev_user_key) == Prefix(*request.current_user_key) ? rocksdb::kNotRequired
                                                                               : rocksdb::kRequired;
  }

  // Moving a table unchanged costs nothing, whatever it holds.
  bool CanDoTrivialMove(const rocksdb::Slice&, const rocksdb::Slice&) override { return true; }

 private:
  rocksdb::Slice Prefix(const rocksdb::Slice& key) const { return {key.data(), std::min(key.size(), prefix_bytes_)}; }

  const size_t prefix_bytes_;
};

class BoundariesFactory : public rocksdb::SstPartitionerFactory {
 public:
  explicit BoundariesFactory(size_t prefix_bytes) : prefix_bytes_(prefix_bytes) {}

  const char* Name() const override { return "lapse.boundaries"; }

  std::unique_ptr<rocksdb::SstPartitioner> CreatePartitioner(const rocksdb::SstPartitioner::Context&) const override {
    return std::make_unique<Boundaries>(prefix_bytes_);
  }

 private:
  const size_t prefix_bytes_;
};

}  // namespace

std::shared_ptr<rocksdb::SstPartitionerFactory> NewTableBoundaries(size_t prefix_bytes) {
  return std::make_shared<BoundariesFactory>(prefix_bytes);
}

}  // namespace lapse::store
