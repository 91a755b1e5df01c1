// Maps document paths to 16-byte numbers, so that a path of any length takes the same space in an index key.
//
// The number of a path is part of a SHA-256. So two paths with one number cannot be constructed, and no dictionary is
// needed. It is derived from the number of the parent path and one name. So a document costs one hash per name,
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

// The whole document. It has no values; the entries of items that are left out of an index are here.
constexpr PathNumber kRootPath{};

// SHA-256 of 00, the parent's number and the name.
PathNumber PathOfName(const PathNumber& above, std::string_view name);
// SHA-256 of 01 and the parent's number: all elements of an array.
PathNumber PathOfElements(const PathNumber& above);

struct CompositePart {
  PathNumber path;
  bool descending = false;
};
// SHA-256 of 02 and, for each part, its direction (1 byte: 1 is descending) and number.
PathNumber PathOfComposite(std::span<const CompositePart> parts);
// SHA-256 of 03 and the number of the path whose values have the marks.
PathNumber PathOfMarks(const PathNumber& path);

// Caches the numbers of the paths in a container's documents, up to a limit.
//
// Threads: any; look-ups of cached paths take no lock. Owns: its nodes.
class PathNumbers {
 public:
  struct Node {
    const Node* above = nullptr;
    bool is_elements = false;
    std::string name;
    PathNumber number = kRootPath;
    bool remembered = true;
  };
  // Nodes that are not cached, for as long as their reader needs them.
  using Spare = std::deque<Node>;

  PathNumbers() = default;
  PathNumbers(const PathNumbers&) = delete;
  PathNumbers& operator=(const PathNumbers&) = delete;

  const Node* root() const { return &root_; }
  const Node* Name(const Node* above, std::string_view name, Spare* spare) { return Find(above, false, name, spare); }
  const Node* Elements(const Node* above, Spare* spare) { return Find(above, true, {}, spare); }

  // Limits on the number of cached nodes and the length of their names.
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
  std::atomic<Table*> table_{nullptr};  // created with the first path
  std::atomic<bool> full_{false};
  std::mutex mutex_;                    // for adding nodes
  std::unique_ptr<Table> owned_table_;  // guarded by mutex_
  std::deque<Node> nodes_;              // guarded by mutex_; addresses are stable
};

}  // namespace lapse::engine
