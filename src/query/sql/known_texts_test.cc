#include "query/sql/known_texts.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace lapse::query::sql {
namespace {

std::shared_ptr<const SyntaxTree> Parsed(KnownTexts* texts, const std::string& text) {
  Result<std::shared_ptr<const SyntaxTree>> tree = texts->Parse(text);
  EXPECT_TRUE(tree.ok()) << tree.status().message();
  return tree.ok() ? *tree : nullptr;
}

std::string Numbered(size_t i) {
  return "SELECT " + std::to_string(i);
}

TEST(KnownTexts, ATextIsParsedOnce) {
  KnownTexts texts;
  const auto first = Parsed(&texts, "SELECT * FROM c WHERE c.a = @a");
  EXPECT_EQ(Parsed(&texts, "SELECT * FROM c WHERE c.a = @a"), first);
  const auto other = Parsed(&texts, "SELECT * FROM c WHERE c.a = @b");
  EXPECT_NE(other, first);
  EXPECT_EQ(other->text(), "SELECT * FROM c WHERE c.a = @b");
}

TEST(KnownTexts, WhatIsWrongIsRefusedEachTime) {
  KnownTexts texts;
  const Result<std::shared_ptr<const SyntaxTree>> first = texts.Parse("SELECT FROM");
  const Result<std::shared_ptr<const SyntaxTree>> second = texts.Parse("SELECT FROM");
  ASSERT_FALSE(first.ok());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(first.status().message(), second.status().message());
}

TEST(KnownTexts, WhatIsAskedAgainStaysAndTheRestIsForgotten) {
  KnownTexts texts;
  const auto asked_often = Parsed(&texts, "SELECT 'often'");
  const std::weak_ptr<const SyntaxTree> asked_once = Parsed(&texts, "SELECT 'once'");
  for (size_t i = 0; i < 4 * KnownTexts::kGenerationTexts; ++i) {
    Parsed(&texts, Numbered(i));
    EXPECT_EQ(Parsed(&texts, "SELECT 'often'"), asked_often);
  }
  EXPECT_TRUE(asked_once.expired());
}

TEST(KnownTexts, ALongTextIsNotKept) {
  KnownTexts texts;
  const std::string text = "SELECT '" + std::string(KnownTexts::kTextBytes, 'x') + "'";
  const std::weak_ptr<const SyntaxTree> tree = Parsed(&texts, text);
  EXPECT_TRUE(tree.expired());
}

// A holder of a tree may use it for as long as it likes.
TEST(KnownTexts, AForgottenTreeIsStillGoodForWhoHoldsIt) {
  KnownTexts texts;
  const auto held = Parsed(&texts, "SELECT VALUE c.a FROM c");
  for (size_t i = 0; i < 3 * KnownTexts::kGenerationTexts; ++i) Parsed(&texts, Numbered(i));
  EXPECT_EQ(held->text(), "SELECT VALUE c.a FROM c");
  EXPECT_NE(Parsed(&texts, "SELECT VALUE c.a FROM c"), held);
}

}  // namespace
}  // namespace lapse::query::sql
