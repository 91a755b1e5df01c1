#include "store/rocks/all_but_last.h"

#include <rocksdb/slice_transform.h>

#include <string>

namespace lapse::store {
namespace {

class AllButLast : public rocksdb::SliceTransform {
 public:
  explicit AllButLast(size_t bytes) : bytes_(bytes), name_("lapse.AllButLast." + std::to_string(bytes)) {}

  const char* Name() const override { return name_.c_str(); }
  bool InDomain(const rocksdb::Slice& key) const override { return key.size() >= bytes_; }
  rocksdb::Slice Transform(const rocksdb::Slice& key) const override { return {key.data(), key.size() - bytes_}; }

 private:
  const size_t bytes_;
  const std::string name_;
};

}  // namespace

std::shared_ptr<const rocksdb::SliceTransform> NewAllButLast(size_t bytes) {
  return std::make_shared<AllButLast>(bytes);
}

}  // namespace lapse::store
