// Maintains index entries: every item has exactly those of its document (docs/design/index.md).
#pragma once

#include "base/status.h"
#include "engine/partition/transaction/follower.h"

namespace lapse::engine {

class IndexFollower final : public Follower {
 public:
  bool WantsDocumentBefore(const ContainerState& state) const override { return state.keeps_entries(); }
  // Leaves unchanged entries untouched.
  Status Follow(const ItemChange& change, Transaction* transaction) const override;
};

}  // namespace lapse::engine
