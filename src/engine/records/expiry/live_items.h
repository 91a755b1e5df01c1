// Which items of a partition live, by their numbers: what decides whether an entry that carries no lifetime may go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapse::engine {

// A mark is made from one snapshot and never changes after that: it knows items up to the last one that was created
// then, and says nothing of later ones. Items are known by their counter of creation. Threads: any, once it is made.
class LiveItems {
 public:
  // In rising order.
  void Add(uint64_t creation);
  // All that live and are not after this one were added.
  void KnowsAllUpTo(uint64_t creation) { known_up_to_ = creation; }

  // It does not live, for certain.
  bool IsGone(uint64_t creation) const;
  // None from the first to the last lives, for certain.
  bool AreGone(uint64_t first, uint64_t last) const;

  size_t memory_bytes() const;

 private:
  // 65,536 items that follow each other. Few that live are listed, many are bits.
  struct Chunk {
    uint64_t number = 0;
    std::vector<uint16_t> list;
    std::vector<uint64_t> bits;  // when it is not empty, it counts
  };

  const Chunk* Find(uint64_t number) const;
  static bool HasBetween(const Chunk& chunk, uint16_t first, uint16_t last);

  std::vector<Chunk> chunks_;  // those in which something lives, in rising order
  uint64_t known_up_to_ = 0;
};

}  // namespace lapse::engine
