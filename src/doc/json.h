// JSON to BSON and back, one pass each.
//
// In: key order is kept; integers that fit int32 become int32, those that fit int64 int64, all other numbers doubles.
// Refused with kInvalidArgument (kTooLarge for size): malformed JSON, invalid UTF-8, unpaired surrogates, duplicate
// names within one object, names with a NUL character, numbers beyond the range of a double, too deep, too large.
// Out: JSON types as themselves, a whole double keeps its ".0" so that it stays a double; NaN and infinities as the
// strings "NaN", "Infinity", "-Infinity"; what JSON does not have as relaxed Extended JSON ({"$oid": ...},
// {"$date": ...}, {"$binary": ...}, {"$numberDecimal": ...}, ...).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"
#include "doc/value.h"

namespace lapse::doc {

struct JsonLimits {
  int depth_max = 128;  // the outermost object or array is depth 1
  size_t bytes_max = 2 * 1024 * 1024;
};

// Appends the document to `bson`; on an error `bson` is as it was. The text must be one JSON object.
Status JsonToBson(std::string_view json, const JsonLimits& limits, std::string* bson);
// The same for one JSON array; the result is a BSON array's bytes (names "0", "1", ...).
Status JsonArrayToBson(std::string_view json, const JsonLimits& limits, std::string* bson);

// Appends to `json`. The bytes must be well formed. A missing value prints as null.
void ObjectToJson(std::string_view document, std::string* json);
void ArrayToJson(std::string_view array, std::string* json);
void ValueToJson(Value value, std::string* json);
// Appends the text as a JSON string with its quotes.
void StringToJson(std::string_view text, std::string* json);
// Appends only the members of the document, `"a":1,"b":2`, without the braces, leaving out the top-level names for
// which `skip` says so (null: none). For callers that add members of their own.
using SkipName = bool (*)(std::string_view name);
void MembersToJson(std::string_view document, SkipName skip, std::string* json);

// Whether the bytes are one well-formed BSON document within the limits: lengths, terminators, types, UTF-8, depth.
// For bytes from a client or a disk, before any view looks at them.
Status Validate(std::string_view document, int depth_max);

}  // namespace lapse::doc
