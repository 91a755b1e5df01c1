// Converts JSON to BSON and back, in one pass each.
//
// Parsing keeps the order of keys. An integer becomes an int32 if it fits, else an int64 if that fits. All other
// numbers become doubles. Rejects with kInvalidArgument (kTooLarge for size): malformed JSON, invalid UTF-8, unpaired
// surrogates, duplicate names within an object, names with a NUL character, numbers beyond the range of a double, and
// text that is too deep or too large.
//
// Printing writes JSON types as themselves. A whole double keeps its ".0", so that it stays a double. NaN and
// infinities become the strings "NaN", "Infinity" and "-Infinity". Types that JSON lacks become relaxed Extended JSON
// ({"$oid": ...}, {"$date": ...}, {"$binary": ...}, {"$numberDecimal": ...}, ...).
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

// Appends the document to `bson`, which is unchanged on error. The text must be one JSON object.
Status JsonToBson(std::string_view json, const JsonLimits& limits, std::string* bson);
// Same for one JSON array, which becomes the bytes of a BSON array (names "0", "1", ...).
Status JsonArrayToBson(std::string_view json, const JsonLimits& limits, std::string* bson);

// These append to `json`. The bytes must be well formed. A missing value prints as null.
void ObjectToJson(std::string_view document, std::string* json);
void ArrayToJson(std::string_view array, std::string* json);
void ValueToJson(Value value, std::string* json);
// Appends the text as a JSON string with its quotes.
void StringToJson(std::string_view text, std::string* json);
// Appends only the members of the document, `"a":1,"b":2`, without the braces. Omits the top-level names for which
// `skip` returns true (null: none). For callers that add members of their own.
using SkipName = bool (*)(std::string_view name);
void MembersToJson(std::string_view document, SkipName skip, std::string* json);

// Checks that the bytes are one well-formed BSON document within the limits: lengths, terminators, types, UTF-8, depth.
// Required before any view reads bytes from a client or a disk.
Status Validate(std::string_view document, int depth_max);

}  // namespace lapse::doc
