#include "doc/edit.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "doc/locate.h"
#include "doc/writer.h"

namespace lapse::doc {
namespace {

using ErrorKind = EditError::Kind;
using Failure = std::optional<EditError>;

Failure Fail(ErrorKind kind, std::string_view name = {}) {
  return EditError{.kind = kind, .name = std::string(name)};
}

int32_t LengthAt(const std::string& document, size_t at) {
  int32_t length;
  std::memcpy(&length, document.data() + at, sizeof(length));
  return length;
}

// An array index as the name of an element.
class IndexName {
 public:
  explicit IndexName(size_t index)
      : size_(static_cast<size_t>(std::to_chars(digits_, digits_ + sizeof(digits_), index).ptr - digits_)) {}
  std::string_view view() const { return {digits_, size_}; }

  // Advances to the next index, which most often changes only the last digit.
  void Next() {
    size_t at = size_;
    while (at > 0 && digits_[at - 1] == '9') digits_[--at] = '0';
    if (at > 0) {
      ++digits_[at - 1];
    } else {
      digits_[0] = '1';
      digits_[size_++] = '0';
    }
  }

 private:
  char digits_[24];
  size_t size_;
};

// The scope of a piece of code is a document of its own.
std::string_view ScopeOf(Value code) {
  int32_t text_bytes;
  std::memcpy(&text_bytes, code.raw().data() + sizeof(int32_t), sizeof(text_bytes));
  return code.raw().substr(2 * sizeof(int32_t) + static_cast<size_t>(text_bytes));
}

// Whether objects and arrays are nested at most this deep in the value.
bool IsWithinDepth(Value value, int depth_max) {
  std::string_view inside;
  switch (value.type()) {
    case Type::kObject:
    case Type::kArray: inside = value.AsDocument(); break;
    case Type::kCodeWithScope: inside = ScopeOf(value); break;
    default: return true;
  }
  if (depth_max <= 0) return false;
  Reader reader(inside);
  while (auto element = reader.Next()) {
    if (!IsWithinDepth(element->value, depth_max - 1)) return false;
  }
  return true;
}

// Appends the elements from `begin` to the end of the array around the location, renumbered from `index`. An array may
// have a million elements.
void AppendRenumbered(const std::string& document, const Location& location, size_t begin, size_t index,
                      std::string* bytes) {
  const size_t array = location.around.back();
  const std::string_view inside(document.data() + array, static_cast<size_t>(LengthAt(document, array)));
  bytes->reserve(bytes->size() + array + inside.size() - begin);
  IndexName name(index);
  Reader reader(inside);
  while (auto element = reader.Next()) {
    if (element->name.data() < document.data() + begin) continue;
    bytes->push_back(static_cast<char>(element->value.type()));
    bytes->append(name.view()).push_back('\0');
    bytes->append(element->value.raw());
    name.Next();
  }
}

// Applies edits in order to its own copy of the document.
class Editor {
 public:
  Editor(std::string_view document, const EditLimits& limits, std::string* edited)
      : limits_(limits), document_(*edited) {
    document_ = document;
  }

  Failure Apply(const Edit& edit) {
    if (edit.kind == Edit::Kind::kMove) return Move(edit);
    if (edit.kind == Edit::Kind::kRemove) return Remove(edit.path);
    const Value value = edit.value.view();
    if (value.missing()) return Fail(ErrorKind::kNoValue);
    switch (edit.kind) {
      case Edit::Kind::kAdd: return Add(edit.path, value);
      case Edit::Kind::kReplace: return Replace(edit.path, value);
      case Edit::Kind::kIncrement: return Increment(edit.path, value);
      default: return Set(edit.path, value);
    }
  }

 private:
  Failure Add(const Path& path, Value value) {
    Location at;
    if (auto error = Find(path, &at)) return error;
    if (at.there && at.in_array) return Insert(at, value);
    return Put(at, path, value);
  }

  Failure Set(const Path& path, Value value) {
    Location at;
    if (auto error = Find(path, &at)) return error;
    return Put(at, path, value);
  }

  Failure Replace(const Path& path, Value value) {
    Location at;
    if (auto error = FindThere(path, &at)) return error;
    return Put(at, path, value);
  }

  Failure Remove(const Path& path) {
    Location at;
    if (auto error = FindThere(path, &at)) return error;
    return TakeOut(at);
  }

  Failure Increment(const Path& path, Value by) {
    if (!by.IsNumber()) return Fail(ErrorKind::kNotANumber);
    Location at;
    if (auto error = Find(path, &at)) return error;
    if (!at.there) return Put(at, path, by);
    const Value number = at.element.value;
    if (!number.IsNumber()) return Fail(ErrorKind::kNotANumber);
    std::string bytes;
    Writer writer(&bytes);
    int64_t sum = 0;
    const bool whole = number.type() != Type::kDouble && by.type() != Type::kDouble;
    if (whole && !__builtin_add_overflow(number.AsInt64(), by.AsInt64(), &sum)) {
      writer.AppendInteger(at.element.name, sum);
    } else {
      const double real = number.AsDouble() + by.AsDouble();
      if (!std::isfinite(real)) return Fail(ErrorKind::kNotFinite);
      writer.AppendDouble(at.element.name, real);
    }
    return Splice(at, at.end, bytes);
  }

  Failure Move(const Edit& edit) {
    if (edit.path.IsWithin(edit.from)) return Fail(ErrorKind::kIntoItself);
    Location at;
    Failure error = FindThere(edit.from, &at);
    OwnedValue value;
    if (!error) {
      value = OwnedValue(at.element.value);
      error = TakeOut(at);
    }
    if (error) {
      error->from = true;
      return error;
    }
    return Add(edit.path, value.view());
  }

  Failure Find(const Path& path, Location* at) const {
    if (path.names().empty()) return Fail(ErrorKind::kNoPath);
    return Locate(document_, path, at);
  }

  Failure FindThere(const Path& path, Location* at) const {
    if (auto error = Find(path, at)) return error;
    if (at->there) return std::nullopt;
    return at->in_array ? Fail(ErrorKind::kOutOfBounds, path.names().back())
                        : Fail(ErrorKind::kNoTarget, path.names().back());
  }

  // Replaces the existing element, or appends after the last.
  Failure Put(const Location& at, const Path& path, Value value) {
    const std::string& last = path.names().back();
    if (!at.there && !at.in_array && last.find('\0') != std::string::npos) return Fail(ErrorKind::kBadName, last);
    if (auto error = CheckValue(at, value)) return error;
    const IndexName index(at.index);
    const std::string_view new_name = at.in_array ? index.view() : std::string_view(last);
    std::string bytes;
    Writer(&bytes).AppendValue(at.there ? at.element.name : new_name, value);
    return Splice(at, at.end, bytes);
  }

  Failure Insert(const Location& at, Value value) {
    if (auto error = CheckValue(at, value)) return error;
    std::string bytes;
    Writer(&bytes).AppendValue(IndexName(at.index).view(), value);
    AppendRenumbered(document_, at, at.begin, at.index + 1, &bytes);
    return Splice(at, EndOfParent(at), bytes);
  }

  Failure TakeOut(const Location& at) {
    std::string bytes;
    if (!at.in_array) return Splice(at, at.end, bytes);
    AppendRenumbered(document_, at, at.end, at.index, &bytes);
    return Splice(at, EndOfParent(at), bytes);
  }

  // Runs before anything is copied.
  Failure CheckValue(const Location& at, Value value) const {
    if (value.raw().size() > limits_.bytes_max) return Fail(ErrorKind::kTooLarge);
    const int depth_left = limits_.depth_max - static_cast<int>(at.around.size());
    return IsWithinDepth(value, depth_left) ? std::nullopt : Fail(ErrorKind::kTooDeep);
  }

  size_t EndOfParent(const Location& at) const {
    const size_t parent = at.around.back();
    return parent + static_cast<size_t>(LengthAt(document_, parent)) - 1;
  }

  // Replaces the bytes from the location's begin to `end`, and updates the lengths of the enclosing documents.
  Failure Splice(const Location& at, size_t end, std::string_view bytes) {
    const size_t removed = end - at.begin;
    const size_t size = document_.size() - removed + bytes.size();
    if (size > document_.size() && size > limits_.bytes_max) return Fail(ErrorKind::kTooLarge);
    document_.replace(at.begin, removed, bytes);
    const auto growth = static_cast<int32_t>(static_cast<int64_t>(bytes.size()) - static_cast<int64_t>(removed));
    for (const size_t around : at.around) {
      const int32_t length = LengthAt(document_, around) + growth;
      std::memcpy(document_.data() + around, &length, sizeof(length));
    }
    return std::nullopt;
  }

  const EditLimits& limits_;
  std::string& document_;
};

}  // namespace

std::optional<EditError> ApplyEdits(std::string_view document, std::span<const Edit> edits, const EditLimits& limits,
                                    std::string* edited) {
  Editor editor(document, limits, edited);
  for (size_t i = 0; i < edits.size(); ++i) {
    if (auto error = editor.Apply(edits[i])) {
      error->edit = i;
      edited->clear();
      return error;
    }
  }
  return std::nullopt;
}

}  // namespace lapse::doc
