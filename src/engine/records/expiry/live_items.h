// The live items of a partition, by number. Decides whether an entry without a lifetime may be dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapse::engine {

// Made from one snapshot, and immutable afterwards. Knows the items up to the last one created by then, and nothing
// about later ones. Items are identified by their creation counter. Threads: any, once it is made.
class LiveItems {
 public:
  // To be called in rising order.
  void Add(uint64_t creation);
  // All live items up to this one have been added.
  void KnowsAllUpTo(uint64_t creation) { known_up_to_ = creation; }

  // Returns true if the item is certainly not live.
  bool IsGone(uint64_t creation) const;
  // Returns true if certainly none of the items from `first` to `last` is live.
  bool AreGone(uint64_t first, uint64_t last) const;

  size_t memory_bytes() const;

 private:
  // 65,536 consecutive items. Few live ones are a list, many are bits.
  struct Chunk {
    uint64_t number = 0;
    std::vector<uint16_t> list;
    std::vector<uint64_t> bits;  // used instead of the list unless empty
  };

  const Chunk* Find(uint64_t number) const;
  static bool HasBetween(const Chunk& chunk, uint16_t first, uint16_t last);

  std::vector<Chunk> chunks_;  // chunks with live items, in rising order
  uint64_t known_up_to_ = 0;
};

}  // namespace lapse::engine
