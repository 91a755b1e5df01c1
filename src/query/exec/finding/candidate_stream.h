// Item numbers that match one part of an index condition, read step by step.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/status.h"
#include "engine/catalog/containers/index_page.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/values/held_memory.h"

namespace lapse::query::exec {

// Sorts the numbers and drops duplicates.
void SortNumbers(std::vector<engine::ItemNumber>* numbers);

// Returns numbers in any order, possibly with duplicates. Threads: one.
class CandidateStream {
 public:
  using Numbers = std::vector<engine::ItemNumber>;

  explicit CandidateStream(MemoryPool* pool) : held_(pool) {}
  virtual ~CandidateStream() = default;

  // Reads up to `count` more. Fails: kUnavailable if the pool has no memory for them.
  Status Read(size_t count);
  virtual bool ended() const = 0;
  // Whether TakeNumbers() would return all numbers: either the stream has ended, or the numbers need not be read.
  virtual bool whole() const { return ended(); }
  // Whether every number belongs to an item that meets the condition.
  virtual bool exact() const { return true; }
  // How many numbers were requested so far. Steps that yield no number count as work, too.
  size_t read() const { return read_; }
  // Requires whole(). Returns all numbers, ascending and without duplicates.
  virtual std::shared_ptr<const Numbers> TakeNumbers();
  // Call it after TakeNumbers(). Returns the memory that was reserved for the numbers.
  HeldMemory TakeHeld() { return std::move(held_); }

  // Appends up to `count` numbers.
  virtual Status Take(size_t count, Numbers* numbers) = 0;

 private:
  Numbers numbers_;
  size_t read_ = 0;
  HeldMemory held_;
};

// Yields the items of the entries in these ranges, which must outlive the stream.
std::unique_ptr<CandidateStream> StreamOfEntries(const engine::IndexReader* reader,
                                                 const std::vector<engine::IndexRange>& ranges, MemoryPool* pool);
// Yields numbers that the partition keeps in memory. Some of their items may no longer have the value.
std::unique_ptr<CandidateStream> StreamOfList(std::shared_ptr<const CandidateStream::Numbers> numbers);
// Counts the members of a part of the partition, and yields none of them.
std::unique_ptr<CandidateStream> StreamOfMembers(const engine::IndexReader& reader, const engine::KeyScope& scope);
// Yields numbers that are already known, with the memory that was reserved for them.
std::unique_ptr<CandidateStream> StreamOfNumbers(CandidateStream::Numbers numbers, bool exact, HeldMemory held,
                                                 MemoryPool* pool);
// Yields all numbers of several streams.
std::unique_ptr<CandidateStream> JoinStreams(std::vector<std::unique_ptr<CandidateStream>> parts, MemoryPool* pool);

}  // namespace lapse::query::exec
