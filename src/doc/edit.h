// Edits of documents: a list of edits turns one document into another. Each edit sees the result of those before it.
//
// A path descends into objects by name and into arrays by index (`0`). Everything but its last name must exist. This
// happens at the position that the last name selects:
//
//               of an object              of an array
//               not there    there        there             `-` or one after the last   beyond
//   kAdd        made         overwritten  inserted before   appended                    kOutOfBounds
//   kSet        made         overwritten  overwritten       appended                    kOutOfBounds
//   kReplace    kNoTarget    overwritten  overwritten       kOutOfBounds                kOutOfBounds
//   kRemove     kNoTarget    taken out    taken out         kOutOfBounds                kOutOfBounds
//   kIncrement  made         added to     added to          appended                    kOutOfBounds
//   kMove       takes the value at `from` out, then adds it at `path`
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "doc/path.h"
#include "doc/value.h"

namespace lapse::doc {

// A value that owns a copy of its bytes.
class OwnedValue {
 public:
  OwnedValue() = default;
  explicit OwnedValue(Value value) : type_(value.type()), raw_(value.raw()) {}

  Value view() const { return {type_, raw_}; }
  size_t bytes() const { return raw_.size(); }

 private:
  Type type_ = Type::kMissing;
  std::string raw_;
};

struct Edit {
  enum class Kind : uint8_t { kAdd, kSet, kReplace, kRemove, kIncrement, kMove };
  Kind kind = Kind::kSet;
  Path path;
  OwnedValue value;  // not for kRemove and kMove
  Path from;         // for kMove
};

struct EditLimits {
  int depth_max = 128;                  // see JsonLimits
  size_t bytes_max = 16 * 1024 * 1024;  // of the document after each edit that makes it grow; at most 2 GiB
};

// Why a list of edits was rejected.
struct EditError {
  enum class Kind : uint8_t {
    kNoPath,       // the path is that of the whole document
    kNoParent,     // `name` leads to no object or array
    kNoTarget,     // the object has no member with the last name
    kOutOfBounds,  // the array has no element with the index `name`
    kNotAnIndex,   // `name` is not an array index
    kBadName,      // BSON cannot store the name
    kNoValue,      // the edit needs a value
    kNotANumber,   // the operand or the existing value is not a number
    kNotFinite,    // the sum is not finite
    kIntoItself,   // a value cannot move to its own position or into itself
    kTooDeep,
    kTooLarge,
  };
  Kind kind = Kind::kNoPath;
  size_t edit = 0;    // index of the edit in the list
  bool from = false;  // concerns the path `from`
  std::string name;   // the name in the path that caused the error, if any
};

// On failure `edited` is empty. The document must be well formed, and so is the result.
std::optional<EditError> ApplyEdits(std::string_view document, std::span<const Edit> edits, const EditLimits& limits,
                                    std::string* edited);

}  // namespace lapse::doc
