// A batch of puts and deletes, which a shard applies in the order they were added, all or none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "store/family_id.h"

namespace lapse::store {

// Owns: copies of its keys and values in one buffer. Clear keeps the buffer, so that a reused batch allocates nothing.
// Threads: one at a time.
class Batch {
 public:
  enum class Kind : uint8_t { kPut, kDelete, kDeleteRange };

  // A view into the batch, valid until the batch changes.
  struct Operation {
    Kind kind;
    FamilyId family;
    std::string_view key;
    std::string_view value;  // kPut: the value; kDeleteRange: the exclusive end
  };

  class Operations;

  void Put(FamilyId family, std::string_view key, std::string_view value) { Add(Kind::kPut, family, key, value); }
  void Delete(FamilyId family, std::string_view key) { Add(Kind::kDelete, family, key, {}); }
  // Deletes [begin, end), which is empty unless begin < end. For rare, large removals, since each one slows later reads
  // a little.
  void DeleteRange(FamilyId family, std::string_view begin, std::string_view end) {
    Add(Kind::kDeleteRange, family, begin, end);
  }

  // Reserves memory for the operations that will follow.
  void Reserve(size_t operations, size_t bytes) {
    entries_.reserve(operations);
    buffer_.reserve(bytes);
  }

  bool empty() const { return entries_.empty(); }
  // Bytes of all keys and values.
  size_t byte_size() const { return buffer_.size(); }
  Operations operations() const;
  void Clear() {
    entries_.clear();
    buffer_.clear();
  }

 private:
  struct Entry {
    Kind kind;
    FamilyId family;
    size_t offset;  // of the key; the value follows it
    size_t key_size;
    size_t value_size;
  };

  void Add(Kind kind, FamilyId family, std::string_view key, std::string_view value) {
    entries_.push_back({kind, family, buffer_.size(), key.size(), value.size()});
    buffer_.append(key).append(value);
  }

  std::vector<Entry> entries_;
  std::string buffer_;
};

// The operations of a batch, for range-based for loops.
class Batch::Operations {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Operation;
    using difference_type = std::ptrdiff_t;
    using pointer = const Operation*;
    using reference = Operation;

    Iterator(const char* buffer, const Entry* entry) : buffer_(buffer), entry_(entry) {}
    Operation operator*() const {
      const char* key = buffer_ + entry_->offset;
      return {entry_->kind, entry_->family, {key, entry_->key_size}, {key + entry_->key_size, entry_->value_size}};
    }
    Iterator& operator++() {
      ++entry_;
      return *this;
    }
    Iterator operator++(int) { return {buffer_, entry_++}; }
    bool operator==(const Iterator& other) const { return entry_ == other.entry_; }

   private:
    const char* buffer_;
    const Entry* entry_;
  };

  explicit Operations(const Batch& batch) : batch_(batch) {}
  Iterator begin() const { return {batch_.buffer_.data(), batch_.entries_.data()}; }
  Iterator end() const { return {batch_.buffer_.data(), batch_.entries_.data() + size()}; }
  size_t size() const { return batch_.entries_.size(); }
  Operation operator[](size_t index) const { return *Iterator(batch_.buffer_.data(), batch_.entries_.data() + index); }

 private:
  const Batch& batch_;
};

inline Batch::Operations Batch::operations() const {
  return Operations(*this);
}

}  // namespace lapse::store
