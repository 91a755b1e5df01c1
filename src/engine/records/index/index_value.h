// Encodes the values of documents as parts of index keys. The keys' bytes sort as ORDER BY sorts the values
// (docs/design/index.md).
//
//   01 undefined   02 null   03 false   04 true
//   05 number      8 bytes: the greatest double not above it, encoded so that it sorts; 2 bytes: how much an integer is
//                  above that double. -0 is 0. NaN sorts before all numbers
//   06 string      its bytes, 00 as 00 FF, ended by 00 00; of a longer one the first 256 bytes, ended by 00 01
//   07 array       08 object
//   09 other       the number of its BSON type (1)
//
// No encoded value is a prefix of another one, so values can be concatenated in a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "doc/value.h"

namespace lapse::engine {

struct IndexValue {
  enum class Kind : uint8_t {
    kUndefined = 1,
    kNull,
    kFalse,
    kTrue,
    kNumber,
    kString,
    kArray,
    kObject,
    kOther,
  };

  Kind kind = Kind::kUndefined;
  double number = 0;       // kNumber: the number, less `above`
  uint16_t above = 0;      // kNumber: nonzero only for an integer that is not a double
  std::string text;        // kString
  bool cut = false;        // kString: the string is longer than `text`
  uint8_t other_type = 0;  // kOther: the number of its BSON type

  // Returns true if this is the whole value. Otherwise only the document has all of it.
  bool exact() const { return !cut && kind != Kind::kArray && kind != Kind::kObject && kind != Kind::kOther; }
  bool operator==(const IndexValue&) const = default;
};

// Longer strings are cut.
constexpr size_t kIndexedStringBytesMax = 256;

// Appends the value. A missing one is undefined.
void PutIndexValue(std::string* out, doc::Value value);
void PutIndexValue(std::string* out, const IndexValue& value);
void PutUndefined(std::string* out);
// Appends the prefix that all strings with this beginning share, and no other values. Uses at most
// kIndexedStringBytesMax bytes of it.
void PutStringBeginning(std::string* out, std::string_view beginning);

// Decodes a value and removes it from the front of `bytes`. Returns false if PutIndexValue cannot have made the bytes.
bool TakeIndexValue(std::string_view* bytes, IndexValue* value);

// Reverses the order of values, for descending parts of composite indexes.
void InvertBytes(std::string* bytes, size_t from);

}  // namespace lapse::engine
