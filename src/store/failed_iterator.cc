#include "store/failed_iterator.h"

#include <utility>

namespace lapse::store {
namespace {

class FailedIterator : public Iterator {
 public:
  explicit FailedIterator(Status status) : status_(std::move(status)) {}
  bool Valid() const override { return false; }
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void Seek(std::string_view) override {}
  void SeekForPrev(std::string_view) override {}
  void Next() override {}
  void Prev() override {}
  std::string_view key() const override { return {}; }
  std::string_view value() const override { return {}; }
  Status status() const override { return status_; }

 private:
  Status status_;
};

}  // namespace

std::unique_ptr<Iterator> NewFailedIterator(Status status) {
  return std::make_unique<FailedIterator>(std::move(status));
}

}  // namespace lapse::store
