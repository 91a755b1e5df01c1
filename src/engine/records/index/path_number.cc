#include "engine/records/index/path_number.h"

#include <openssl/sha.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace lapse::engine {
namespace {

enum class Step : char { kName = 0, kElements = 1, kComposite = 2, kMarks = 3 };

// Uses the low-level calls. The high-level ones look up the algorithm for each hash, which takes several times as long
// as hashing a name.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
PathNumber Hash(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Update(&state, bytes.data(), bytes.size());
  SHA256_Final(digest.data(), &state);
  PathNumber number;
  std::copy_n(digest.begin(), number.size(), number.begin());
  return number;
}
#pragma GCC diagnostic pop

std::string Begin(Step step, size_t bytes) {
  std::string hashed;
  hashed.reserve(1 + bytes);
  hashed.push_back(static_cast<char>(step));
  return hashed;
}

bool Is(const PathNumbers::Node& node, const PathNumbers::Node* above, bool is_elements, std::string_view name) {
  return node.above == above && node.is_elements == is_elements && node.name == name;
}

}  // namespace

PathNumber PathOfName(const PathNumber& above, std::string_view name) {
  return Hash(Begin(Step::kName, above.size() + name.size()).append(BytesOf(above)).append(name));
}

PathNumber PathOfElements(const PathNumber& above) {
  return Hash(Begin(Step::kElements, above.size()).append(BytesOf(above)));
}

PathNumber PathOfComposite(std::span<const CompositePart> parts) {
  std::string hashed = Begin(Step::kComposite, parts.size() * (1 + kPathNumberBytes));
  for (const CompositePart& part : parts) {
    hashed.push_back(part.descending ? 1 : 0);
    hashed.append(BytesOf(part.path));
  }
  return Hash(hashed);
}

PathNumber PathOfMarks(const PathNumber& path) {
  return Hash(Begin(Step::kMarks, path.size()).append(BytesOf(path)));
}

const PathNumbers::Node* PathNumbers::Find(const Node* above, bool is_elements, std::string_view name, Spare* spare) {
  const size_t hash =
      std::hash<std::string_view>()(name) ^ (std::hash<const Node*>()(above) * 31 + (is_elements ? 1 : 0));
  if (const Table* table = table_.load(std::memory_order_acquire)) {
    for (size_t at = hash % kSlots;; at = (at + 1) % kSlots) {
      const Node* known = table->slots[at].load(std::memory_order_acquire);
      if (known == nullptr) break;
      if (Is(*known, above, is_elements, name)) return known;
    }
  }
  Node node{above, is_elements, std::string(name),
            is_elements ? PathOfElements(above->number) : PathOfName(above->number, name), true};
  // The parent of a cached node must be cached, too.
  if (above->remembered && name.size() <= kNameBytesMax && !full_.load(std::memory_order_relaxed)) {
    if (const Node* remembered = Remember(node, hash)) return remembered;
  }
  node.remembered = false;
  spare->push_back(std::move(node));
  return &spare->back();
}

// Returns null if the cache is full.
const PathNumbers::Node* PathNumbers::Remember(Node node, size_t hash) {
  std::lock_guard lock(mutex_);
  if (owned_table_ == nullptr) {
    owned_table_ = std::make_unique<Table>();
    table_.store(owned_table_.get(), std::memory_order_release);
  }
  size_t at = hash % kSlots;
  while (const Node* known = owned_table_->slots[at].load(std::memory_order_relaxed)) {
    if (Is(*known, node.above, node.is_elements, node.name)) return known;
    at = (at + 1) % kSlots;
  }
  if (nodes_.size() == kRememberedMax) {
    full_.store(true, std::memory_order_relaxed);
    return nullptr;
  }
  nodes_.push_back(std::move(node));
  owned_table_->slots[at].store(&nodes_.back(), std::memory_order_release);
  return &nodes_.back();
}

}  // namespace lapse::engine
