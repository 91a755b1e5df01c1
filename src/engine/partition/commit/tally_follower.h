// Counts the items of a partition and the bytes of their documents.
#pragma once

#include "engine/partition/transaction/follower.h"

namespace lapse::engine {

class TallyFollower final : public Follower {
 public:
  Status Follow(const ItemChange& change, Transaction* transaction) const override;
};

}  // namespace lapse::engine
