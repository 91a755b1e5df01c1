// Paths of documents as numbers of 16 bytes, so that a key of an index has a place for one however long it is.
//
// The number of a path is a part of a SHA-256, so nobody can make two paths with one number, and no dictionary has to
// be kept. It is made of the number of the path above it and of one name: a document costs the hashes of its names,
// whatever its depth.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace lapse::engine {

constexpr size_t kPathNumberBytes = 16;
using PathNumber = std::array<char, kPathNumberBytes>;

inline std::string_view BytesOf(const PathNumber& number) {
  return {number.data(), number.size()};
}

// The whole document. No value is at it; entries of items that are left out of an index stand there.
constexpr PathNumber kRootPath{};

// SHA-256 of 00, the number above and the name.
PathNumber PathOfName(const PathNumber& above, std::string_view name);
// SHA-256 of 01 and the number above: the elements of an array, all of them.
PathNumber PathOfElements(const PathNumber& above);

struct CompositePart {
  PathNumber path;
  bool descending = false;
};
// SHA-256 of 02 and for each part the direction (1 byte: 1 is descending) and its number.
PathNumber PathOfComposite(std::span<const CompositePart> parts);
// SHA-256 of 03 and the number of the path whose values have the marks.
PathNumber PathOfMarks(const PathNumber& path);

// Remembers the numbers of the paths that a container's documents have, as far as they are not too many.
//
// Threads: any; what is known is found without a lock. Owns: its nodes.
class PathNumbers {
 public:
  struct Node {
    const Node* above = nullptr;
    bool is_elements = false;
    std::string name;
    PathNumber number = kRootPath;
    bool remembered = true;
  };
  // Nodes that are not remembered, for as long as their reader needs them.
  using Spare = std::deque<Node>;

  PathNumbers() = default;
  PathNumbers(const PathNumbers&) = delete;
  PathNumbers& operator=(const PathNumbers&) = delete;

  const Node* root() const { return &root_; }
  const Node* Name(const Node* above, std::string_view name, Spare* spare) { return Find(above, false, name, spare); }
  const Node* Elements(const Node* above, Spare* spare) { return Find(above, true, {}, spare); }

  // So many are remembered, none with a longer name.
  static constexpr size_t kRememberedMax = 512;
  static constexpr size_t kNameBytesMax = 128;

 private:
  static constexpr size_t kSlots = 2 * kRememberedMax;  // a power of two
  struct Table {
    std::array<std::atomic<const Node*>, kSlots> slots{};
  };

  const Node* Find(const Node* above, bool is_elements, std::string_view name, Spare* spare);
  const Node* Remember(Node node, size_t hash);

  Node root_;
  std::atomic<Table*> table_{nullptr};  // made with the first path
  std::atomic<bool> full_{false};
  std::mutex mutex_;                    // for those who add
  std::unique_ptr<Table> owned_table_;  // guarded by mutex_
  std::deque<Node> nodes_;              // guarded by mutex_; they stay where they are
};

}  // namespace lapse::engine
