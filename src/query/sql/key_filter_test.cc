#include "query/sql/key_filter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "query/sql/parse.h"
#include "query/values/json_text.h"

namespace lapse::query::sql {
namespace {

// Returns the keys that the filter leaves: values in the order of the paths, `*` for any.
std::string KeysOf(const std::string& text, const std::vector<std::string>& paths) {
  auto tree = Parse(text);
  EXPECT_TRUE(tree.ok()) << text;
  if (!tree.ok()) return "";
  std::vector<doc::Path> parsed;
  parsed.reserve(paths.size());
  for (const std::string& path : paths) parsed.push_back(*doc::Path::FromSlashes(path));
  std::string empty_array("\x05\0\0\0\0", 5);
  const Parameter parameters[] = {
      {"@p", Value::String("p")}, {"@n", Value::Double(2)}, {"@a", Value::Array(empty_array)}};
  std::string keys;
  for (const FilteredKey& key : KeysOfFilter(tree->query(), parameters, parsed)) {
    if (!keys.empty()) keys += ' ';
    for (const auto& value : key) {
      if (&value != key.data()) keys += '/';
      if (value) {
        AppendJson(*value, &keys);
      } else {
        keys += '*';
      }
    }
  }
  return keys.empty() ? "none" : keys;
}

std::string KeysOf(const std::string& filter) {
  return KeysOf("SELECT * FROM c WHERE " + filter, {"/k"});
}

TEST(KeyFilterTest, EqualityAndIn) {
  EXPECT_EQ(KeysOf("c.k = 'x'"), R"("x")");
  EXPECT_EQ(KeysOf("'x' = c[\"k\"]"), R"("x")");
  EXPECT_EQ(KeysOf("c.k = @p AND c.a > 1"), R"("p")");
  EXPECT_EQ(KeysOf("c.k IN (1, null, true, @p)"), R"(1 null true "p")");
  EXPECT_EQ(KeysOf("c.a = 1 AND (c.k = 1 OR c.k = -2.5)"), "1 -2.5");
  EXPECT_EQ(KeysOf("(c.id = 'a' AND c.k = 1) OR (c.id = 'b' AND c.k = 2)"), "1 2");
  EXPECT_EQ(KeysOf("c.k = 1 AND c.k IN (1, 2)"), "1");
  EXPECT_EQ(KeysOf("c.k = 2 AND c.k = @n"), "2.0");
  EXPECT_EQ(KeysOf("c.k = 1 AND c.k = 2"), "none");
}

TEST(KeyFilterTest, EverythingElseSaysNothing) {
  for (const char* filter :
       {"c.k > 1", "c.k != 1", "NOT (c.k = 1)", "c.k NOT IN (1)", "c.k = 1 OR c.a = 1", "c.k = c.a", "c.k = undefined",
        "c.k = @a", "c.k IN (1, @a)", "c.k IN (1, c.a)", "c.k.x = 1", "c.a.k = 1", "c.k[0] = 1", "true",
        "EXISTS(SELECT VALUE c.k = 1)", "IIF(c.k = 1, true, true)"}) {
    EXPECT_EQ(KeysOf(filter), "*") << filter;
  }
  EXPECT_EQ(KeysOf("SELECT * FROM c", {"/k"}), "*");
  EXPECT_EQ(KeysOf("SELECT * FROM c.k WHERE k.k = 1", {"/k"}), "*");
  EXPECT_EQ(KeysOf("SELECT * FROM c IN c.x WHERE c.k = 1", {"/k"}), "*");
  EXPECT_EQ(KeysOf("SELECT * FROM root r WHERE r.k = 1", {"/k"}), "1");
  EXPECT_EQ(KeysOf("SELECT c.a, t FROM c JOIN t IN c.tags WHERE t.k = 2 AND c.k = 1", {"/k"}), "1");
  EXPECT_EQ(KeysOf("SELECT * FROM c WHERE c.a.b = 1", {"/a/b"}), "1");
}

TEST(KeyFilterTest, SeveralPaths) {
  const std::vector<std::string> paths = {"/a", "/b"};
  EXPECT_EQ(KeysOf("SELECT * FROM c WHERE c.a = 1 AND c.b = 2", paths), "1/2");
  EXPECT_EQ(KeysOf("SELECT * FROM c WHERE c.a = 1", paths), "1/*");
  EXPECT_EQ(KeysOf("SELECT * FROM c WHERE c.b = 2", paths), "*/2");
  EXPECT_EQ(KeysOf("SELECT * FROM c WHERE c.a IN (1, 2) AND c.b IN (3, 4)", paths), "1/3 1/4 2/3 2/4");
}

TEST(KeyFilterTest, TooManyKeysSayNothing) {
  std::string list = "0";
  for (size_t i = 1; i < kFilteredKeysMax; ++i) list += "," + std::to_string(i);
  EXPECT_NE(KeysOf("c.k IN (" + list + ")"), "*");
  EXPECT_EQ(KeysOf("c.k IN (" + list + ",-1)"), "*");
  // If two conditions are too many together, one of them counts.
  EXPECT_EQ(KeysOf("SELECT * FROM c WHERE c.a IN (1, 2) AND c.b IN (" + list + ")", {"/a", "/b"}), "1/* 2/*");
}

}  // namespace
}  // namespace lapse::query::sql
