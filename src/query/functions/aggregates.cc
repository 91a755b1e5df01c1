#include "query/functions/aggregates.h"

#include <algorithm>
#include <compare>
#include <new>
#include <type_traits>
#include <utility>

#include "query/values/builder.h"
#include "query/values/compare.h"
#include "query/values/copy.h"
#include "query/values/number.h"
#include "query/values/value_set.h"

namespace lapse::query::functions {
namespace {

using Memory = AggregateMemory;

// Makes the entry for a class that has Add, Partial, Merge and Result.
template <typename State>
constexpr Aggregate RowOf() {
  static_assert(std::is_trivially_destructible_v<State> && alignof(State) <= 8);
  return {
      sizeof(State),
      [](const Memory& memory, void* state) { new (state) State(memory); },
      [](const Memory& memory, void* state, Value value) { static_cast<State*>(state)->Add(memory, value); },
      [](const Memory& memory, const void* state) { return static_cast<const State*>(state)->Partial(memory); },
      [](const Memory& memory, void* state, Value partial) {
        return static_cast<State*>(state)->Merge(memory, partial);
      },
      [](const Memory& memory, const void* state) { return static_cast<const State*>(state)->Result(memory); },
  };
}

template <bool kOnlyTrue>
class Count {
 public:
  explicit Count(const Memory&) {}
  void Add(const Memory&, Value value) {
    if (kOnlyTrue ? value.IsTrue() : !value.IsUndefined()) ++count_;
  }
  Value Partial(const Memory&) const { return Value::Int64(count_); }
  bool Merge(const Memory&, Value partial) {
    if (partial.kind() != Kind::kInt64 || partial.AsInt64() < 0) return false;
    // Saturates, so that a count forged by a client stays a number.
    if (__builtin_add_overflow(count_, partial.AsInt64(), &count_)) count_ = std::numeric_limits<int64_t>::max();
    return true;
  }
  Value Result(const Memory&) const { return Value::Int64(count_); }

 private:
  int64_t count_ = 0;
};

// Keeps a sum of integers exact while it fits int64.
void AddNumber(Value number, Value* sum) {
  int64_t exact;
  if (sum->kind() == Kind::kInt64 && number.kind() == Kind::kInt64 &&
      !__builtin_add_overflow(sum->AsInt64(), number.AsInt64(), &exact)) {
    *sum = Value::Int64(exact);
  } else {
    *sum = NumberValue(sum->AsDouble() + number.AsDouble());
  }
}

template <bool kIsAverage>
class Sum {
 public:
  explicit Sum(const Memory& memory) : part_(memory.part) {}
  void Add(const Memory& memory, Value value) {
    if (value.IsUndefined()) return;
    if (value.IsNumber()) {
      BeginPart(memory.part);
      AddNumber(value, &of_part_);
    } else {
      spoiled_ = true;
    }
    ++count_;
  }
  // Includes the current part, since a resumed aggregate adds to it.
  Value Partial(const Memory& memory) const {
    ObjectBuilder partial(memory.arena);
    partial.Add("count", Value::Int64(count_));
    partial.Add("sum", spoiled_ ? Value() : before_);
    partial.Add("part", Value::Int64(part_));
    partial.Add("partSum", of_part_);
    return partial.Finish();
  }
  bool Merge(const Memory&, Value partial) {
    const Value count = Property(partial, "count");
    const Value sum = Property(partial, "sum");
    const Value part = Property(partial, "part");
    const Value of_part = Property(partial, "partSum");
    if (count.kind() != Kind::kInt64 || count.AsInt64() < 0 || !(sum.IsUndefined() || sum.IsNumber())) return false;
    if (part.kind() != Kind::kInt64 || !std::in_range<uint32_t>(part.AsInt64()) || !of_part.IsNumber()) return false;
    BeginPart(static_cast<uint32_t>(part.AsInt64()));
    AddNumber(of_part, &of_part_);
    if (sum.IsNumber()) {
      AddNumber(sum, &before_);
    } else {
      spoiled_ = true;
    }
    if (__builtin_add_overflow(count_, count.AsInt64(), &count_)) count_ = std::numeric_limits<int64_t>::max();
    return true;
  }
  Value Result(const Memory&) const {
    if (spoiled_) return {};
    Value sum = before_;
    AddNumber(of_part_, &sum);
    if (!kIsAverage) return sum;
    return count_ > 0 ? NumberValue(sum.AsDouble() / static_cast<double>(count_)) : Value();
  }

 private:
  void BeginPart(uint32_t part) {
    if (part == part_) return;
    AddNumber(of_part_, &before_);
    of_part_ = Value::Int64(0);
    part_ = part;
  }

  Value before_ = Value::Int64(0);   // sum of the partitions before this one
  Value of_part_ = Value::Int64(0);  // sum of this one
  int64_t count_ = 0;
  uint32_t part_;
  bool spoiled_ = false;
};

template <bool kLeast>
class Extreme {
 public:
  explicit Extreme(const Memory&) {}
  void Add(const Memory& memory, Value value) {
    if (value.IsUndefined()) return;
    if (value.IsArray() || value.IsObject()) {
      spoiled_ = true;
      return;
    }
    if (!best_.IsUndefined() && (kLeast ? std::is_gteq(OrderOf(value, best_)) : std::is_lteq(OrderOf(value, best_))))
      return;
    best_ = value.IsString() ? Keep(memory, value.AsString()) : value;
  }
  Value Partial(const Memory& memory) const {
    ObjectBuilder partial(memory.arena);
    partial.Add("spoiled", Value::Bool(spoiled_));
    partial.Add("best", best_);
    return partial.Finish();
  }
  bool Merge(const Memory& memory, Value partial) {
    const Value spoiled = Property(partial, "spoiled");
    const Value best = Property(partial, "best");
    if (!spoiled.IsBool() || best.IsArray() || best.IsObject()) return false;
    spoiled_ = spoiled_ || spoiled.AsBool();
    Add(memory, best);
    return true;
  }
  Value Result(const Memory&) const { return spoiled_ ? Value() : best_; }

 private:
  // A text replaces the one before it if it fits. So a long run of ever better texts needs at most twice the memory of
  // the longest.
  Value Keep(const Memory& memory, std::string_view text) {
    if (text.size() > capacity_) {
      const size_t capacity = std::max(text.size(), size_t{capacity_} * 2);
      char* place = memory.arena->Allocate(capacity);
      if (place == nullptr) return {};
      place_ = place;
      capacity_ = static_cast<uint32_t>(capacity);
    }
    text.copy(place_, text.size());
    return Value::String({place_, text.size()});
  }

  Value best_;
  char* place_ = nullptr;
  uint32_t capacity_ = 0;
  bool spoiled_ = false;
};

class MakeList {
 public:
  explicit MakeList(const Memory& memory) : list_(memory.arena) {}
  void Add(const Memory&, Value value) { list_.Append(value); }
  Value Partial(const Memory& memory) const { return Result(memory); }
  bool Merge(const Memory&, Value partial) {
    if (!partial.IsArray()) return false;
    Elements elements(partial);
    while (auto element = elements.Next()) list_.Append(*element);
    return true;
  }
  // Finishes a copy of the builder over the same bytes, so the list itself can still grow.
  Value Result(const Memory&) const {
    ArrayBuilder copy = list_;
    return copy.Finish();
  }

 private:
  ArrayBuilder list_;
};

class MakeSet {
 public:
  explicit MakeSet(const Memory& memory) : seen_(memory.arena, memory.hash_seed), list_(memory) {}
  void Add(const Memory& memory, Value value) {
    if (value.IsUndefined() || seen_.Contains(value)) return;
    const Value kept = CopyInto(memory.arena, value);
    if (!kept.IsUndefined() && seen_.Add(kept)) list_.Add(memory, kept);
  }
  Value Partial(const Memory& memory) const { return list_.Result(memory); }
  bool Merge(const Memory& memory, Value partial) {
    if (!partial.IsArray()) return false;
    Elements elements(partial);
    while (auto element = elements.Next()) {
      Add(memory, *element);
      if (memory.arena->exhausted()) break;
    }
    return true;
  }
  Value Result(const Memory& memory) const { return list_.Result(memory); }

 private:
  ValueSet seen_;
  MakeList list_;
};

}  // namespace

constinit const Aggregate kCount = RowOf<Count<false>>();
constinit const Aggregate kCountIf = RowOf<Count<true>>();
constinit const Aggregate kSum = RowOf<Sum<false>>();
constinit const Aggregate kAverage = RowOf<Sum<true>>();
constinit const Aggregate kMin = RowOf<Extreme<true>>();
constinit const Aggregate kMax = RowOf<Extreme<false>>();
constinit const Aggregate kMakeList = RowOf<MakeList>();
constinit const Aggregate kMakeSet = RowOf<MakeSet>();

}  // namespace lapse::query::functions
