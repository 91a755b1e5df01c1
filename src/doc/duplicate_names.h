// Finds a name that an object has twice. Private to this folder.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lapse::doc {

// Holds the names of all open objects, innermost last, in one reusable vector.
// Threads: one.
// Owns: only the views. The text they point to must stay until the object is closed.
class DuplicateNames {
 public:
  // Opens an object. Pass the result to Close.
  size_t Open() const { return names_.size(); }
  void Add(std::string_view name) { names_.push_back(name); }
  // Returns whether the object had a name twice. If so, sets `name` to one of these.
  bool Close(size_t mark, std::string_view* name);
  void Clear();

 private:
  std::vector<std::string_view> names_;
};

}  // namespace lapse::doc
