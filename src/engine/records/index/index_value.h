// How the values of documents become parts of index keys: keys sort by bytes as the values sort in ORDER BY
// (docs/design/index.md).
//
//   01 undefined   02 null   03 false   04 true
//   05 number      8 bytes: the greatest double that is not above it, so that it sorts; 2 bytes: what an integer is
//                  above that double. -0 is 0. What is no number comes before all numbers
//   06 string      its bytes, 00 as 00 FF, ended by 00 00. Of a longer one the first 256 bytes, ended by 00 01
//   07 array       08 object
//   09 other       the number of its BSON type (1)
//
// No value is the prefix of another one, so values may follow each other in a key.
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
  uint16_t above = 0;      // kNumber: not zero only for an integer that is no double
  std::string text;        // kString
  bool cut = false;        // kString: there is more of it than `text`
  uint8_t other_type = 0;  // kOther: the number of its BSON type

  // Whether this is all of the value. Otherwise only the document has all of it.
  bool exact() const { return !cut && kind != Kind::kArray && kind != Kind::kObject && kind != Kind::kOther; }
  bool operator==(const IndexValue&) const = default;
};

// Of a string. A longer one is cut.
constexpr size_t kIndexedStringBytesMax = 256;

// A missing value is undefined.
void PutIndexValue(std::string* out, doc::Value value);
void PutIndexValue(std::string* out, const IndexValue& value);
void PutUndefined(std::string* out);
// What all strings with this beginning have in front, and nothing else has. At most kIndexedStringBytesMax bytes of it
// count.
void PutStringBeginning(std::string* out, std::string_view beginning);

// Takes a value off the front. False when the bytes are none that PutIndexValue makes.
bool TakeIndexValue(std::string_view* bytes, IndexValue* value);

// Turns the order of values around: for descending parts of composite indexes.
void InvertBytes(std::string* bytes, size_t from);

}  // namespace lapse::engine
