// The items of one partition that index entries point to.
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

// Item numbers, each once and ascending. For a part of a partition that holds several keys, they are in the order of
// `keyed`.
struct Candidates {
  std::vector<engine::ItemNumber> items;
  std::vector<engine::KeyedItem> keyed;  // the same with their keys; only for such a part
  bool exact = false;                    // the live candidates are exactly the items that pass the plan's filters
  HeldMemory held;                       // memory reserved for the items
};

// Threads: one.
class CandidateFinder {
 public:
  struct Options {
    size_t entries_max = 0;     // roughly this many entries are read for each part of the condition
    bool only_counted = false;  // the page only counts the candidates, so exact ones are worth the most
  };

  // `only`: the requested part of the partition; null: all of it. `pool`: see EvalSettings.
  CandidateFinder(const engine::KeyScope* only, engine::IndexReader* reader, const Options& options,
                  const PageWatch& watch, MemoryPool* pool)
      : only_(only),
        reader_(reader),
        entries_max_(options.entries_max),
        turn_(std::clamp<size_t>(options.entries_max, 1, kTurn)),
        only_counted_(options.only_counted),
        watch_(watch),
        pool_(pool) {}

  // Returns all items that meet the condition and all that are left out of the index. Dead items and false matches may
  // be among them. Returns nullopt if they are too many, if finding them takes too long, or if the part of the
  // partition has fewer members. Fails: kUnavailable if other queries hold the memory that it needs.
  Result<std::optional<Candidates>> Find(const IndexCondition& condition);

  // Returns the items that are left out of the index, or nullopt if they are too many.
  Result<std::optional<std::vector<engine::ItemNumber>>> FindLeftOut();

 private:
  // Entries that are read of each part per turn.
  static constexpr size_t kTurn = 64;

  // Returns the list that is in memory for the condition, or null if there is none.
  std::shared_ptr<const std::vector<engine::ItemNumber>> ListedItems(const IndexCondition& condition) const;
  Result<std::unique_ptr<CandidateStream>> NewStream(const IndexCondition& condition);
  // Returns the parts that are worth reading: those that are not far larger than the smallest.
  std::vector<const IndexCondition*> SmallParts(const std::vector<IndexCondition>& parts) const;
  Status KeepInScope(Candidates* found);
  // Handles a condition on a single value in a whole partition. Returns nullopt for any other condition, or if more
  // than a few items have the value.
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
