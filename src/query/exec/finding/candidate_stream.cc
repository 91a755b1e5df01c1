#include "query/exec/finding/candidate_stream.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "engine/partition/index/member_walk.h"
#include "query/functions/eval_context.h"

namespace lapse::query::exec {
namespace {

using engine::ItemNumber;
using Numbers = CandidateStream::Numbers;

// Up to this many numbers are sorted without a bitmap.
constexpr size_t kSortedMax = 64;

class EntryStream : public CandidateStream {
 public:
  EntryStream(const engine::IndexReader* reader, const std::vector<engine::IndexRange>& ranges, MemoryPool* pool)
      : CandidateStream(pool), reader_(reader), ranges_(ranges) {}

  bool ended() const override { return walk_ == nullptr && next_ == ranges_.size(); }
  std::shared_ptr<const Numbers> TakeNumbers() override {
    std::shared_ptr<const Numbers> numbers = CandidateStream::TakeNumbers();
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
      // A range without entries counts as work, too.
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

class MemberStream : public CandidateStream {
 public:
  MemberStream(const engine::IndexReader& reader, const engine::KeyScope& scope)
      : CandidateStream(nullptr), walk_(reader, scope) {}

  bool ended() const override { return !walk_.Valid(); }
  Status Take(size_t count, Numbers*) override {
    for (; count > 0 && walk_.Valid(); --count) walk_.Next();
    return walk_.status();
  }

 private:
  engine::MemberWalk walk_;
};

class JoinedStream : public CandidateStream {
 public:
  JoinedStream(std::vector<std::unique_ptr<CandidateStream>> parts, MemoryPool* pool)
      : CandidateStream(pool), parts_(std::move(parts)) {}

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
  std::vector<std::unique_ptr<CandidateStream>> parts_;
};

class ListedStream : public CandidateStream {
 public:
  explicit ListedStream(std::shared_ptr<const Numbers> items) : CandidateStream(nullptr), items_(std::move(items)) {}

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

class NumberStream : public CandidateStream {
 public:
  NumberStream(Numbers known, bool exact, HeldMemory held, MemoryPool* pool)
      : CandidateStream(pool), exact_(exact), known_held_(std::move(held)), known_(std::move(known)) {}

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

}  // namespace

// Sorts numbers that lie close together with a bitmap.
void SortNumbers(Numbers* numbers) {
  if (numbers->size() < 2) return;
  const auto [least, greatest] = std::minmax_element(numbers->begin(), numbers->end());
  const ItemNumber first = *least;
  const uint64_t span = *greatest - first + 1;
  constexpr uint64_t kWordBits = 64;
  if (numbers->size() < kSortedMax || span / kWordBits > numbers->size()) {
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

Status CandidateStream::Read(size_t count) {
  read_ += count;
  LAPSE_RETURN_IF_ERROR(Take(count, &numbers_));
  return held_.GrowTo(numbers_.capacity() * sizeof(ItemNumber)) ? Status::Ok() : PoolInUse();
}

std::shared_ptr<const Numbers> CandidateStream::TakeNumbers() {
  SortNumbers(&numbers_);
  return std::make_shared<const Numbers>(std::move(numbers_));
}

std::unique_ptr<CandidateStream> StreamOfEntries(const engine::IndexReader* reader,
                                                 const std::vector<engine::IndexRange>& ranges, MemoryPool* pool) {
  return std::make_unique<EntryStream>(reader, ranges, pool);
}

std::unique_ptr<CandidateStream> StreamOfList(std::shared_ptr<const Numbers> numbers) {
  return std::make_unique<ListedStream>(std::move(numbers));
}

std::unique_ptr<CandidateStream> StreamOfMembers(const engine::IndexReader& reader, const engine::KeyScope& scope) {
  return std::make_unique<MemberStream>(reader, scope);
}

std::unique_ptr<CandidateStream> StreamOfNumbers(Numbers numbers, bool exact, HeldMemory held, MemoryPool* pool) {
  return std::make_unique<NumberStream>(std::move(numbers), exact, std::move(held), pool);
}

std::unique_ptr<CandidateStream> JoinStreams(std::vector<std::unique_ptr<CandidateStream>> parts, MemoryPool* pool) {
  return std::make_unique<JoinedStream>(std::move(parts), pool);
}

}  // namespace lapse::query::exec
