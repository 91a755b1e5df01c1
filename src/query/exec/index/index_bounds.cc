#include "query/exec/index/index_bounds.h"

#include <cstdint>
#include <cstring>

#include "doc/value.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/index/index_value.h"

namespace lapse::query::exec {
namespace {

using engine::IndexValue;
using plan::Cut;
using plan::ValueType;

IndexValue::Kind FirstKindOf(ValueType type) {
  switch (type) {
    case ValueType::kUndefined: return IndexValue::Kind::kUndefined;
    case ValueType::kNull: return IndexValue::Kind::kNull;
    case ValueType::kBool: return IndexValue::Kind::kFalse;
    case ValueType::kNumber: return IndexValue::Kind::kNumber;
    case ValueType::kString: return IndexValue::Kind::kString;
    case ValueType::kArray: return IndexValue::Kind::kArray;
    case ValueType::kObject: return IndexValue::Kind::kObject;
  }
  return IndexValue::Kind::kUndefined;
}

std::string BytesBefore(ValueType type) {
  return std::string(1, static_cast<char>(FirstKindOf(type)));
}

std::string BytesAfter(ValueType type) {
  if (type == ValueType::kObject) return std::string(1, static_cast<char>(IndexValue::Kind::kOther));
  return BytesBefore(static_cast<ValueType>(static_cast<uint8_t>(type) + 1));
}

template <typename T>
void PutNumber(doc::Type type, T number, std::string* bytes) {
  char raw[sizeof(T)];
  std::memcpy(raw, &number, sizeof(raw));
  engine::PutIndexValue(bytes, doc::Value(type, std::string_view(raw, sizeof(raw))));
}

void PutKind(IndexValue::Kind kind, std::string* bytes) {
  IndexValue value;
  value.kind = kind;
  engine::PutIndexValue(bytes, value);
}

struct CutBytes {
  std::string bytes;
  bool exact = true;
};

// Entries before the cut sort before these bytes, and all others after them. If the cut is inexact, indistinguishable
// entries are after the bytes when it begins a range, and before them when it ends one.
CutBytes BytesOf(const Cut& cut, bool begins) {
  CutBytes made;
  switch (cut.side) {
    case Cut::Side::kBeforeType: return {BytesBefore(cut.type), true};
    case Cut::Side::kAfterType: return {BytesAfter(cut.type), true};
    case Cut::Side::kAfterBeginning:
      engine::PutStringBeginning(&made.bytes, cut.value.AsString());
      made.exact = cut.value.AsString().size() <= engine::kIndexedStringBytesMax;
      if (made.exact || !begins) made.bytes = PrefixEnd(made.bytes);
      return made;
    case Cut::Side::kBefore:
    case Cut::Side::kAfter: break;
  }
  made.exact = PutEntryValue(cut.value, &made.bytes);
  const bool behind = made.exact ? cut.side == Cut::Side::kAfter : !begins;
  if (behind) made.bytes = PrefixEnd(made.bytes);
  return made;
}

}  // namespace

bool PutEntryValue(Value value, std::string* bytes) {
  switch (value.kind()) {
    case Kind::kUndefined: PutKind(IndexValue::Kind::kUndefined, bytes); return true;
    case Kind::kNull: PutKind(IndexValue::Kind::kNull, bytes); return true;
    case Kind::kBool: PutKind(value.AsBool() ? IndexValue::Kind::kTrue : IndexValue::Kind::kFalse, bytes); return true;
    case Kind::kInt64: PutNumber(doc::Type::kInt64, value.AsInt64(), bytes); return true;
    case Kind::kDouble: PutNumber(doc::Type::kDouble, value.AsDouble(), bytes); return true;
    case Kind::kString: {
      IndexValue text;
      text.kind = IndexValue::Kind::kString;
      text.cut = value.AsString().size() > engine::kIndexedStringBytesMax;
      text.text = value.AsString().substr(0, engine::kIndexedStringBytesMax);
      engine::PutIndexValue(bytes, text);
      return !text.cut;
    }
    case Kind::kArray: PutKind(IndexValue::Kind::kArray, bytes); return false;
    case Kind::kObject: PutKind(IndexValue::Kind::kObject, bytes); return false;
  }
  return false;
}

EntryBounds BoundsOf(const plan::ValueRange& range) {
  CutBytes from = BytesOf(range.from, true);
  CutBytes to = BytesOf(range.to, false);
  return {std::move(from.bytes), std::move(to.bytes), from.exact && to.exact};
}

}  // namespace lapse::query::exec
