#include "engine/partition/commit/tally_follower.h"

#include "engine/partition/transaction/transaction.h"

namespace lapse::engine {
namespace {

Count CountOf(const ItemImage& image) {
  return image.head == nullptr ? Count{} : Count{1, image.head->document_bytes};
}

}  // namespace

Status TallyFollower::Follow(const ItemChange& change, Transaction* transaction) const {
  PartitionTally& tally = transaction->tally();
  tally.stored -= CountOf(change.before);
  tally.stored += CountOf(change.after);
  if (change.after.head != nullptr && change.after.head->indexing == IndexingDirective::kExclude) {
    tally.has_excluded = true;
  }
  // If a write meets an expired item before the sweeper does, the item is purged at no charge.
  if (change.kind == ItemChange::Kind::kExpiry) tally.purged.total += CountOf(change.before);
  return Status::Ok();
}

}  // namespace lapse::engine
