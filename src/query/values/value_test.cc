#include "query/values/value.h"

#include <gtest/gtest.h>

#include "doc/json.h"
#include "doc/writer.h"
#include "query/values/builder.h"
#include "query/values/logic.h"
#include "query/values/test_value.h"

namespace lapse::query {
namespace {

TEST(ValueTest, IsUndefinedToBeginWith) {
  EXPECT_TRUE(Value().IsUndefined());
  EXPECT_EQ(Value().kind(), Kind::kUndefined);
}

TEST(ValueTest, ReadsEveryKindOfJson) {
  TestValues values;
  const Value object = values.One("{'s':'x','i':1,'l':5000000000,'d':1.5,'t':true,'n':null,'a':[1],'o':{'k':2}}");
  EXPECT_EQ(Property(object, "s").AsString(), "x");
  EXPECT_EQ(Property(object, "i").AsInt64(), 1);
  EXPECT_EQ(Property(object, "l").AsInt64(), 5000000000);
  EXPECT_EQ(Property(object, "d").AsDouble(), 1.5);
  EXPECT_TRUE(Property(object, "t").AsBool());
  EXPECT_TRUE(Property(object, "n").IsNull());
  EXPECT_TRUE(Property(object, "a").IsArray());
  EXPECT_EQ(Shown(Property(Property(object, "o"), "k")), "2");
}

TEST(ValueTest, WhatOnlyBsonHasIsUndefined) {
  std::string bson;
  doc::Writer writer(&bson);
  writer.BeginDocument();
  writer.AppendValue("d", doc::Value(doc::Type::kDate, std::string_view("\1\0\0\0\0\0\0\0", 8)));
  writer.End();
  EXPECT_TRUE(Property(Value::Object(bson), "d").IsUndefined());
}

TEST(ValueTest, PropertyOfWhatIsNoObjectIsUndefined) {
  TestValues values;
  for (const Value& value : values.List("undefined, null, true, 1, 1.5, 'a', [1], {}")) {
    EXPECT_TRUE(Property(value, "0").IsUndefined()) << Shown(value);
  }
}

TEST(ValueTest, ElementIsFoundByItsPlace) {
  TestValues values;
  const Value array = values.One("['a', 'b']");
  EXPECT_EQ(Shown(Element(array, 0)), "'a'");
  EXPECT_EQ(Shown(Element(array, 1)), "'b'");
  EXPECT_TRUE(Element(array, 2).IsUndefined());
  EXPECT_TRUE(Element(array, -1).IsUndefined());
  EXPECT_TRUE(Element(values.One("{'0': 1}"), 0).IsUndefined());
  EXPECT_TRUE(Element(values.One("'ab'"), 0).IsUndefined());
}

TEST(ValueTest, CountsElementsAndMembers) {
  TestValues values;
  EXPECT_EQ(CountOf(values.One("[]")), 0u);
  EXPECT_EQ(CountOf(values.One("[1, null, [2]]")), 3u);
  EXPECT_EQ(CountOf(values.One("{'a':1,'b':2}")), 2u);
}

TEST(LogicTest, FollowsTheThreeValuedTables) {
  TestValues values;
  struct Row {
    const char* a;
    const char* b;
    const char* both;
    const char* either;
  };
  const Row rows[] = {
      {"true", "true", "true", "true"},
      {"true", "false", "false", "true"},
      {"true", "undefined", "undefined", "true"},
      {"false", "false", "false", "false"},
      {"false", "undefined", "false", "undefined"},
      {"undefined", "undefined", "undefined", "undefined"},
      {"null", "true", "undefined", "true"},
      {"null", "false", "false", "undefined"},
      {"1", "true", "undefined", "true"},
      {"'x'", "false", "false", "undefined"},
  };
  for (const Row& row : rows) {
    const Value a = values.One(row.a);
    const Value b = values.One(row.b);
    EXPECT_EQ(Shown(And(a, b)), row.both) << row.a << " AND " << row.b;
    EXPECT_EQ(Shown(And(b, a)), row.both) << row.b << " AND " << row.a;
    EXPECT_EQ(Shown(Or(a, b)), row.either) << row.a << " OR " << row.b;
    EXPECT_EQ(Shown(Or(b, a)), row.either) << row.b << " OR " << row.a;
  }
}

TEST(LogicTest, NotIsForBoolsOnly) {
  TestValues values;
  EXPECT_EQ(Shown(Not(Value::Bool(true))), "false");
  EXPECT_EQ(Shown(Not(Value::Bool(false))), "true");
  for (const Value& value : values.List("undefined, null, 0, 'a', [], {}")) {
    EXPECT_TRUE(Not(value).IsUndefined()) << Shown(value);
  }
}

TEST(BuilderTest, MakesWhatTheParserOfJsonMakes) {
  TestValues values;
  const char* text = "{'s':'x','i':1,'l':5000000000,'d':1.5,'t':true,'f':false,'n':null,'a':[1,'b'],'o':{'k':2}}";
  const Value stored = values.One(text);
  Arena arena(1 << 20);
  ObjectBuilder builder(&arena);
  doc::Reader reader(stored.AsDocument());
  while (auto element = reader.Next()) builder.Add(element->name, Value::FromBson(element->value));
  EXPECT_EQ(builder.Finish().AsDocument(), stored.AsDocument());
}

TEST(BuilderTest, LeavesUndefinedOut) {
  Arena arena(1 << 20);
  ArrayBuilder array(&arena);
  array.Append(Value::Int64(1));
  array.Append(Value());
  array.Append(Value::String("b"));
  const Value list = array.Finish();
  EXPECT_EQ(Shown(list), "[1,'b']");
  EXPECT_EQ(doc::Find(list.AsDocument(), "1").AsString(), "b");
  ObjectBuilder object(&arena);
  object.Add("a", Value());
  object.Add("b", list);
  EXPECT_EQ(Shown(object.Finish()), "{'b':[1,'b']}");
}

TEST(BuilderTest, MakesValidBsonOfAnySize) {
  Arena arena(16 << 20);
  ArrayBuilder array(&arena);
  for (int i = 0; i < 100'000; ++i) array.Append(Value::Int64(i));
  const Value list = array.Finish();
  EXPECT_TRUE(doc::Validate(list.AsDocument(), 128).ok());
  EXPECT_EQ(CountOf(list), 100'000u);
  EXPECT_EQ(Element(list, 99'999).AsInt64(), 99'999);
}

TEST(BuilderTest, IsUndefinedBeyondTheBudget) {
  Arena arena(1000);
  ArrayBuilder array(&arena);
  for (int i = 0; i < 1000; ++i) array.Append(Value::Int64(i));
  EXPECT_TRUE(array.Finish().IsUndefined());
  EXPECT_TRUE(arena.exhausted());
}

TEST(BuilderTest, RefusesANameThatBsonCannotHave) {
  Arena arena(1000);
  ObjectBuilder object(&arena);
  object.Add(std::string_view("a\0b", 3), Value::Int64(1));
  EXPECT_TRUE(object.Finish().IsUndefined());
  EXPECT_FALSE(arena.exhausted());
}

TEST(BuilderTest, BuildersMayTakeTurns) {
  Arena arena(1 << 20);
  ArrayBuilder first(&arena);
  ArrayBuilder second(&arena);
  for (int i = 0; i < 1000; ++i) {
    first.Append(Value::Int64(i));
    second.Append(Value::String("s"));
  }
  EXPECT_TRUE(doc::Validate(first.Finish().AsDocument(), 8).ok());
  EXPECT_TRUE(doc::Validate(second.Finish().AsDocument(), 8).ok());
}

}  // namespace
}  // namespace lapse::query
