#include "store/shard.h"

#include <utility>

namespace lapse::store {

Status CheckOperation(const Batch::Operation& operation, const FamilyOptions& family) {
  if (operation.kind != Batch::Kind::kDeleteRange || family.alike_but_last_bytes == 0) return Status::Ok();
  return {Code::kInvalidArgument, "ranges of the family " + family.name + " are not deleted"};
}

PinnedValue::PinnedValue() = default;
PinnedValue::~PinnedValue() = default;

PinnedValue::PinnedValue(PinnedValue&& other) noexcept
    : holder_(std::move(other.holder_)), view_(std::exchange(other.view_, {})) {}

PinnedValue& PinnedValue::operator=(PinnedValue&& other) noexcept {
  holder_ = std::move(other.holder_);
  view_ = std::exchange(other.view_, {});
  return *this;
}

void PinnedValue::Set(std::unique_ptr<Holder> holder, std::string_view view) {
  holder_ = std::move(holder);
  view_ = view;
}

}  // namespace lapse::store
