// Changes of documents: a list of edits turns a document into another one. Each edit sees what those before it left.
//
// A path goes through objects by name and through arrays by index (`0`); everything but its last name must be there.
// What becomes of the place that the last name says:
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

// A value with its own copy of the bytes.
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
  int depth_max = 128;                  // as JsonLimits has it
  size_t bytes_max = 16 * 1024 * 1024;  // of the document after each edit that makes it grow; 2 GiB at the most
};

// Why a list of edits cannot be applied.
struct EditError {
  enum class Kind : uint8_t {
    kNoPath,       // it leads to the whole document
    kNoParent,     // `name` leads to nothing that could hold another value
    kNoTarget,     // the object does not have the last name
    kOutOfBounds,  // the array does not have the index `name`
    kNotAnIndex,   // `name` is no place in an array
    kBadName,      // BSON cannot hold the name
    kNoValue,      // the edit needs a value
    kNotANumber,   // what is to be added, or what it is to be added to
    kNotFinite,    // a sum that is no number any more
    kIntoItself,   // a value cannot move to where it is, nor into itself
    kTooDeep,
    kTooLarge,
  };
  Kind kind = Kind::kNoPath;
  size_t edit = 0;    // which one of the list, from 0
  bool from = false;  // it is about the path `from`
  std::string name;   // the name of the path that it is about, where it is about one
};

// Fails without a trace: `edited` is then empty. The document must be well formed; what comes out is.
std::optional<EditError> ApplyEdits(std::string_view document, std::span<const Edit> edits, const EditLimits& limits,
                                    std::string* edited);

}  // namespace lapse::doc
