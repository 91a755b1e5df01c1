// A sorted map whose copies share their common nodes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace lapse {

// A copy costs one pointer. With and Without recreate only the nodes on the path from the root to the key, so readers
// can keep one version while a writer makes the next. The nodes form an AVL tree.
// Threads: any may read a map; each copy is changed by one at a time.
// Owns: its nodes, together with its copies.
template <typename Key, typename Value>
class PersistentMap {
 public:
  bool empty() const { return root_ == nullptr; }
  size_t size() const { return SizeOf(root_); }

  // Returns null if the key is missing. The pointer stays valid while this map or any copy with the key exists.
  template <typename SomeKey>
  const Value* Find(const SomeKey& key) const {
    const Node* node = root_.get();
    while (node != nullptr) {
      if (std::less<>()(key, node->key)) {
        node = node->left.get();
      } else if (std::less<>()(node->key, key)) {
        node = node->right.get();
      } else {
        return &node->value;
      }
    }
    return nullptr;
  }
  template <typename SomeKey>
  bool contains(const SomeKey& key) const {
    return Find(key) != nullptr;
  }

  // Returns this map with `value` under the key, replacing any earlier value.
  [[nodiscard]] PersistentMap With(Key key, Value value) const {
    return PersistentMap(Insert(root_, std::move(key), std::move(value)));
  }
  template <typename SomeKey>
  [[nodiscard]] PersistentMap Without(const SomeKey& key) const {
    return contains(key) ? PersistentMap(Erase(root_, key)) : *this;
  }

  // Calls `visit(key, value)` for every entry in key order.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    VisitAll(root_.get(), visit);
  }

  PersistentMap() = default;

 private:
  struct Node;
  using NodePtr = std::shared_ptr<const Node>;
  struct Node {
    Key key;
    Value value;
    NodePtr left;
    NodePtr right;
    int height;
    size_t size;
  };

  explicit PersistentMap(NodePtr root) : root_(std::move(root)) {}

  static int HeightOf(const NodePtr& node) { return node == nullptr ? 0 : node->height; }
  static size_t SizeOf(const NodePtr& node) { return node == nullptr ? 0 : node->size; }

  static NodePtr Make(Key key, Value value, NodePtr left, NodePtr right) {
    const int height = std::max(HeightOf(left), HeightOf(right)) + 1;
    const size_t size = SizeOf(left) + SizeOf(right) + 1;
    return std::make_shared<const Node>(
        Node{std::move(key), std::move(value), std::move(left), std::move(right), height, size});
  }
  static NodePtr Like(const Node& node, NodePtr left, NodePtr right) {
    return Make(node.key, node.value, std::move(left), std::move(right));
  }

  static NodePtr RotateRight(const Node& node, const Node& left) {
    return Like(left, left.left, Like(node, left.right, node.right));
  }
  static NodePtr RotateLeft(const Node& node, const Node& right) {
    return Like(right, Like(node, node.left, right.left), right.right);
  }

  // Requires that the heights of both sides differ by at most two.
  static NodePtr Balanced(NodePtr node) {
    const int lean = HeightOf(node->left) - HeightOf(node->right);
    if (lean > 1) {
      const Node& left = *node->left;
      if (HeightOf(left.left) >= HeightOf(left.right)) return RotateRight(*node, left);
      return RotateRight(*node, *RotateLeft(left, *left.right));
    }
    if (lean < -1) {
      const Node& right = *node->right;
      if (HeightOf(right.right) >= HeightOf(right.left)) return RotateLeft(*node, right);
      return RotateLeft(*node, *RotateRight(right, *right.left));
    }
    return node;
  }

  static NodePtr Insert(const NodePtr& node, Key key, Value value) {
    if (node == nullptr) return Make(std::move(key), std::move(value), nullptr, nullptr);
    if (std::less<>()(key, node->key)) {
      return Balanced(Like(*node, Insert(node->left, std::move(key), std::move(value)), node->right));
    }
    if (std::less<>()(node->key, key)) {
      return Balanced(Like(*node, node->left, Insert(node->right, std::move(key), std::move(value))));
    }
    return Make(std::move(key), std::move(value), node->left, node->right);
  }

  // Requires that the key is present.
  template <typename SomeKey>
  static NodePtr Erase(const NodePtr& node, const SomeKey& key) {
    if (std::less<>()(key, node->key)) return Balanced(Like(*node, Erase(node->left, key), node->right));
    if (std::less<>()(node->key, key)) return Balanced(Like(*node, node->left, Erase(node->right, key)));
    if (node->left == nullptr) return node->right;
    if (node->right == nullptr) return node->left;
    const Node* next = node->right.get();
    while (next->left != nullptr) next = next->left.get();
    return Balanced(Like(*next, node->left, Erase(node->right, next->key)));
  }

  template <typename Visit>
  static void VisitAll(const Node* node, const Visit& visit) {
    if (node == nullptr) return;
    VisitAll(node->left.get(), visit);
    visit(node->key, node->value);
    VisitAll(node->right.get(), visit);
  }

  NodePtr root_;  // null: the map is empty
};

}  // namespace lapse
