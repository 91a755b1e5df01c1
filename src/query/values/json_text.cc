#include "query/values/json_text.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "base/escape.h"
#include "doc/json.h"
#include "query/values/compare.h"

namespace lapse::query {
namespace {

void AppendQuoted(std::string_view text, ByteBuilder* out) {
  out->Append('"');
  size_t plain = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') continue;
    out->Append(text.substr(plain, i - plain));
    plain = i + 1;
    char buffer[kJsonEscapeCharsMax];
    out->Append(JsonEscape(c, &buffer));
  }
  out->Append(text.substr(plain));
  out->Append('"');
}

// The shortest digits and the position of the point: 0.00123 is "123" and -2, 1e21 is "1" and 22.
struct Digits {
  char text[kNumberTextMax];
  int count = 0;
  int point = 0;
};

Digits DigitsOf(double number) {
  char scientific[kNumberTextMax];
  const char* end =
      std::to_chars(scientific, scientific + sizeof(scientific), number, std::chars_format::scientific).ptr;
  const char* exponent = static_cast<const char*>(std::memchr(scientific, 'e', static_cast<size_t>(end - scientific)));
  Digits digits;
  for (const char* at = scientific; at < exponent; ++at) {
    if (*at != '.') digits.text[digits.count++] = *at;
  }
  ++exponent;
  if (*exponent == '+') ++exponent;
  std::from_chars(exponent, end, digits.point);
  ++digits.point;
  return digits;
}

// The exponents that are written out as zeros, smallest and largest.
constexpr int kPointMin = -5;
constexpr int kPointMax = 21;

char* Copy(const char* from, int count, char* to) {
  std::memcpy(to, from, static_cast<size_t>(count));
  return to + count;
}

char* Zeros(int count, char* to) {
  std::memset(to, '0', static_cast<size_t>(count));
  return to + count;
}

char* WriteScientific(const Digits& digits, char* to, char* end) {
  *to++ = digits.text[0];
  if (digits.count > 1) {
    *to++ = '.';
    to = Copy(digits.text + 1, digits.count - 1, to);
  }
  *to++ = 'e';
  if (digits.point > 0) *to++ = '+';
  return std::to_chars(to, end, digits.point - 1).ptr;
}

char* WriteDigits(const Digits& digits, char* to, char* end) {
  if (digits.point < kPointMin || digits.point > kPointMax) return WriteScientific(digits, to, end);
  if (digits.point <= 0) {
    *to++ = '0';
    *to++ = '.';
    return Copy(digits.text, digits.count, Zeros(-digits.point, to));
  }
  if (digits.count <= digits.point) return Zeros(digits.point - digits.count, Copy(digits.text, digits.count, to));
  to = Copy(digits.text, digits.point, to);
  *to++ = '.';
  return Copy(digits.text + digits.point, digits.count - digits.point, to);
}

bool AppendAt(Value value, ByteBuilder* out, int depth);

bool AppendContainer(Value value, ByteBuilder* out, int depth) {
  if (depth == kValueDepthMax) return false;
  const bool object = value.IsObject();
  out->Append(object ? '{' : '[');
  doc::Reader reader(value.AsDocument());
  bool first = true;
  while (auto element = reader.Next()) {
    if (!first) out->Append(',');
    first = false;
    if (object) {
      AppendQuoted(element->name, out);
      out->Append(':');
    }
    if (!AppendAt(Value::FromBson(element->value), out, depth + 1)) return false;
  }
  out->Append(object ? '}' : ']');
  return true;
}

bool AppendAt(Value value, ByteBuilder* out, int depth) {
  switch (value.kind()) {
    case Kind::kUndefined:
    case Kind::kNull: out->Append("null"); return true;
    case Kind::kBool: out->Append(value.AsBool() ? "true" : "false"); return true;
    case Kind::kInt64:
    case Kind::kDouble: {
      const bool finite = std::isfinite(value.AsDouble());
      if (!finite) out->Append('"');
      char buffer[kNumberTextMax];
      out->Append(NumberText(value, &buffer));
      if (!finite) out->Append('"');
      return true;
    }
    case Kind::kString: AppendQuoted(value.AsString(), out); return true;
    case Kind::kArray:
    case Kind::kObject: return AppendContainer(value, out, depth);
  }
  return false;
}

template <typename T>
void AppendScalar(doc::Type type, T scalar, std::string* json) {
  doc::ValueToJson(doc::Value(type, {reinterpret_cast<const char*>(&scalar), sizeof(scalar)}), json);
}

}  // namespace

void AppendJson(Value value, std::string* json) {
  switch (value.kind()) {
    case Kind::kUndefined: return;
    case Kind::kNull: json->append("null"); return;
    case Kind::kBool: json->append(value.AsBool() ? "true" : "false"); return;
    case Kind::kInt64: return AppendScalar(doc::Type::kInt64, value.AsInt64(), json);
    case Kind::kDouble: return AppendScalar(doc::Type::kDouble, value.AsDouble(), json);
    case Kind::kString: return doc::StringToJson(value.AsString(), json);
    case Kind::kArray: return doc::ArrayToJson(value.AsDocument(), json);
    case Kind::kObject: return doc::ObjectToJson(value.AsDocument(), json);
  }
}

std::string_view NumberText(Value number, char (*buffer)[kNumberTextMax]) {
  char* const begin = *buffer;
  char* const end = begin + kNumberTextMax;
  if (number.kind() == Kind::kInt64) {
    return {begin, static_cast<size_t>(std::to_chars(begin, end, number.AsInt64()).ptr - begin)};
  }
  const double real = number.AsDouble();
  if (std::isnan(real)) return "NaN";
  if (std::isinf(real)) return real > 0 ? "Infinity" : "-Infinity";
  if (real == 0) return "0";
  char* at = begin;
  if (real < 0) *at++ = '-';
  at = WriteDigits(DigitsOf(std::abs(real)), at, end);
  return {begin, static_cast<size_t>(at - begin)};
}

bool AppendCompactJson(Value value, Arena* arena, ByteBuilder* out) {
  return AppendAt(value, out, 0) && !arena->exhausted();
}

}  // namespace lapse::query
