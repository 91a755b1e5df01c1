#include "engine/partition/index/index_follower.h"

#include <string>
#include <string_view>

#include "engine/partition/transaction/transaction.h"
#include "engine/records/ids/families.h"
#include "engine/records/index/index_entries.h"
#include "engine/records/index/index_key.h"

namespace lapse::engine {
namespace {

// Returns no entries if there is no item.
IndexEntries EntriesOf(const ItemImage& image, const IndexedPaths& paths) {
  if (image.head == nullptr) return {};
  return paths.MakeEntries(image.document, image.head->indexing);
}

// Makes the keys of one item's entries, reusing one buffer.
class KeyMaker {
 public:
  KeyMaker(IndexId index, ItemNumber item) : key_(IndexPrefix(index, PartitionOf(item))) {
    PutCreation(&creation_, item);
  }
  // Valid until the next call.
  std::string_view Make(std::string_view path_and_value) {
    key_.resize(kIndexPrefixBytes);
    key_.append(path_and_value).append(creation_);
    return key_;
  }

 private:
  std::string key_;
  std::string creation_;
};

// A replace keeps the item's number.
void FollowIn(const ContainerIndex& index, const ItemChange& change, Transaction* transaction) {
  const ItemNumber item = change.after.head != nullptr ? change.after.head->number : change.before.head->number;
  KeyMaker keys(index.id, item);
  ForEachDifference(
      EntriesOf(change.before, *index.paths), EntriesOf(change.after, *index.paths),
      [&](std::string_view entry) { transaction->Delete(kIndexFamily, keys.Make(entry)); },
      [&](std::string_view entry) { transaction->Put(kIndexFamily, keys.Make(entry), {}); });
}

bool NothingChanges(const ItemChange& change) {
  return change.kind == ItemChange::Kind::kReplace && change.before.document == change.after.document &&
         change.before.head->indexing == change.after.head->indexing;
}

}  // namespace

Status IndexFollower::Follow(const ItemChange& change, Transaction* transaction) const {
  const ContainerState& state = transaction->state();
  if (!state.keeps_entries() || NothingChanges(change)) return Status::Ok();
  if (state.index.has_value()) FollowIn(*state.index, change, transaction);
  if (state.index_in_making.has_value()) FollowIn(*state.index_in_making, change, transaction);
  return Status::Ok();
}

}  // namespace lapse::engine
