// Finds a name that one object has twice. Private to this folder.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lapse::doc {

// The names of all objects that are open at the moment, innermost last, in one vector that is reused.
// Threads: one. Owns only the views; the text they look at must stay until the object is closed.
class DuplicateNames {
 public:
  // Opening an object hands out the mark that closing it takes.
  size_t Open() const { return names_.size(); }
  void Add(std::string_view name) { names_.push_back(name); }
  // Whether the object had a name twice; `name` is then one that it had.
  bool Close(size_t mark, std::string_view* name);
  void Clear();

 private:
  std::vector<std::string_view> names_;
};

}  // namespace lapse::doc
