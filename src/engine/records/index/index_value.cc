#include "engine/records/index/index_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/bytes.h"
#include "engine/records/ids/key_bytes.h"

namespace lapse::engine {
namespace {

using Kind = IndexValue::Kind;

constexpr std::string_view kEnd("\0\0", 2);
constexpr std::string_view kCutEnd("\0\1", 2);
constexpr char kEscape = '\xFF';
constexpr uint64_t kSign = uint64_t{1} << 63;
constexpr double kInt64End = 9223372036854775808.0;  // 2^63
// Up to here every integer is exact as a double.
constexpr double kAllIntegers = 9007199254740992.0;  // 2^53

// Maps doubles to integers that sort like them. NaN becomes 0, below all others.
uint64_t SortableDouble(double value) {
  if (std::isnan(value)) return 0;
  const auto bits = std::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

double FromSortableDouble(uint64_t bits) {
  if (bits == 0) return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>((bits & kSign) != 0 ? bits & ~kSign : ~bits);
}

void PutKind(std::string* out, Kind kind) {
  out->push_back(static_cast<char>(kind));
}

void PutNumber(std::string* out, double number, uint16_t above) {
  PutKind(out, Kind::kNumber);
  PutBigEndian(out, SortableDouble(number));
  out->push_back(static_cast<char>(above >> 8));
  out->push_back(static_cast<char>(above));
}

void PutInteger(std::string* out, int64_t integer) {
  auto below = static_cast<double>(integer);
  const bool rounded_up = below >= kInt64End || static_cast<int64_t>(below) > integer;
  if (rounded_up) below = std::nextafter(below, -kInt64End);
  PutNumber(out, below, static_cast<uint16_t>(integer - static_cast<int64_t>(below)));
}

void PutString(std::string* out, std::string_view text, bool cut) {
  PutKind(out, Kind::kString);
  PutEscaped(out, text.substr(0, kIndexedStringBytesMax));
  out->append(cut || text.size() > kIndexedStringBytesMax ? kCutEnd : kEnd);
}

// Returns true if a 64-bit integer can be this much above the double, with no other double between them.
bool CanBeAbove(double number, uint16_t above) {
  if (above == 0) return true;
  if (!(number >= -kInt64End && number < kInt64End) || std::abs(number) < kAllIntegers) return false;
  const double next = std::nextafter(number, kInt64End);
  return static_cast<double>(above) < next - number;
}

bool TakeNumber(ByteReader* reader, IndexValue* value) {
  const uint64_t bits = reader->BigEndian<uint64_t>();
  const int high = reader->Byte();
  value->above = static_cast<uint16_t>(high << 8 | reader->Byte());
  value->number = FromSortableDouble(bits);
  return reader->ok() && SortableDouble(value->number) == bits && CanBeAbove(value->number, value->above);
}

// Decodes the string at the front. Returns how many bytes it takes, or 0.
size_t TakeString(std::string_view bytes, IndexValue* value) {
  size_t at = 0;
  while (true) {
    const size_t zero = bytes.find('\0', at);
    if (zero == std::string_view::npos || zero + 1 == bytes.size()) return 0;
    value->text.append(bytes.substr(at, zero - at));
    const char next = bytes[zero + 1];
    at = zero + 2;
    if (value->text.size() > kIndexedStringBytesMax) return 0;
    if (next == kEscape) {
      value->text.push_back('\0');
      continue;
    }
    value->cut = next == kCutEnd[1];
    const bool is_end = value->cut ? value->text.size() == kIndexedStringBytesMax : next == kEnd[1];
    return is_end ? at : 0;
  }
}

}  // namespace

void PutUndefined(std::string* out) {
  PutKind(out, Kind::kUndefined);
}

void PutIndexValue(std::string* out, doc::Value value) {
  switch (value.type()) {
    case doc::Type::kMissing:
    case doc::Type::kUndefined: return PutKind(out, Kind::kUndefined);
    case doc::Type::kNull: return PutKind(out, Kind::kNull);
    case doc::Type::kBool: return PutKind(out, value.AsBool() ? Kind::kTrue : Kind::kFalse);
    case doc::Type::kInt32:
    case doc::Type::kInt64: return PutInteger(out, value.AsInt64());
    case doc::Type::kDouble: return PutNumber(out, value.AsDouble(), 0);
    case doc::Type::kString: return PutString(out, value.AsString(), false);
    case doc::Type::kArray: return PutKind(out, Kind::kArray);
    case doc::Type::kObject: return PutKind(out, Kind::kObject);
    default: break;
  }
  PutKind(out, Kind::kOther);
  out->push_back(static_cast<char>(value.type()));
}

void PutIndexValue(std::string* out, const IndexValue& value) {
  switch (value.kind) {
    case Kind::kNumber: return PutNumber(out, value.number, value.above);
    case Kind::kString: return PutString(out, value.text, value.cut);
    case Kind::kOther: PutKind(out, value.kind); return out->push_back(static_cast<char>(value.other_type));
    default: return PutKind(out, value.kind);
  }
}

void PutStringBeginning(std::string* out, std::string_view beginning) {
  PutKind(out, Kind::kString);
  PutEscaped(out, beginning.substr(0, kIndexedStringBytesMax));
}

bool TakeIndexValue(std::string_view* bytes, IndexValue* value) {
  ByteReader reader(*bytes);
  IndexValue taken;
  taken.kind = static_cast<Kind>(reader.Byte());
  if (!reader.ok()) return false;
  switch (taken.kind) {
    case Kind::kUndefined:
    case Kind::kNull:
    case Kind::kFalse:
    case Kind::kTrue:
    case Kind::kArray:
    case Kind::kObject: break;
    case Kind::kNumber:
      if (!TakeNumber(&reader, &taken)) return false;
      break;
    case Kind::kString: {
      const size_t taken_bytes = TakeString(reader.rest(), &taken);
      if (taken_bytes == 0) return false;
      bytes->remove_prefix(1 + taken_bytes);
      *value = std::move(taken);
      return true;
    }
    case Kind::kOther:
      taken.other_type = reader.Byte();
      if (!reader.ok()) return false;
      break;
    default: return false;
  }
  *bytes = reader.rest();
  *value = std::move(taken);
  return true;
}

void InvertBytes(std::string* bytes, size_t from) {
  std::transform(bytes->begin() + static_cast<ptrdiff_t>(from), bytes->end(),
                 bytes->begin() + static_cast<ptrdiff_t>(from), [](char byte) { return static_cast<char>(~byte); });
}

}  // namespace lapse::engine
