#include "engine/memory/known_lists.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/records/index/index_key.h"

namespace lapse::engine {

bool KnownListsMemory::Take(size_t bytes) {
  if (bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= bytes_max_) return true;
  GiveBack(bytes);
  return false;
}

KnownLists::~KnownLists() {
  for (const auto& [place, list] : lists_) memory_->GiveBack(BytesOf(list));
}

// Ignores the notes, which are few and bounded for each list.
size_t KnownLists::BytesOf(const List& list) {
  return list.items == nullptr ? 0 : list.items->size() * sizeof(ItemNumber);
}

KnownLists::Commit::Commit(KnownLists* lists, const Keys& for_each_put) : lists_(lists) {
  lists_->begun_.fetch_add(1);
  // Must follow the increment of `begun_`: then either a watch that begins meanwhile sees this commit, or this commit
  // sees the watch.
  if (!lists_->watches()) return;
  std::lock_guard lock(lists_->mutex_);
  for_each_put([&](std::string_view key) {
    IndexKeyParts parts;
    if (SplitIndexKey(key, &parts)) lists_->NotePut(key.substr(0, key.size() - kCreationBytes), parts.item);
  });
}

void KnownLists::NotePut(std::string_view place, ItemNumber item) {
  const auto found = lists_.find(place);
  if (found == lists_.end()) return;
  if (found->second.noted.size() >= kNotedMax) return Forget(found);
  found->second.noted.push_back(item);
}

std::shared_ptr<const KnownLists::Numbers> KnownLists::Find(std::string_view place, const Start& start) {
  if (!watches()) return nullptr;
  std::lock_guard lock(mutex_);
  const auto found = lists_.find(place);
  if (found == lists_.end()) return nullptr;
  List& list = found->second;
  if (list.items == nullptr || list.version > start.version) return nullptr;
  if (steady_->NowNs() >= list.until_ns) {
    Forget(found);
    return nullptr;
  }
  if (!list.noted.empty()) {
    // From here on the notes are part of the list.
    std::sort(list.noted.begin(), list.noted.end());
    Numbers all;
    all.reserve(list.items->size() + list.noted.size());
    std::set_union(list.items->begin(), list.items->end(), list.noted.begin(), list.noted.end(),
                   std::back_inserter(all));
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (!memory_->Take((all.size() - list.items->size()) * sizeof(ItemNumber))) {
      Forget(found);
      return nullptr;
    }
    list.items = std::make_shared<const Numbers>(std::move(all));
    list.noted.clear();
  }
  return list.items;
}

void KnownLists::Offer(std::string_view place, const Start& start, const Numbers& found) {
  if (!IsWorthAList(found.size())) return;
  std::lock_guard lock(mutex_);
  const auto known = lists_.find(place);
  if (known == lists_.end()) return Watch(place);
  List& list = known->second;
  // The page may have missed the puts of a commit that was in flight when the watch began.
  if (list.items != nullptr || start.ended < list.watched_since) return;
  if (!memory_->Take(found.size() * sizeof(ItemNumber))) {
    ForgetOld();
    return;
  }
  list.items = std::make_shared<const Numbers>(found);
  list.version = version_.fetch_add(1) + 1;
  list.until_ns = steady_->NowNs() + kKept_ns;
}

void KnownLists::Watch(std::string_view place) {
  if (lists_.size() >= kPlacesMax) ForgetOld();
  if (lists_.size() >= kPlacesMax) return;
  List& list = lists_[std::string(place)];
  watches_.store(lists_.size());
  // Must follow the count of watches: a commit that begins now notes its puts.
  list.watched_since = begun_.load();
  list.until_ns = steady_->NowNs() + kKept_ns;
}

void KnownLists::Forget(Lists::iterator list) {
  memory_->GiveBack(BytesOf(list->second));
  lists_.erase(list);
  watches_.store(lists_.size());
}

void KnownLists::ForgetOld() {
  const int64_t now_ns = steady_->NowNs();
  for (auto list = lists_.begin(); list != lists_.end();) {
    const auto next = std::next(list);
    if (now_ns >= list->second.until_ns) Forget(list);
    list = next;
  }
}

}  // namespace lapse::engine
