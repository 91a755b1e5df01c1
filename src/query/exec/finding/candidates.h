// The items of one partition that entries of an index lead to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/catalog/containers/index_page.h"
#include "engine/partition/index/member_walk.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/exec/finding/candidate_stream.h"
#include "query/exec/index/index_condition.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/values/held_memory.h"

namespace lapse::query::exec {

// Item numbers, each once: ascending, but of a part of a partition with several keys in the order of `keyed`.
struct Candidates {
  std::vector<engine::ItemNumber> items;
  std::vector<engine::KeyedItem> keyed;  // the same with their keys; only for such a part
  bool exact = false;                    // those that live are exactly the items that pass the plan's filters
  HeldMemory held;                       // for the items
};

// Threads: one.
class CandidateFinder {
 public:
  struct Options {
    size_t entries_max = 0;     // about so many entries are read of each part of the condition
    bool only_counted = false;  // candidates are worth most where they are exact
  };

  // `only`: the part of the partition that is asked for; null: all of it. `pool`: see
  // EvalSettings.
  CandidateFinder(const engine::KeyScope* only, engine::IndexReader* reader, const Options& options,
                  const PageWatch& watch, MemoryPool* pool)
      : only_(only),
        reader_(reader),
        entries_max_(options.entries_max),
        turn_(std::clamp<size_t>(options.entries_max, 1, kTurn)),
        only_counted_(options.only_counted),
        watch_(watch),
        pool_(pool) {}

  // All that fulfil the condition, dead ones and others among them, and those that are left out of the index. Nullopt:
  // they are too many, or to find them takes too long, or the part of the partition has fewer members. Fails:
  // kUnavailable when other queries hold the memory that it needs.
  Result<std::optional<Candidates>> Find(const IndexCondition& condition);

  // Those that are left out of the index. Nullopt: they are too many.
  Result<std::optional<std::vector<engine::ItemNumber>>> FindLeftOut();

 private:
  // So many entries are read of each part in a turn.
  static constexpr size_t kTurn = 64;

  // What is in memory of it; null: nothing.
  std::shared_ptr<const std::vector<engine::ItemNumber>> ListedItems(const IndexCondition& condition) const;
  Result<std::unique_ptr<CandidateStream>> NewStream(const IndexCondition& condition);
  // The parts that are worth reading: those that are not far larger than the smallest.
  std::vector<const IndexCondition*> SmallParts(const std::vector<IndexCondition>& parts) const;
  Status KeepInScope(Candidates* found);
  // Of a condition that is one value of a whole partition. Nullopt: it is another one, or more than a few have it.
  Result<std::optional<Candidates>> FindFew(const IndexCondition& condition);
  Result<std::optional<Candidates>> FindByIndex(const IndexCondition& condition);
  Result<std::optional<Candidates>> FindSmallest(std::vector<std::unique_ptr<CandidateStream>> streams,
                                                 const CandidateStream* members);

  const engine::KeyScope* const only_;
  engine::IndexReader* const reader_;
  const size_t entries_max_;
  const size_t turn_;
  const bool only_counted_;
  const PageWatch& watch_;
  MemoryPool* const pool_;
};

}  // namespace lapse::query::exec
