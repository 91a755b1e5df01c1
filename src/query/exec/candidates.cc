#include "query/exec/candidates.h"

#include <algorithm>
#include <bit>
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
using Numbers = std::vector<ItemNumber>;

// So many numbers are sorted by themselves.
constexpr size_t kFewNumbers = 64;
// An intersection is worth its entries when it can save more than a few documents, each of which costs about as much
// as this many entries.
constexpr size_t kFewItems = 16;
constexpr size_t kEntriesForItem = 8;
// Entries of so many bytes are read without asking whether there are fewer of another part.
constexpr uint64_t kFewBytes = 64 * 1024;
constexpr size_t kJudgedRangesMax = 8;
// About what an entry takes in a table, where keys share their beginnings.
constexpr uint64_t kEntryBytes = 8;

// Sorts and leaves out what is there twice. Numbers that lie close together are put in order by a bitmap.
void SortOut(Numbers* numbers) {
  if (numbers->size() < 2) return;
  const auto [least, greatest] = std::minmax_element(numbers->begin(), numbers->end());
  const ItemNumber first = *least;
  const uint64_t span = *greatest - first + 1;
  constexpr uint64_t kWordBits = 64;
  if (numbers->size() < kFewNumbers || span / kWordBits > numbers->size()) {
    std::sort(numbers->begin(), numbers->end());
    numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
    return;
  }
  std::vector<uint64_t> bits(span / kWordBits + 1);
  for (ItemNumber number : *numbers) bits[(number - first) / kWordBits] |= uint64_t{1} << (number - first) % kWordBits;
  numbers->clear();
  for (size_t word = 0; word < bits.size(); ++word) {
    for (uint64_t left = bits[word]; left != 0; left &= left - 1) {
      numbers->push_back(first + word * kWordBits + static_cast<uint64_t>(std::countr_zero(left)));
    }
  }
}

std::shared_ptr<const Numbers> Both(const Numbers& a, const Numbers& b) {
  auto both = std::make_shared<Numbers>();
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(*both));
  return both;
}

}  // namespace

// Numbers one after another, in any order and some of them twice.
class CandidateFinder::Stream {
 public:
  explicit Stream(MemoryPool* pool) : held_(pool) {}
  virtual ~Stream() = default;
  // Takes up to so many more.
  Status Read(size_t count) {
    read_ += count;
    LAPSE_RETURN_IF_ERROR(Take(count, &numbers_));
    return held_.GrowTo(numbers_.capacity() * sizeof(ItemNumber)) ? Status::Ok() : PoolInUse();
  }
  virtual bool ended() const = 0;
  // Whether TakeNumbers has all of them: at the end, or where they need not be read.
  virtual bool whole() const { return ended(); }
  // Whether every number is of an item that fulfils the condition.
  virtual bool exact() const { return true; }
  // How many were asked for: steps without an item are work, too.
  size_t read() const { return read_; }
  // All of them, where it is whole: ascending, each once.
  virtual std::shared_ptr<const Numbers> TakeNumbers() {
    SortOut(&numbers_);
    return std::make_shared<const Numbers>(std::move(numbers_));
  }
  // After that: what was taken for them.
  HeldMemory TakeHeld() { return std::move(held_); }

  virtual Status Take(size_t count, Numbers* numbers) = 0;

 private:
  Numbers numbers_;
  size_t read_ = 0;
  HeldMemory held_;
};

class CandidateFinder::EntryStream : public Stream {
 public:
  EntryStream(const engine::IndexReader* reader, const std::vector<engine::IndexRange>& ranges, MemoryPool* pool)
      : Stream(pool), reader_(reader), ranges_(ranges) {}

  bool ended() const override { return walk_ == nullptr && next_ == ranges_.size(); }
  std::shared_ptr<const Numbers> TakeNumbers() override {
    std::shared_ptr<const Numbers> numbers = Stream::TakeNumbers();
    if (ranges_.size() == 1) reader_->OfferItems(ranges_.front(), *numbers);
    return numbers;
  }
  Status Take(size_t count, Numbers* numbers) override {
    while (count > 0 && !ended()) {
      if (walk_ == nullptr) walk_ = reader_->Walk(ranges_[next_++]);
      for (; count > 0 && walk_->Valid(); walk_->Next(), --count) {
        if (walk_->item() != 0) numbers->push_back(walk_->item());
      }
      if (walk_->Valid()) continue;
      LAPSE_RETURN_IF_ERROR(walk_->status());
      walk_.reset();
      // A range without entries is work, too.
      if (count > 0) --count;
    }
    return Status::Ok();
  }

 private:
  const engine::IndexReader* const reader_;
  const std::vector<engine::IndexRange>& ranges_;
  size_t next_ = 0;
  std::unique_ptr<engine::EntryWalk> walk_;
};

// The members of a part of the partition. Only their number is asked for.
class CandidateFinder::MemberStream : public Stream {
 public:
  MemberStream(const engine::IndexReader& reader, const engine::KeyScope& scope)
      : Stream(nullptr), walk_(reader, scope) {}

  bool ended() const override { return !walk_.Valid(); }
  Status Take(size_t count, Numbers*) override {
    for (; count > 0 && walk_.Valid(); --count) walk_.Next();
    return walk_.status();
  }

 private:
  engine::MemberWalk walk_;
};

class CandidateFinder::JoinedStream : public Stream {
 public:
  JoinedStream(std::vector<std::unique_ptr<Stream>> parts, MemoryPool* pool) : Stream(pool), parts_(std::move(parts)) {}

  bool exact() const override {
    return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->exact(); });
  }
  bool ended() const override {
    return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->ended(); });
  }
  Status Take(size_t count, Numbers* numbers) override {
    const size_t until = numbers->size() + count;
    for (const auto& part : parts_) {
      while (!part->ended() && numbers->size() < until) {
        LAPSE_RETURN_IF_ERROR(part->Take(until - numbers->size(), numbers));
      }
    }
    return Status::Ok();
  }

 private:
  std::vector<std::unique_ptr<Stream>> parts_;
};

// What the partition has in memory. Some may have the value no more.
class CandidateFinder::ListedStream : public Stream {
 public:
  explicit ListedStream(std::shared_ptr<const Numbers> items) : Stream(nullptr), items_(std::move(items)) {}

  bool exact() const override { return false; }
  bool ended() const override { return given_; }
  bool whole() const override { return true; }
  Status Take(size_t, Numbers* numbers) override {
    numbers->insert(numbers->end(), items_->begin(), items_->end());
    given_ = true;
    return Status::Ok();
  }
  std::shared_ptr<const Numbers> TakeNumbers() override { return items_; }

 private:
  const std::shared_ptr<const Numbers> items_;
  bool given_ = false;
};

// What was found before.
class CandidateFinder::KnownStream : public Stream {
 public:
  KnownStream(Candidates known, MemoryPool* pool)
      : Stream(pool), exact_(known.exact), known_held_(std::move(known.held)), known_(std::move(known.items)) {}

  bool exact() const override { return exact_; }
  bool ended() const override { return next_ == known_.size(); }
  Status Take(size_t count, Numbers* numbers) override {
    count = std::min(count, known_.size() - next_);
    const auto from = known_.begin() + static_cast<ptrdiff_t>(next_);
    numbers->insert(numbers->end(), from, from + static_cast<ptrdiff_t>(count));
    next_ += count;
    return Status::Ok();
  }

 private:
  const bool exact_;
  const HeldMemory known_held_;
  const Numbers known_;
  size_t next_ = 0;
};

Result<std::optional<Candidates>> CandidateFinder::Find(const IndexCondition& condition) {
  LAPSE_ASSIGN_OR_RETURN(std::optional<Candidates> found, FindByIndex(condition));
  if (!found.has_value()) return found;
  found->exact &= condition.exact;
  if (!condition.finds_left_out) {
    LAPSE_ASSIGN_OR_RETURN(const std::optional<Numbers> left_out, FindLeftOut());
    if (!left_out.has_value()) return std::optional<Candidates>();
    if (!left_out->empty()) {
      found->items.insert(found->items.end(), left_out->begin(), left_out->end());
      SortOut(&found->items);
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
  EntryStream stream(reader_, at_root, pool_);
  while (!stream.ended()) {
    if (stream.read() > entries_max_) return std::optional<Numbers>();
    LAPSE_RETURN_IF_ERROR(Look());
    LAPSE_RETURN_IF_ERROR(stream.Read(turn_));
  }
  return std::optional<Numbers>(*stream.TakeNumbers());
}

std::vector<const IndexCondition*> CandidateFinder::SmallParts(const std::vector<IndexCondition>& parts) const {
  std::vector<uint64_t> bytes;
  std::optional<uint64_t> smallest;
  for (const IndexCondition& part : parts) {
    // One of another kind is not judged, and neither is a long list.
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
  LAPSE_RETURN_IF_ERROR(Look());
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
  std::vector<std::unique_ptr<Stream>> streams;
  bool all_known = true;
  if (condition.kind == IndexCondition::Kind::kAll) {
    const std::vector<const IndexCondition*> parts = SmallParts(condition.parts);
    all_known = parts.size() == condition.parts.size();
    for (const IndexCondition* const part : parts) {
      LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<Stream> stream, NewStream(*part));
      all_known &= stream != nullptr && stream->exact();
      if (stream != nullptr) streams.push_back(std::move(stream));
    }
  } else {
    LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<Stream> stream, NewStream(condition));
    all_known = stream != nullptr && stream->exact();
    if (stream != nullptr) streams.push_back(std::move(stream));
  }
  if (streams.empty()) return std::optional<Candidates>();
  const Stream* members = nullptr;
  if (only_ != nullptr) {
    streams.push_back(std::make_unique<MemberStream>(*reader_, *only_));
    members = streams.back().get();
  }
  LAPSE_ASSIGN_OR_RETURN(std::optional<Candidates> found, FindSmallest(std::move(streams), members));
  if (found.has_value()) found->exact &= all_known;
  return found;
}

// Where candidates are counted without a look at them, all must have the value: a list does not say that. A part of a
// partition may have far fewer members than a list has items.
std::shared_ptr<const Numbers> CandidateFinder::ListedItems(const IndexCondition& condition) const {
  if (only_counted_ || only_ != nullptr || condition.kind != IndexCondition::Kind::kEntries ||
      condition.ranges.size() != 1)
    return nullptr;
  return reader_->KnownItems(condition.ranges.front());
}

// Null: it has too many.
Result<std::unique_ptr<CandidateFinder::Stream>> CandidateFinder::NewStream(const IndexCondition& condition) {
  switch (condition.kind) {
    case IndexCondition::Kind::kEntries: {
      if (std::shared_ptr<const Numbers> listed = ListedItems(condition); listed != nullptr) {
        return std::unique_ptr<Stream>(std::make_unique<ListedStream>(std::move(listed)));
      }
      return std::unique_ptr<Stream>(std::make_unique<EntryStream>(reader_, condition.ranges, pool_));
    }
    case IndexCondition::Kind::kNumbers: {
      Candidates here;
      std::copy_if(condition.numbers.begin(), condition.numbers.end(), std::back_inserter(here.items),
                   [&](ItemNumber item) { return engine::PartitionOf(item) == reader_->partition().number(); });
      return std::unique_ptr<Stream>(std::make_unique<KnownStream>(std::move(here), pool_));
    }
    case IndexCondition::Kind::kAll: {
      // Within alternatives: it is found by itself.
      CandidateFinder finder(nullptr, reader_, {entries_max_, only_counted_}, watch_, pool_);
      LAPSE_ASSIGN_OR_RETURN(std::optional<Candidates> found, finder.FindByIndex(condition));
      if (!found.has_value()) return std::unique_ptr<Stream>();
      return std::unique_ptr<Stream>(std::make_unique<KnownStream>(std::move(*found), pool_));
    }
    case IndexCondition::Kind::kAny: break;
  }
  std::vector<std::unique_ptr<Stream>> parts;
  for (const IndexCondition& part : condition.parts) {
    LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<Stream> stream, NewStream(part));
    if (stream == nullptr) return stream;
    parts.push_back(std::move(stream));
  }
  return std::unique_ptr<Stream>(std::make_unique<JoinedStream>(std::move(parts), pool_));
}

Result<std::optional<Candidates>> CandidateFinder::FindSmallest(std::vector<std::unique_ptr<Stream>> streams,
                                                                const Stream* members) {
  const auto first_whole = [&] {
    return std::find_if(streams.begin(), streams.end(), [](const auto& stream) { return stream->whole(); });
  };
  for (size_t read = 0; first_whole() == streams.end(); read += turn_) {
    if (read > entries_max_ || IsLate()) return std::optional<Candidates>();
    LAPSE_RETURN_IF_ERROR(Look());
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
      LAPSE_RETURN_IF_ERROR(Look());
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
