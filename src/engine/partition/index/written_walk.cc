#include "engine/partition/index/written_walk.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/index/index_key.h"
#include "engine/records/index/index_value.h"
#include "engine/records/items/item_records.h"

namespace lapse::engine {
namespace {

constexpr int64_t kFirst_s = std::numeric_limits<int64_t>::min();
constexpr int64_t kLast_s = std::numeric_limits<int64_t>::max();
// Every second that an item can have is exact as a double and far from these bounds.
constexpr double kSecondsMax = 9007199254740992.0;  // 2^53

constexpr char kNumberKind = static_cast<char>(IndexValue::Kind::kNumber);
constexpr size_t kDoubleBytes = 8;

std::string BytesOfSecond(int64_t second) {
  IndexValue value;
  value.kind = IndexValue::Kind::kNumber;
  value.number = static_cast<double>(second);
  std::string bytes;
  PutIndexValue(&bytes, value);
  return bytes;
}

// Returns the double at the front of a bound. The bound may be truncated; `fill` replaces the missing bytes.
double NumberIn(std::string_view bound, char fill) {
  std::string bytes(1, kNumberKind);
  bytes.append(bound.substr(1, kDoubleBytes));
  bytes.resize(1 + kDoubleBytes, fill);
  bytes.append(2, '\0');
  IndexValue value;
  std::string_view rest = bytes;
  return TakeIndexValue(&rest, &value) ? value.number : std::numeric_limits<double>::quiet_NaN();
}

// Returns a second such that no entry at or behind the bound is earlier.
int64_t FirstSecondOf(std::string_view lower) {
  if (lower.empty() || lower.front() < kNumberKind) return kFirst_s;
  if (lower.front() > kNumberKind) return kLast_s;
  const double number = NumberIn(lower, '\0');
  if (std::isnan(number) || number < -kSecondsMax) return kFirst_s;
  return number > kSecondsMax ? kLast_s : static_cast<int64_t>(std::floor(number));
}

// Returns a second such that no entry before the bound is later.
int64_t LastSecondOf(std::string_view upper) {
  if (upper.empty() || upper.front() > kNumberKind) return kLast_s;
  if (upper.front() < kNumberKind) return kFirst_s;
  const double number = NumberIn(upper, '\xFF');
  if (std::isnan(number) || number > kSecondsMax) return kLast_s;
  return number < -kSecondsMax ? kFirst_s : static_cast<int64_t>(std::floor(number));
}

}  // namespace

WrittenWalk::WrittenWalk(const WrittenBodies& bodies, const IndexRange& range) : bodies_(bodies), range_(range) {
  const int64_t first_s = FirstSecondOf(range.lower);
  const int64_t last_s = LastSecondOf(range.upper);
  if (first_s > last_s || first_s == kLast_s || last_s == kFirst_s) return;
  for (const BodyClass body_class : {BodyClass::kInheriting, BodyClass::kOwnLifetime}) {
    Result<Part> part = Open(body_class, first_s, last_s);
    status_ = part.status();
    if (!part.ok()) return;
    parts_.push_back(*std::move(part));
  }
  Load();
}

void WrittenWalk::Next() {
  ++next_;
  if (!Valid()) Load();
}

Result<WrittenWalk::Part> WrittenWalk::Open(BodyClass body_class, int64_t first_s, int64_t last_s) {
  store::IterateOptions bounds;
  bounds.lower = BodyPrefix(bodies_.partition, body_class);
  bounds.upper = PrefixEnd(bounds.lower);
  if (first_s != kFirst_s) {
    LAPSE_ASSIGN_OR_RETURN(const Sequence first, FirstFrom(body_class, first_s));
    bounds.lower = BodyBound(bodies_.partition, body_class, first);
  }
  if (last_s != kLast_s) {
    LAPSE_ASSIGN_OR_RETURN(const Sequence end, FirstFrom(body_class, last_s + 1));
    bounds.upper = BodyBound(bodies_.partition, body_class, end);
  }
  bounds.snapshot = bodies_.snapshot;
  bounds.fill_cache = false;
  Part part;
  part.bodies = bodies_.shard->NewIterator(kBodyFamily, bounds);
  backward() ? part.bodies->SeekToLast() : part.bodies->SeekToFirst();
  LAPSE_RETURN_IF_ERROR(Read(&part));
  return part;
}

// Returns the lowest sequence from which all bodies are of this second or a later one.
Result<Sequence> WrittenWalk::FirstFrom(BodyClass body_class, int64_t second) const {
  store::IterateOptions bounds;
  bounds.lower = BodyPrefix(bodies_.partition, body_class);
  bounds.upper = PrefixEnd(bounds.lower);
  bounds.snapshot = bodies_.snapshot;
  const std::unique_ptr<store::Iterator> found = bodies_.shard->NewIterator(kBodyFamily, bounds);
  BodyRecord body;
  found->SeekToLast();
  if (!found->Valid()) return found->status().ok() ? Result<Sequence>(Sequence{0}) : found->status();
  LAPSE_RETURN_IF_ERROR(DecodeBody(found->value(), &body));
  if (body.lifetime.ts_s < second) return body.lifetime.sequence + 1;
  Sequence before = 0;  // bodies up to here are earlier
  Sequence from = body.lifetime.sequence;
  while (before + 1 < from) {
    const Sequence middle = before + (from - before) / 2;
    found->Seek(BodyBound(bodies_.partition, body_class, middle));
    if (!found->Valid()) return found->status().ok() ? Status(Code::kInternal, "a body is gone") : found->status();
    LAPSE_RETURN_IF_ERROR(DecodeBody(found->value(), &body));
    if (body.lifetime.ts_s < second) {
      before = std::min(body.lifetime.sequence, from - 1);
    } else {
      from = middle;
    }
  }
  return from;
}

Status WrittenWalk::Read(Part* part) const {
  if (!part->bodies->Valid()) return part->bodies->status();
  BodyRecord body;
  LAPSE_RETURN_IF_ERROR(DecodeBody(part->bodies->value(), &body));
  part->second = body.lifetime.ts_s;
  part->item = body.number;
  // Judged by the body, not by the record: when a whole file is dropped, the body of an earlier version may reappear.
  // That body is dead by its own lifetime, though the item may be live.
  part->lives = bodies_.moment->IsLive(body.lifetime);
  return Status::Ok();
}

Status WrittenWalk::Step(Part* part) {
  backward() ? part->bodies->Prev() : part->bodies->Next();
  return Read(part);
}

WrittenWalk::Part* WrittenWalk::FirstPart() {
  Part* first = nullptr;
  for (Part& part : parts_) {
    if (!part.bodies->Valid()) continue;
    const bool is_before = first == nullptr || (backward() ? part.second > first->second : part.second < first->second);
    if (is_before) first = &part;
  }
  return first;
}

void WrittenWalk::Load() {
  numbers_.clear();
  next_ = 0;
  status_ = range_.any_order ? LoadStep() : LoadSecond();
  if (!status_.ok()) numbers_.clear();
}

Status WrittenWalk::LoadStep() {
  Part* const part = FirstPart();
  if (part == nullptr) return Status::Ok();
  if (value_.empty() || part->second != second_) {
    second_ = part->second;
    value_ = BytesOfSecond(second_);
  }
  numbers_.push_back(part->lives && InRange(part->item) ? part->item : 0);
  return Step(part);
}

bool WrittenWalk::InRange(ItemNumber item) {
  entry_ = value_;
  PutCreation(&entry_, item);
  return entry_ >= range_.lower && (range_.upper.empty() || entry_ < range_.upper);
}

// Loads the next second that has items, or the next portion of a second that has more than `held_max`.
Status WrittenWalk::LoadSecond() {
  const auto is_before = [this](ItemNumber a, ItemNumber b) { return backward() ? a > b : a < b; };
  ItemNumber passed = 0;  // the last number of the previous portion; 0: none
  while (numbers_.empty()) {
    if (second_has_more_) {
      for (Part& part : parts_) {
        if (part.second_begins.empty()) continue;
        part.bodies->Seek(part.second_begins);
        LAPSE_RETURN_IF_ERROR(Read(&part));
      }
      passed = passed_;
      second_has_more_ = false;
    } else {
      const Part* const first = FirstPart();
      if (first == nullptr) return Status::Ok();
      second_ = first->second;
      value_ = BytesOfSecond(second_);
      passed = 0;
    }
    for (Part& part : parts_) {
      part.second_begins.clear();
      if (part.bodies->Valid() && part.second == second_) part.second_begins = part.bodies->key();
      while (part.bodies->Valid() && part.second == second_) {
        const bool is_passed = passed != 0 && !is_before(passed, part.item);
        if (part.lives && !is_passed && InRange(part.item)) numbers_.push_back(part.item);
        if (numbers_.size() == 2 * bodies_.held_max) {
          const auto held_end = numbers_.begin() + static_cast<ptrdiff_t>(bodies_.held_max);
          std::nth_element(numbers_.begin(), held_end, numbers_.end(), is_before);
          numbers_.erase(held_end, numbers_.end());
          second_has_more_ = true;
        }
        LAPSE_RETURN_IF_ERROR(Step(&part));
      }
    }
  }
  std::sort(numbers_.begin(), numbers_.end(), is_before);
  if (second_has_more_) numbers_.resize(std::min(numbers_.size(), bodies_.held_max));
  passed_ = numbers_.back();
  return Status::Ok();
}

}  // namespace lapse::engine
