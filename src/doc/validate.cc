#include <simdjson.h>

#include "base/bytes.h"
#include "doc/bson_sizes.h"
#include "doc/json.h"

namespace lapse::doc {
namespace {

// Size of `{}`: the length and the terminator.
constexpr size_t kDocumentMin = kLengthSize + 1;

Status Malformed(std::string_view problem) {
  return {Code::kInvalidArgument, std::string("malformed BSON: ").append(problem)};
}

bool IsUtf8(std::string_view text) {
  // Most names and many values are short ASCII, for which a call does not pay.
  constexpr size_t kShort = 32;
  if (text.size() > kShort) return simdjson::validate_utf8(text);
  for (unsigned char c : text) {
    if (c >= 0x80) return simdjson::validate_utf8(text);
  }
  return true;
}

// Takes text up to its NUL, the form of names and regular expressions.
bool TakeCString(ByteReader* reader) {
  size_t size = reader->rest().find('\0');
  if (size == std::string_view::npos) return false;
  return IsUtf8(reader->Take(size + 1));
}

// Takes a length and as many bytes, of which the last must be NUL.
bool TakeString(ByteReader* reader) {
  auto length = reader->LittleEndian<int32_t>();
  if (!reader->ok() || length < 1) return false;
  std::string_view text = reader->Take(static_cast<size_t>(length));
  if (!reader->ok() || text.back() != '\0') return false;
  return IsUtf8(text);
}

bool TakeBinary(ByteReader* reader) {
  auto length = reader->LittleEndian<int32_t>();
  uint8_t subtype = reader->Byte();
  if (!reader->ok() || length < 0) return false;
  ByteReader inside(reader->Take(static_cast<size_t>(length)));
  // Subtype 2 repeats its length inside the data.
  constexpr uint8_t kOldSubtype = 2;
  if (!reader->ok() || subtype != kOldSubtype) return reader->ok();
  auto inner = inside.LittleEndian<int32_t>();
  return inside.ok() && inner >= 0 && static_cast<size_t>(inner) == inside.rest().size();
}

bool TakeBool(ByteReader* reader) {
  uint8_t byte = reader->Byte();
  return reader->ok() && byte <= 1;
}

bool TakeFixed(ByteReader* reader, size_t size) {
  reader->Take(size);
  return reader->ok();
}

// Takes data that starts with its own length in four bytes, included in the length. Returns an empty view if that is
// impossible.
std::string_view TakeCounted(ByteReader* reader) {
  std::string_view rest = reader->rest();
  auto length = reader->LittleEndian<int32_t>();
  if (!reader->ok() || length < static_cast<int32_t>(kDocumentMin)) return {};
  if (!TakeFixed(reader, static_cast<size_t>(length) - kLengthSize)) return {};
  return rest.substr(0, static_cast<size_t>(length));
}

Status CheckDocument(std::string_view document, int depth_left);

Status CheckEmbedded(ByteReader* reader, int depth_left) {
  std::string_view document = TakeCounted(reader);
  if (document.empty()) return Malformed("the length of an embedded document is wrong");
  return CheckDocument(document, depth_left);
}

Status CheckCodeWithScope(ByteReader* reader, int depth_left) {
  ByteReader inside(TakeCounted(reader));
  inside.Take(kLengthSize);
  if (!inside.ok() || !TakeString(&inside)) return Malformed("code with scope is wrong");
  LAPSE_RETURN_IF_ERROR(CheckEmbedded(&inside, depth_left));
  return inside.AtEnd() ? Status::Ok() : Malformed("code with scope has bytes left over");
}

Status OkOr(bool ok, std::string_view problem) {
  return ok ? Status::Ok() : Malformed(problem);
}

Status CheckValue(uint8_t type, ByteReader* reader, int depth_left) {
  switch (static_cast<Type>(type)) {
    case Type::kUndefined:
    case Type::kNull:
    case Type::kMaxKey:
    case Type::kMinKey: return Status::Ok();
    case Type::kBool: return OkOr(TakeBool(reader), "a boolean is neither 0 nor 1");
    case Type::kInt32: return OkOr(TakeFixed(reader, sizeof(int32_t)), "an int32 is cut off");
    case Type::kDouble:
    case Type::kDate:
    case Type::kTimestamp:
    case Type::kInt64: return OkOr(TakeFixed(reader, sizeof(int64_t)), "a number is cut off");
    case Type::kDecimal128: return OkOr(TakeFixed(reader, kDecimal128Size), "a decimal128 is cut off");
    case Type::kObjectId: return OkOr(TakeFixed(reader, kObjectIdSize), "an object id is cut off");
    case Type::kString:
    case Type::kCode:
    case Type::kSymbol: return OkOr(TakeString(reader), "a string's length, terminator or UTF-8 is wrong");
    case Type::kBinary: return OkOr(TakeBinary(reader), "the length of a binary value is wrong");
    case Type::kRegex: return OkOr(TakeCString(reader) && TakeCString(reader), "a regular expression is wrong");
    case Type::kDbPointer:
      return OkOr(TakeString(reader) && TakeFixed(reader, kObjectIdSize), "a database pointer is wrong");
    case Type::kObject:
    case Type::kArray: return CheckEmbedded(reader, depth_left - 1);
    case Type::kCodeWithScope: return CheckCodeWithScope(reader, depth_left - 1);
    case Type::kMissing: break;
  }
  return Malformed("unknown type " + std::to_string(type));
}

// `document` has at least kDocumentMin bytes, and its length field matches its size.
Status CheckDocument(std::string_view document, int depth_left) {
  if (depth_left <= 0) return Malformed("documents are nested too deep");
  if (document.back() != '\0') return Malformed("a document has no terminator");
  ByteReader reader(document.substr(kLengthSize, document.size() - kDocumentMin));
  while (!reader.AtEnd()) {
    uint8_t type = reader.Byte();
    if (!TakeCString(&reader)) return Malformed("a name is not closed or not UTF-8");
    LAPSE_RETURN_IF_ERROR(CheckValue(type, &reader, depth_left));
  }
  return Status::Ok();
}

}  // namespace

Status Validate(std::string_view document, int depth_max) {
  ByteReader reader(document);
  if (TakeCounted(&reader).empty() || !reader.AtEnd()) return Malformed("the length of the document is wrong");
  return CheckDocument(document, depth_max);
}

}  // namespace lapse::doc
