#include "doc/path.h"

#include <gtest/gtest.h>

namespace lapse::doc {
namespace {

using Names = std::vector<std::string>;

Names ParseSlashes(std::string_view text) {
  auto path = Path::FromSlashes(text);
  EXPECT_TRUE(path.ok()) << text << ": " << path.status().ToString();
  return path.ok() ? path->names() : Names{};
}

TEST(PathTest, PlainNames) {
  EXPECT_EQ(ParseSlashes("/a"), Names({"a"}));
  EXPECT_EQ(ParseSlashes("/address/city"), Names({"address", "city"}));
  EXPECT_EQ(ParseSlashes("/a b/\xC3\xBC/0"), Names({"a b", "\xC3\xBC", "0"}));
  EXPECT_EQ(ParseSlashes("/a\"b\\c"), Names({"a\"b\\c"})) << "quotes count only at the start of a name";
}

TEST(PathTest, QuotedNames) {
  EXPECT_EQ(ParseSlashes(R"(/"a/b"/c)"), Names({"a/b", "c"}));
  EXPECT_EQ(ParseSlashes(R"(/x/"say \"hi\" \\ bye")"), Names({"x", R"(say "hi" \ bye)"}));
  EXPECT_EQ(ParseSlashes(R"(/"")"), Names({""}));
}

TEST(PathTest, WrongPathsAreRefusedWithAReason) {
  for (std::string_view text :
       {"", "a", "a/b", "/", "//", "/a/", "/a//b", R"(/"a)", R"(/"a"b)", R"(/"a\n")", R"(/"a\)", R"("a")"}) {
    auto path = Path::FromSlashes(text);
    ASSERT_FALSE(path.ok()) << text;
    EXPECT_EQ(path.status().code(), Code::kInvalidArgument);
    EXPECT_NE(path.status().message().find("path"), std::string::npos);
  }
  EXPECT_FALSE(Path::FromSlashes(std::string_view("/a\0b", 4)).ok());
}

Names ParsePointer(std::string_view text) {
  auto path = Path::FromPointer(text, 4);
  EXPECT_TRUE(path.ok()) << text << ": " << path.status().ToString();
  return path.ok() ? path->names() : Names{};
}

TEST(PathTest, Pointers) {
  EXPECT_EQ(ParsePointer(""), Names());
  EXPECT_EQ(ParsePointer("/"), Names({""}));
  EXPECT_EQ(ParsePointer("/a/0/-"), Names({"a", "0", "-"}));
  EXPECT_EQ(ParsePointer("/a//b/"), Names({"a", "", "b", ""}));
  EXPECT_EQ(ParsePointer("/a~1b/~0/~01"), Names({"a/b", "~", "~1"}));
  EXPECT_EQ(ParsePointer(R"(/"q"/ )"), Names({R"("q")", " "}));
  for (const char* text : {"", "/", "/a//b/", "/a~1b/~0/~01"}) EXPECT_EQ(Path::FromPointer(text, 4)->ToPointer(), text);
}

TEST(PathTest, WrongPointersAreRefusedWithAReason) {
  for (std::string_view text : {"a", "a/b", " /a", "/~", "/a~/b", "/~2", "/a~", "/1/2/3/4/5"}) {
    auto path = Path::FromPointer(text, 4);
    ASSERT_FALSE(path.ok()) << text;
    EXPECT_EQ(path.status().code(), Code::kInvalidArgument);
    EXPECT_NE(path.status().message().find("path"), std::string::npos);
  }
  EXPECT_FALSE(Path::FromPointer(std::string_view("/a\0b", 4), 4).ok());
}

TEST(PathTest, WithinAnother) {
  const Path a({"a"}), ab({"a", "b"}), b({"b"});
  EXPECT_TRUE(a.IsWithin(a));
  EXPECT_TRUE(ab.IsWithin(a));
  EXPECT_FALSE(a.IsWithin(ab));
  EXPECT_FALSE(b.IsWithin(a));
  EXPECT_TRUE(b.IsWithin(Path()));
}

}  // namespace
}  // namespace lapse::doc
