#include "query/exec/finding/candidates.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "engine/shard/partitions/partition.h"
#include "query/functions/eval_context.h"

namespace lapse::query::exec {
namespace {

using engine::ItemNumber;
using Numbers = CandidateStream::Numbers;

// An intersection pays for its entries if it can save more than a few documents. Reading a document costs about as much
// as this many entries.
constexpr size_t kFewItems = 16;
constexpr size_t kEntriesForItem = 8;
// Up to this many bytes of entries are read without checking whether another part has fewer.
constexpr uint64_t kFewBytes = 64 * 1024;
constexpr size_t kJudgedRangesMax = 8;
// Approximate size of an entry in a table, where keys share prefixes.
constexpr uint64_t kEntryBytes = 8;

std::shared_ptr<const Numbers> Both(const Numbers& a, const Numbers& b) {
  auto both = std::make_shared<Numbers>();
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(*both));
  return both;
}

}  // namespace

Result<std::optional<Candidates>> CandidateFinder::Find(const IndexCondition& condition) {
  LAPSE_ASSIGN_OR_RETURN(std::optional<Candidates> found, FindByIndex(condition));
  if (!found.has_value()) return found;
  found->exact &= condition.exact;
  if (!condition.finds_left_out) {
    LAPSE_ASSIGN_OR_RETURN(const std::optional<Numbers> left_out, FindLeftOut());
    if (!left_out.has_value()) return std::optional<Candidates>();
    if (!left_out->empty()) {
      found->items.insert(found->items.end(), left_out->begin(), left_out->end());
      SortNumbers(&found->items);
      if (!found->held.GrowTo(found->items.capacity() * sizeof(ItemNumber))) return PoolInUse();
      found->exact = false;
    }
  }
  LAPSE_RETURN_IF_ERROR(KeepInScope(&*found));
  return found;
}

Status CandidateFinder::KeepInScope(Candidates* found) {
  if (only_ == nullptr) return Status::Ok();
  if (only_->exact.has_value()) return engine::KeepMembers(*reader_, *only_->exact, &found->items);
  LAPSE_ASSIGN_OR_RETURN(found->keyed, engine::FindInScope(reader_, *only_, found->items));
  found->items.clear();
  for (const engine::KeyedItem& one : found->keyed) found->items.push_back(one.item);
  return Status::Ok();
}

Result<std::optional<Numbers>> CandidateFinder::FindLeftOut() {
  LAPSE_ASSIGN_OR_RETURN(const bool may_be, reader_->MayLeaveOut());
  if (!may_be) return std::optional<Numbers>(std::in_place);
  const std::vector<engine::IndexRange> at_root(1);
  const std::unique_ptr<CandidateStream> stream = StreamOfEntries(reader_, at_root, pool_);
  while (!stream->ended()) {
    if (stream->read() > entries_max_) return std::optional<Numbers>();
    LAPSE_RETURN_IF_ERROR(watch_.Look());
    LAPSE_RETURN_IF_ERROR(stream->Read(turn_));
  }
  return std::optional<Numbers>(*stream->TakeNumbers());
}

std::vector<const IndexCondition*> CandidateFinder::SmallParts(const std::vector<IndexCondition>& parts) const {
  std::vector<uint64_t> bytes;
  std::optional<uint64_t> smallest;
  for (const IndexCondition& part : parts) {
    // Parts of other kinds are not estimated, and neither are long lists of ranges.
    const bool is_judged = part.kind == IndexCondition::Kind::kEntries && part.ranges.size() <= kJudgedRangesMax;
    uint64_t of_part = 0;
    if (is_judged) {
      if (const std::shared_ptr<const Numbers> listed = ListedItems(part); listed != nullptr) {
        of_part = listed->size() * kEntryBytes;
      } else {
        for (const engine::IndexRange& range : part.ranges) of_part += reader_->ApproximateBytes(range);
      }
      smallest = std::min(smallest.value_or(of_part), of_part);
    }
    bytes.push_back(of_part);
  }
  const uint64_t many = std::max(kFewBytes, smallest.value_or(0) * kEntriesForItem);
  std::vector<const IndexCondition*> small;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (bytes[i] <= many) small.push_back(&parts[i]);
  }
  return small;
}

Result<std::optional<Candidates>> CandidateFinder::FindFew(const IndexCondition& condition) {
  std::optional<Candidates> found;
  if (only_ != nullptr || condition.kind != IndexCondition::Kind::kEntries || condition.ranges.size() != 1)
    return found;
  LAPSE_RETURN_IF_ERROR(watch_.Look());
  Numbers items;
  LAPSE_ASSIGN_OR_RETURN(const bool is_all, reader_->FindFew(condition.ranges.front(), turn_, &items));
  if (!is_all) return found;
  found.emplace();
  found->held = HeldMemory(pool_);
  if (!found->held.GrowTo(items.capacity() * sizeof(ItemNumber))) return PoolInUse();
  found->items = std::move(items);
  found->exact = true;
  return found;
}

Result<std::optional<Candidates>> CandidateFinder::FindByIndex(const IndexCondition& condition) {
  LAPSE_ASSIGN_OR_RETURN(std::optional<Candidates> few, FindFew(condition));
  if (few.has_value()) return few;
  std::vector<std::unique_ptr<CandidateStream>> streams;
  bool all_known = true;
  if (condition.kind == IndexCondition::Kind::kAll) {
    const std::vector<const IndexCondition*> parts = SmallParts(condition.parts);
    all_known = parts.size() == condition.parts.size();
    for (const IndexCondition* const part : parts) {
      LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<CandidateStream> stream, NewStream(*part));
      all_known &= stream != nullptr && stream->exact();
      if (stream != nullptr) streams.push_back(std::move(stream));
    }
  } else {
    LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<CandidateStream> stream, NewStream(condition));
    all_known = stream != nullptr && stream->exact();
    if (stream != nullptr) streams.push_back(std::move(stream));
  }
  if (streams.empty()) return std::optional<Candidates>();
  const CandidateStream* members = nullptr;
  if (only_ != nullptr) {
    streams.push_back(StreamOfMembers(*reader_, *only_));
    members = streams.back().get();
  }
  LAPSE_ASSIGN_OR_RETURN(std::optional<Candidates> found, FindSmallest(std::move(streams), members));
  if (found.has_value()) found->exact &= all_known;
  return found;
}

// If candidates are counted without being read, all must have the value, and a list does not guarantee that. A part of
// a partition may have far fewer members than a list has items.
std::shared_ptr<const Numbers> CandidateFinder::ListedItems(const IndexCondition& condition) const {
  if (only_counted_ || only_ != nullptr || condition.kind != IndexCondition::Kind::kEntries ||
      condition.ranges.size() != 1)
    return nullptr;
  return reader_->KnownItems(condition.ranges.front());
}

// Returns null if the condition has too many entries.
Result<std::unique_ptr<CandidateStream>> CandidateFinder::NewStream(const IndexCondition& condition) {
  switch (condition.kind) {
    case IndexCondition::Kind::kEntries: {
      if (std::shared_ptr<const Numbers> listed = ListedItems(condition); listed != nullptr) {
        return StreamOfList(std::move(listed));
      }
      return StreamOfEntries(reader_, condition.ranges, pool_);
    }
    case IndexCondition::Kind::kNumbers: {
      Numbers here;
      std::copy_if(condition.numbers.begin(), condition.numbers.end(), std::back_inserter(here),
                   [&](ItemNumber item) { return engine::PartitionOf(item) == reader_->partition().number(); });
      return StreamOfNumbers(std::move(here), false, HeldMemory(), pool_);
    }
    case IndexCondition::Kind::kAll: {
      // Within alternatives an intersection is found on its own.
      CandidateFinder finder(nullptr, reader_, {entries_max_, only_counted_}, watch_, pool_);
      LAPSE_ASSIGN_OR_RETURN(std::optional<Candidates> found, finder.FindByIndex(condition));
      if (!found.has_value()) return std::unique_ptr<CandidateStream>();
      return StreamOfNumbers(std::move(found->items), found->exact, std::move(found->held), pool_);
    }
    case IndexCondition::Kind::kAny: break;
  }
  std::vector<std::unique_ptr<CandidateStream>> parts;
  for (const IndexCondition& part : condition.parts) {
    LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<CandidateStream> stream, NewStream(part));
    if (stream == nullptr) return stream;
    parts.push_back(std::move(stream));
  }
  return JoinStreams(std::move(parts), pool_);
}

Result<std::optional<Candidates>> CandidateFinder::FindSmallest(std::vector<std::unique_ptr<CandidateStream>> streams,
                                                                const CandidateStream* members) {
  const auto first_whole = [&] {
    return std::find_if(streams.begin(), streams.end(), [](const auto& stream) { return stream->whole(); });
  };
  for (size_t read = 0; first_whole() == streams.end(); read += turn_) {
    if (read > entries_max_ || watch_.HalfIsUp()) return std::optional<Candidates>();
    LAPSE_RETURN_IF_ERROR(watch_.Look());
    for (const auto& stream : streams) {
      LAPSE_RETURN_IF_ERROR(stream->Read(turn_));
      if (stream->ended()) break;
    }
  }
  const auto smallest = first_whole();
  if (smallest->get() == members) return std::optional<Candidates>();
  std::optional<Candidates> found(std::in_place);
  std::shared_ptr<const Numbers> items = (*smallest)->TakeNumbers();
  found->held = (*smallest)->TakeHeld();
  found->exact = true;
  for (auto stream = streams.begin(); stream != streams.end(); ++stream) {
    if (stream == smallest || stream->get() == members) continue;
    const size_t worth = items->size() <= kFewItems ? 0 : items->size() * kEntriesForItem;
    while (!(*stream)->whole() && (*stream)->read() < worth) {
      LAPSE_RETURN_IF_ERROR(watch_.Look());
      LAPSE_RETURN_IF_ERROR((*stream)->Read(turn_));
    }
    if ((*stream)->whole()) {
      items = Both(*items, *(*stream)->TakeNumbers());
    } else {
      found->exact = false;
    }
  }
  found->items = *items;
  if (!found->held.GrowTo(found->items.capacity() * sizeof(ItemNumber))) return PoolInUse();
  return found;
}

}  // namespace lapse::query::exec
