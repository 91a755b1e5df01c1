#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <set>
#include <string>

#include "doc/json.h"
#include "doc/test_bson.h"
#include "doc/writer.h"

namespace lapse::doc {
namespace {

using namespace std::string_literals;

constexpr int kDepth = 10;

std::string One(Type type, std::string_view raw) {
  std::string bson;
  Writer writer(&bson);
  writer.BeginDocument();
  writer.AppendValue("x", Value(type, raw));
  writer.End();
  return bson;
}

// Returns a document with a value of every type.
std::string Sample() {
  std::string text("\x05\0\0\0t\xC3\xA9t\0", 9);
  std::string scope = Bson(R"({"s":1})");
  std::string code_with_scope = std::string(1, static_cast<char>(4 + text.size() + scope.size())) + "\0\0\0"s;
  std::string bson;
  Writer writer(&bson);
  writer.BeginDocument();
  writer.AppendDouble("double", 1.5);
  writer.AppendString("string", "text");
  writer.BeginObject("object");
  writer.BeginArray("array");
  writer.AppendNull("0");
  writer.End();
  writer.End();
  writer.AppendValue("binary", Value(Type::kBinary, "\2\0\0\0\0ab"s));
  writer.AppendValue("old", Value(Type::kBinary, "\6\0\0\0\2\2\0\0\0ab"s));
  writer.AppendValue("undefined", Value(Type::kUndefined, ""));
  writer.AppendValue("id", Value(Type::kObjectId, std::string(12, 'i')));
  writer.AppendBool("bool", true);
  writer.AppendValue("date", Value(Type::kDate, std::string(8, '\1')));
  writer.AppendValue("regex", Value(Type::kRegex, "a\0i\0"s));
  writer.AppendValue("pointer", Value(Type::kDbPointer, text + std::string(12, 'i')));
  writer.AppendValue("code", Value(Type::kCode, text));
  writer.AppendValue("symbol", Value(Type::kSymbol, text));
  writer.AppendValue("scoped", Value(Type::kCodeWithScope, code_with_scope + text + scope));
  writer.AppendInt32("int", 1);
  writer.AppendValue("time", Value(Type::kTimestamp, std::string(8, '\1')));
  writer.AppendInt64("long", 1);
  writer.AppendValue("decimal", Value(Type::kDecimal128, std::string(16, '\1')));
  writer.AppendValue("min", Value(Type::kMinKey, ""));
  writer.AppendValue("max", Value(Type::kMaxKey, ""));
  writer.End();
  return bson;
}

// Copies the document element by element. An identical copy shows that the reader neither skips nor repeats anything.
std::string Rewrite(std::string_view document) {
  std::string bson;
  Writer writer(&bson);
  writer.BeginDocument();
  Reader reader(document);
  while (auto element = reader.Next()) {
    const Value value = element->value;
    const bool nested = value.type() == Type::kObject || value.type() == Type::kArray;
    const std::string inner = nested ? Rewrite(value.AsDocument()) : std::string(value.raw());
    writer.AppendValue(element->name, Value(value.type(), inner));
  }
  writer.End();
  return bson;
}

// A document that passes must be readable to its end and print as valid JSON.
void ExpectUsable(std::string_view document) {
  EXPECT_EQ(Rewrite(document), document);
  std::string json;
  ObjectToJson(document, &json);
  std::string bson;
  const Status parsed = JsonToBson(json, {}, &bson);
  // BSON allows duplicate names in an object, JSON does not.
  EXPECT_TRUE(parsed.ok() || parsed.message().find("twice") != std::string::npos) << parsed.ToString() << " " << json;
}

// Validates a copy of exactly the right size, so that a sanitizer detects any read past the end.
Status ValidateExactly(std::string_view bytes) {
  std::unique_ptr<char[]> copy(new char[bytes.size()]);
  bytes.copy(copy.get(), bytes.size());
  std::string_view document(copy.get(), bytes.size());
  Status status = Validate(document, kDepth);
  if (status.ok()) {
    ExpectUsable(document);
  } else {
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    EXPECT_FALSE(status.message().empty());
  }
  return status;
}

// Returns where elements of the document end, and the offset of the first.
std::set<size_t> ElementEnds(std::string_view document) {
  std::set<size_t> ends = {sizeof(int32_t)};
  Reader reader(document);
  while (auto element = reader.Next()) {
    const std::string_view raw = element->value.raw();
    ends.insert(static_cast<size_t>(raw.data() + raw.size() - document.data()));
  }
  return ends;
}

TEST(ValidateTest, AcceptsEveryType) {
  Status status = ValidateExactly(Sample());
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_TRUE(ValidateExactly(Bson("{}")).ok());
}

TEST(ValidateTest, RefusesEveryPrefixAndAnyBytesAfter) {
  std::string sample = Sample();
  for (size_t size = 0; size < sample.size(); ++size) {
    EXPECT_EQ(ValidateExactly(sample.substr(0, size)).code(), Code::kInvalidArgument) << size;
  }
  EXPECT_FALSE(ValidateExactly(sample + '\0').ok());
}

TEST(ValidateTest, OfCutsWhoseLengthSaysSoAcceptsThoseBetweenElements) {
  const std::string sample = Sample();
  const std::set<size_t> ends = ElementEnds(sample);
  for (size_t size = 5; size < sample.size(); ++size) {
    std::string cut = sample.substr(0, size);
    auto length = static_cast<int32_t>(size);
    std::memcpy(cut.data(), &length, sizeof(length));
    EXPECT_FALSE(ValidateExactly(cut).ok()) << size << ": not terminated";
    cut.back() = '\0';
    EXPECT_EQ(ValidateExactly(cut).ok(), ends.contains(size - 1)) << size;
  }
}

// ValidateExactly checks the result.
TEST(ValidateTest, WithAnyByteChangedItIsUsableOrRefused) {
  const std::string sample = Sample();
  size_t accepted = 0;
  for (size_t at = 0; at < sample.size(); ++at) {
    std::string mutated = sample;
    for (int byte = 0; byte < 256; ++byte) {
      mutated[at] = static_cast<char>(byte);
      const bool ok = ValidateExactly(mutated).ok();
      if (mutated == sample) {
        EXPECT_TRUE(ok) << at;
        continue;
      }
      const bool framing = at < sizeof(int32_t) || at == sample.size() - 1;
      EXPECT_FALSE(ok && framing) << at << " is now " << byte;
      accepted += ok ? 1 : 0;
    }
  }
  EXPECT_GT(accepted, 0U) << "values may be anything";
}

TEST(ValidateTest, RefusesWrongValues) {
  const std::pair<Type, std::string> wrong[] = {
      {Type::kBool, "\2"},
      {Type::kString, "\1\0\0\0x"s},
      {Type::kString, "\0\0\0\0"s},
      {Type::kString, "\xFF\xFF\xFF\xFF"s},
      {Type::kString, "\xFF\xFF\xFF\x7F"s},
      {Type::kString, "\3\0\0\0\xC3x\0"s},
      {Type::kCode, "\2\0\0\0\xFF\0"s},
      {Type::kRegex, "\xFF\0\0"s},
      {Type::kBinary, "\xFF\xFF\xFF\xFF\0"s},
      {Type::kBinary, "\6\0\0\0\2\3\0\0\0ab"s},
      {Type::kBinary, "\2\0\0\0\2ab"s},
      {Type::kObject, "\4\0\0\0"s},
      {Type::kObject, "\5\0\0\0\1"s},
      {Type::kObject, "\0\0\0\0\0"s},
      {Type::kObject, "\xFF\xFF\xFF\xFF\0"s},
      {Type::kArray, "\xFF\xFF\xFF\x7F\0"s},
      {Type::kCodeWithScope, "\x0E\0\0\0\1\0\0\0\0\4\0\0\0\0"s},
      {Type::kCodeWithScope, "\x0F\0\0\0\1\0\0\0\0\5\0\0\0\0\0"s},
      {Type::kCodeWithScope, "\5\0\0\0\0"s},
      {static_cast<Type>(0x14), ""},
      {static_cast<Type>(0x80), ""},
  };
  for (const auto& [type, raw] : wrong) {
    EXPECT_EQ(ValidateExactly(One(type, raw)).code(), Code::kInvalidArgument)
        << static_cast<int>(type) << " of " << raw.size() << " bytes";
  }
}

TEST(ValidateTest, NamesAreUtf8) {
  EXPECT_FALSE(ValidateExactly("\x08\0\0\0\x0A\xFF\0\0"s).ok());
  EXPECT_TRUE(ValidateExactly("\x09\0\0\0\x0A\xC3\xA9\0\0"s).ok());
}

TEST(ValidateTest, DepthIsLimited) {
  std::string bson = Bson(R"({"a":{"b":[1]}})");
  EXPECT_TRUE(Validate(bson, 3).ok());
  EXPECT_EQ(Validate(bson, 2).code(), Code::kInvalidArgument);
  EXPECT_FALSE(Validate(Bson("{}"), 0).ok());
  std::string scoped = One(Type::kCodeWithScope, "\x0E\0\0\0\1\0\0\0\0\5\0\0\0\0"s);
  EXPECT_TRUE(Validate(scoped, 2).ok()) << Validate(scoped, 2).ToString();
  EXPECT_FALSE(Validate(scoped, 1).ok());
}

}  // namespace
}  // namespace lapse::doc
