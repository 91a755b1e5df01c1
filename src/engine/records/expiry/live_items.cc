#include "engine/records/expiry/live_items.h"

#include <algorithm>

namespace lapse::engine {
namespace {

constexpr int kChunkBits = 16;
constexpr uint64_t kChunkItems = 1 << kChunkBits;
constexpr int kWordBits = 64;
constexpr size_t kListMax = 4096;  // above this, bits are smaller

uint64_t ChunkOf(uint64_t creation) {
  return creation >> kChunkBits;
}
uint16_t PlaceOf(uint64_t creation) {
  return static_cast<uint16_t>(creation & (kChunkItems - 1));
}

void SetBit(std::vector<uint64_t>* bits, uint16_t place) {
  (*bits)[place / kWordBits] |= uint64_t{1} << place % kWordBits;
}

}  // namespace

void LiveItems::Add(uint64_t creation) {
  if (chunks_.empty() || chunks_.back().number != ChunkOf(creation)) {
    chunks_.push_back({ChunkOf(creation), {}, {}});
  }
  Chunk& chunk = chunks_.back();
  if (chunk.bits.empty()) {
    chunk.list.push_back(PlaceOf(creation));
    if (chunk.list.size() <= kListMax) return;
    chunk.bits.resize(kChunkItems / kWordBits);
    for (uint16_t place : chunk.list) SetBit(&chunk.bits, place);
    std::vector<uint16_t>().swap(chunk.list);
  } else {
    SetBit(&chunk.bits, PlaceOf(creation));
  }
}

const LiveItems::Chunk* LiveItems::Find(uint64_t number) const {
  const auto found = std::lower_bound(chunks_.begin(), chunks_.end(), number,
                                      [](const Chunk& chunk, uint64_t wanted) { return chunk.number < wanted; });
  return found == chunks_.end() ? nullptr : &*found;
}

bool LiveItems::HasBetween(const Chunk& chunk, uint16_t first, uint16_t last) {
  if (chunk.bits.empty()) {
    const auto next = std::lower_bound(chunk.list.begin(), chunk.list.end(), first);
    return next != chunk.list.end() && *next <= last;
  }
  for (uint32_t place = first; place <= last;) {
    const uint64_t word = chunk.bits[place / kWordBits] >> place % kWordBits;
    if (word != 0) return place + static_cast<uint32_t>(__builtin_ctzll(word)) <= last;
    place = (place / kWordBits + 1) * kWordBits;
  }
  return false;
}

bool LiveItems::IsGone(uint64_t creation) const {
  return AreGone(creation, creation);
}

bool LiveItems::AreGone(uint64_t first, uint64_t last) const {
  if (last > known_up_to_ || first > last) return false;
  const Chunk* const end = chunks_.data() + chunks_.size();
  for (const Chunk* chunk = Find(ChunkOf(first)); chunk != nullptr && chunk != end && chunk->number <= ChunkOf(last);
       ++chunk) {
    const uint16_t from = chunk->number == ChunkOf(first) ? PlaceOf(first) : 0;
    const uint16_t to = chunk->number == ChunkOf(last) ? PlaceOf(last) : kChunkItems - 1;
    if (HasBetween(*chunk, from, to)) return false;
  }
  return true;
}

size_t LiveItems::memory_bytes() const {
  size_t bytes = chunks_.capacity() * sizeof(Chunk);
  for (const Chunk& chunk : chunks_) {
    bytes += chunk.list.capacity() * sizeof(uint16_t) + chunk.bits.capacity() * sizeof(uint64_t);
  }
  return bytes;
}

}  // namespace lapse::engine
