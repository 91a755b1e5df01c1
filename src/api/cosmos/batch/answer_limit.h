// Limits the size of the response to an atomic batch while the batch can still be rolled back.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/catalog/containers/container.h"
#include "engine/records/items/item_write.h"

namespace lapse::api::cosmos {

constexpr size_t kBatchAnswerBytesMax = 4 * 1024 * 1024;

Status BatchAnswerTooLarge();

// Size of a result without its item.
constexpr size_t kAroundResult_bytes = 256;

// Threads: one at a time.
class AnswerLimit final : public engine::AtomicRules {
 public:
  // `shows`: for each operation, whether its result contains the item. The container must outlive it.
  AnswerLimit(const engine::Container* container, std::vector<bool> shows)
      : container_(container), shows_(std::move(shows)) {}

  Status AfterOperation(const std::vector<engine::ItemWrite>& operations,
                        const std::vector<engine::ItemWritten>& written) override;
  bool passed() const { return passed_; }

 private:
  size_t ExactBytes(const engine::ItemWrite& operation, const engine::ItemWritten& written) const;

  const engine::Container* const container_;
  const std::vector<bool> shows_;
  size_t counted_ = 0;      // operations whose exact size is known
  size_t exact_bytes_ = 0;  // of those
  size_t most_bytes_ = 0;   // upper bound for the others
  bool passed_ = false;
};

}  // namespace lapse::api::cosmos
