// Records every change in the change log, if the container asks for it.
#pragma once

#include "engine/partition/transaction/follower.h"

namespace lapse::engine {

class LogFollower final : public Follower {
 public:
  bool WantsDocumentBefore(const ContainerState& state) const override { return state.keeps_changes(); }
  Status Follow(const ItemChange& change, Transaction* transaction) const override;
};

}  // namespace lapse::engine
