// Keeps unique keys unique: rejects a change that would give an item the values of another, and records which items may
// hold which values (docs/design/unique-keys.md).
#pragma once

#include <string_view>

#include "base/status.h"
#include "engine/partition/transaction/follower.h"

namespace lapse::engine {

class UniqueKeysFollower final : public Follower {
 public:
  bool WantsDocumentBefore(const ContainerState& state) const override { return !state.definition.unique_keys.empty(); }
  void Preload(const ContainerState& state, std::string_view head_key, std::string_view document,
               Transaction* transaction) const override;
  // Fails: kUniqueKeyTaken.
  Status Follow(const ItemChange& change, Transaction* transaction) const override;
};

}  // namespace lapse::engine
