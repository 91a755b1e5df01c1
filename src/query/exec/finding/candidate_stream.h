// Item numbers that one part of an index condition leads to, read step by step.
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

// Gives numbers in any order, some of them twice. Threads: one.
class CandidateStream {
 public:
  using Numbers = std::vector<engine::ItemNumber>;

  explicit CandidateStream(MemoryPool* pool) : held_(pool) {}
  virtual ~CandidateStream() = default;

  // Reads up to `count` more. Fails: kUnavailable when the pool has no memory for them.
  Status Read(size_t count);
  virtual bool ended() const = 0;
  // Whether TakeNumbers() gives all of them: at the end, or when they need not be read.
  virtual bool whole() const { return ended(); }
  // Whether every number is of an item that fulfils the condition.
  virtual bool exact() const { return true; }
  // How many were asked for. Steps that give no number count as work, too.
  size_t read() const { return read_; }
  // Only if whole(): all numbers, ascending, each once.
  virtual std::shared_ptr<const Numbers> TakeNumbers();
  // After TakeNumbers(): the memory that was reserved for them.
  HeldMemory TakeHeld() { return std::move(held_); }

  // Appends up to `count` numbers.
  virtual Status Take(size_t count, Numbers* numbers) = 0;

 private:
  Numbers numbers_;
  size_t read_ = 0;
  HeldMemory held_;
};

// The items of the entries in these ranges, which must outlive the stream.
std::unique_ptr<CandidateStream> StreamOfEntries(const engine::IndexReader* reader,
                                                 const std::vector<engine::IndexRange>& ranges, MemoryPool* pool);
// Numbers that the partition keeps in memory. Some items may no longer have the value.
std::unique_ptr<CandidateStream> StreamOfList(std::shared_ptr<const CandidateStream::Numbers> numbers);
// The members of a part of the partition. It counts them and gives none.
std::unique_ptr<CandidateStream> StreamOfMembers(const engine::IndexReader& reader, const engine::KeyScope& scope);
// Numbers that are known already, and the memory that was reserved for them.
std::unique_ptr<CandidateStream> StreamOfNumbers(CandidateStream::Numbers numbers, bool exact, HeldMemory held,
                                                 MemoryPool* pool);
// All numbers of several streams.
std::unique_ptr<CandidateStream> JoinStreams(std::vector<std::unique_ptr<CandidateStream>> parts, MemoryPool* pool);

}  // namespace lapse::query::exec
