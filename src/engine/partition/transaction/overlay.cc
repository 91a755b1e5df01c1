#include "engine/partition/transaction/overlay.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace lapse::engine {
namespace {

// Many keys share a prefix. The eight bytes behind it decide nearly all comparisons, so they are compared as a number.
template <typename Entry>
std::vector<const Entry*> SortedByKey(const std::vector<const Entry*>& entries) {
  size_t alike = entries.empty() ? 0 : entries.front()->key.size();
  for (const Entry* entry : entries) {
    const std::string_view first = entries.front()->key.substr(0, alike);
    alike = static_cast<size_t>(std::mismatch(first.begin(), first.end(), entry->key.begin(), entry->key.end()).first -
                                first.begin());
  }
  using Place = std::pair<uint64_t, const Entry*>;
  std::vector<Place> places;
  places.reserve(entries.size());
  for (const Entry* entry : entries) {
    std::string next(entry->key.substr(alike, sizeof(uint64_t)));
    next.resize(sizeof(uint64_t));
    places.emplace_back(ByteReader(next).BigEndian<uint64_t>(), entry);
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.first != b.first ? a.first < b.first : a.second->key < b.second->key;
  });
  std::vector<const Entry*> sorted;
  sorted.reserve(places.size());
  for (const Place& place : places) sorted.push_back(place.second);
  return sorted;
}

}  // namespace

Overlay::Found Overlay::Find(store::FamilyId family, std::string_view key, std::string_view* value) const {
  if (family >= index_.size()) return Found::kUnknown;
  const auto found = index_[family].find(key);
  if (found == index_[family].end()) return Found::kUnknown;
  const Entry& entry = *found->second;
  switch (entry.kind) {
    case Kind::kUnknown: return Found::kUnknown;
    case Kind::kNotStored:
    case Kind::kDelete: return Found::kNothing;
    case Kind::kStored:
    case Kind::kPut: break;
  }
  *value = entry.value;
  return Found::kValue;
}

void Overlay::Put(store::FamilyId family, std::string_view key, std::string value) {
  Change(EntryFor(family, key), Kind::kPut, std::move(value));
}

void Overlay::Delete(store::FamilyId family, std::string_view key) {
  Change(EntryFor(family, key), Kind::kDelete, {});
}

void Overlay::Remember(store::FamilyId family, std::string_view key, std::optional<std::string> value) {
  Entry* entry = EntryFor(family, key);
  if (entry->kind != Kind::kUnknown) return;
  entry->kind = value.has_value() ? Kind::kStored : Kind::kNotStored;
  if (value.has_value()) entry->value = *std::move(value);
}

void Overlay::AddTo(store::Batch* batch, store::FamilyId sorted_family) const {
  auto add = [batch](const Entry& entry) {
    if (entry.kind == Kind::kPut) batch->Put(entry.family, entry.key, entry.value);
    if (entry.kind == Kind::kDelete) batch->Delete(entry.family, entry.key);
  };
  std::vector<const Entry*> last;
  for (const Entry& entry : entries_) {
    if (entry.family == sorted_family) {
      if (IsChange(entry.kind)) last.push_back(&entry);
    } else {
      add(entry);
    }
  }
  for (const Entry* entry : SortedByKey(last)) add(*entry);
}

void Overlay::ForEachPut(store::FamilyId family, const std::function<void(std::string_view key)>& take) const {
  if (family >= index_.size()) return;
  for (const auto& [key, entry] : index_[family]) {
    if (entry->kind == Kind::kPut) take(key);
  }
}

void Overlay::RollBackTo(Savepoint savepoint) {
  while (undo_.size() > savepoint) {
    Undo& undo = undo_.back();
    Account(*undo.entry, -1);
    undo.entry->kind = undo.kind;
    undo.entry->value = std::move(undo.value);
    Account(*undo.entry, 1);
    undo_.pop_back();
  }
}

Overlay::Entry* Overlay::EntryFor(store::FamilyId family, std::string_view key) {
  while (family >= index_.size()) index_.emplace_back(arena_.get());
  Index& index = index_[family];
  const auto found = index.find(key);
  if (found != index.end()) return found->second;
  entries_.push_back({family, Kept(key), Kind::kUnknown, {}});
  Entry* entry = &entries_.back();
  index.emplace(entry->key, entry);
  return entry;
}

std::string_view Overlay::Kept(std::string_view key) {
  char* kept = static_cast<char*>(arena_->allocate(key.size(), 1));
  key.copy(kept, key.size());
  return {kept, key.size()};
}

void Overlay::Change(Entry* entry, Kind kind, std::string value) {
  Account(*entry, -1);
  undo_.push_back({entry, entry->kind, std::exchange(entry->value, std::move(value))});
  entry->kind = kind;
  Account(*entry, 1);
}

void Overlay::Account(const Entry& entry, int sign) {
  if (!IsChange(entry.kind)) return;
  const size_t size = entry.key.size() + entry.value.size();
  changes_ = sign > 0 ? changes_ + 1 : changes_ - 1;
  bytes_ = sign > 0 ? bytes_ + size : bytes_ - size;
}

}  // namespace lapse::engine
