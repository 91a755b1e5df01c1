#include "doc/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "doc/json.h"
#include "doc/path.h"
#include "doc/test_bson.h"
#include "doc/writer.h"

namespace lapse::doc {
namespace {

Value At(std::string_view bson, std::string_view path) {
  auto parsed = Path::FromSlashes(path);
  EXPECT_TRUE(parsed.ok()) << path;
  return FindPath(bson, *parsed);
}

std::optional<int64_t> WholeOf(double number) {
  std::string bson;
  Writer writer(&bson);
  writer.BeginDocument();
  writer.AppendDouble("n", number);
  writer.End();
  return Find(bson, "n").AsWholeNumber();
}

TEST(ReaderTest, WalksElementsInOrder) {
  std::string bson = Bson(R"({"b":1,"a":"x","":null})");
  Reader reader(bson);
  EXPECT_EQ(reader.Next()->name, "b");
  auto second = reader.Next();
  EXPECT_EQ(second->name, "a");
  EXPECT_EQ(second->value.AsString(), "x");
  auto third = reader.Next();
  EXPECT_EQ(third->name, "");
  EXPECT_EQ(third->value.type(), Type::kNull);
  EXPECT_FALSE(reader.Next());
  EXPECT_FALSE(reader.Next());
}

TEST(ReaderTest, AnEmptyDocumentHasNoElements) {
  std::string bson = Bson("{}");
  EXPECT_FALSE(Reader(bson).Next());
}

TEST(ReaderTest, StepsOverEveryType) {
  std::string bson;
  Writer writer(&bson);
  writer.BeginDocument();
  std::string empty = Bson("{}");
  std::string text("\x02\0\0\0x\0", 6);
  auto add = [&](Type type, std::string_view raw) { writer.AppendValue("x", Value(type, raw)); };
  add(Type::kDouble, std::string(8, '\1'));
  add(Type::kString, text);
  add(Type::kObject, empty);
  add(Type::kArray, empty);
  add(Type::kBinary, std::string("\x02\0\0\0\0ab", 7));
  add(Type::kUndefined, "");
  add(Type::kObjectId, std::string(12, '\1'));
  add(Type::kBool, std::string(1, '\1'));
  add(Type::kDate, std::string(8, '\1'));
  add(Type::kNull, "");
  add(Type::kRegex, std::string("a\0i\0", 4));
  add(Type::kDbPointer, text + std::string(12, '\1'));
  add(Type::kCode, text);
  add(Type::kSymbol, text);
  add(Type::kCodeWithScope, std::string("\x0F\0\0\0", 4) + text + empty);
  add(Type::kInt32, std::string(4, '\1'));
  add(Type::kTimestamp, std::string(8, '\1'));
  add(Type::kInt64, std::string(8, '\1'));
  add(Type::kDecimal128, std::string(16, '\1'));
  add(Type::kMaxKey, "");
  add(Type::kMinKey, "");
  writer.AppendInt32("last", 7);
  writer.End();
  ASSERT_TRUE(Validate(bson, 10).ok()) << Validate(bson, 10).ToString();
  EXPECT_EQ(Find(bson, "last").AsInt32(), 7);
}

TEST(ValueTest, NumbersConvert) {
  std::string bson = Bson(R"({"i":-5,"l":5000000000,"d":2.5})");
  EXPECT_EQ(Find(bson, "i").AsInt64(), -5);
  EXPECT_EQ(Find(bson, "i").AsDouble(), -5.0);
  EXPECT_EQ(Find(bson, "l").AsInt64(), 5000000000);
  EXPECT_EQ(Find(bson, "l").AsDouble(), 5e9);
  EXPECT_EQ(Find(bson, "d").AsDouble(), 2.5);
  EXPECT_TRUE(Find(bson, "d").IsNumber());
  EXPECT_FALSE(Find(bson, "nothing").IsNumber());
}

TEST(ValueTest, WholeNumbers) {
  std::string bson = Bson(R"({"i":5,"l":5000000000,"s":"5","b":true})");
  EXPECT_EQ(Find(bson, "i").AsWholeNumber(), 5);
  EXPECT_EQ(Find(bson, "l").AsWholeNumber(), 5000000000);
  EXPECT_EQ(Find(bson, "s").AsWholeNumber(), std::nullopt);
  EXPECT_EQ(Find(bson, "b").AsWholeNumber(), std::nullopt);
  EXPECT_EQ(Value().AsWholeNumber(), std::nullopt);
  EXPECT_EQ(WholeOf(5.0), 5);
  EXPECT_EQ(WholeOf(-0.0), 0);
  EXPECT_EQ(WholeOf(5.5), std::nullopt);
  EXPECT_EQ(WholeOf(-0x1p63), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(WholeOf(0x1p63), std::nullopt);
  EXPECT_EQ(WholeOf(1e300), std::nullopt);
  EXPECT_EQ(WholeOf(std::nan("")), std::nullopt);
  EXPECT_EQ(WholeOf(-HUGE_VAL), std::nullopt);
}

TEST(FindTest, FindsTopLevelNamesOnly) {
  std::string bson = Bson(R"({"a":{"b":1},"c":2})");
  EXPECT_EQ(Find(bson, "c").AsInt32(), 2);
  EXPECT_TRUE(Find(bson, "b").missing());
  EXPECT_TRUE(Find(bson, "").missing());
}

// Also if fewer bytes follow than are read at a time, and for names with non-ASCII bytes.
TEST(FindTest, FindsNamesOfAnyLength) {
  std::string json = "{";
  std::vector<std::string> names;
  for (size_t size = 0; size <= 40; ++size) {
    names.emplace_back(size, 'n');
    names.push_back(std::string(size, 'n') + "\xC3\xA9");
  }
  for (const std::string& name : names) json += (json.size() > 1 ? ",\"" : "\"") + name + "\":true";
  const std::string bson = Bson(json + "}");
  for (const std::string& name : names) {
    EXPECT_FALSE(Find(bson, name).missing()) << name;
    EXPECT_TRUE(Find(bson, name + "x").missing()) << name;
    const std::string alone = Bson("{\"" + name + "\":null}");
    EXPECT_EQ(Find(alone, name).type(), Type::kNull) << name;
    const Element element = *Reader(alone).Next();
    EXPECT_EQ(element.name, name);
    EXPECT_EQ(element.bytes(), alone.substr(4, alone.size() - 5));
  }
}

TEST(FindTest, TheFirstMatchCounts) {
  std::string bson;
  Writer writer(&bson);
  writer.BeginDocument();
  writer.AppendInt32("a", 1);
  writer.AppendInt32("a", 2);
  writer.End();
  EXPECT_EQ(Find(bson, "a").AsInt32(), 1);
}

TEST(FindPathTest, EntersObjectsAndArrays) {
  std::string bson = Bson(R"({"a":{"b":[10,{"c":"x"},[1,2]]},"s":"text","n":null,"0":"zero"})");
  EXPECT_EQ(At(bson, "/a/b/0").AsInt32(), 10);
  EXPECT_EQ(At(bson, "/a/b/1/c").AsString(), "x");
  EXPECT_EQ(At(bson, "/a/b/2/1").AsInt32(), 2);
  EXPECT_EQ(At(bson, "/a/b").type(), Type::kArray);
  EXPECT_EQ(At(bson, "/n").type(), Type::kNull);
  EXPECT_EQ(At(bson, "/0").AsString(), "zero");
}

TEST(FindPathTest, WhatIsNotThereIsMissing) {
  std::string bson = Bson(R"({"a":{"b":[10]},"s":"text"})");
  for (auto path : {"/x", "/a/x", "/a/b/1", "/a/b/00", "/a/b/-1", "/a/b/x", "/a/b/0/x", "/s/0", "/a/b/\"\"",
                    "/a/b/99999999999999999999999", "/a/b/0x", "/a/b/+0"}) {
    EXPECT_TRUE(At(bson, path).missing()) << path;
  }
}

TEST(FindPathTest, TheEmptyPathIsTheDocument) {
  std::string bson = Bson(R"({"a":1})");
  Value value = FindPath(bson, Path());
  EXPECT_EQ(value.type(), Type::kObject);
  EXPECT_EQ(value.AsDocument(), bson);
}

TEST(FindPathTest, ArraysAreEnteredByPositionWhateverTheirNames) {
  std::string array;
  Writer inner(&array);
  inner.BeginDocument();
  inner.AppendInt32("", 1);
  inner.AppendInt32("7", 2);
  inner.End();
  std::string bson;
  Writer writer(&bson);
  writer.BeginDocument();
  writer.AppendValue("a", Value(Type::kArray, array));
  writer.End();
  EXPECT_EQ(At(bson, "/a/1").AsInt32(), 2);
  EXPECT_TRUE(At(bson, "/a/7").missing());
}

}  // namespace
}  // namespace lapse::doc
