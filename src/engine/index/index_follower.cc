#include "engine/index/index_follower.h"

#include <string>
#include <string_view>

#include "engine/commit/transaction.h"
#include "engine/families.h"
#include "engine/index/index_entries.h"
#include "engine/index/index_key.h"
#include "engine/index/known_lists.h"

namespace lapse::engine {
namespace {

// None where there is no item.
IndexEntries EntriesOf(const ItemImage& image, const IndexedPaths& paths) {
  if (image.head == nullptr) return {};
  return paths.MakeEntries(image.document, image.head->indexing);
}

// The keys of one item's entries, one after another in the same buffer.
class KeyMaker {
 public:
  KeyMaker(IndexId index, ItemNumber item) : key_(IndexPrefix(index, PartitionOf(item))) {
    PutCreation(&creation_, item);
  }
  // Valid until the next one.
  std::string_view Make(std::string_view path_and_value) {
    key_.resize(kIndexPrefixBytes);
    key_.append(path_and_value).append(creation_);
    return key_;
  }

 private:
  std::string key_;
  std::string creation_;
};

// A replace keeps the number of its item.
void FollowIn(const ContainerIndex& index, const ItemChange& change, Transaction* transaction) {
  const ItemNumber item = change.after.head != nullptr ? change.after.head->number : change.before.head->number;
  KeyMaker keys(index.id, item);
  KnownLists* known = transaction->known_lists();
  if (known != nullptr && !known->watches()) known = nullptr;
  ForEachDifference(
      EntriesOf(change.before, *index.paths), EntriesOf(change.after, *index.paths),
      [&](std::string_view entry) { transaction->Delete(kIndexFamily, keys.Make(entry)); },
      [&](std::string_view entry) {
        const std::string_view key = keys.Make(entry);
        if (known != nullptr) known->NotePut(key.substr(0, key.size() - kCreationBytes), item);
        transaction->Put(kIndexFamily, key, {});
      });
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
