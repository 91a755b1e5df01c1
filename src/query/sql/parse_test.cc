#include "query/sql/parse.h"

#include <gtest/gtest.h>

#include <string>

#include "query/sql/long_text_fixture.h"
#include "query/sql/print.h"

namespace lapse::query::sql {
namespace {

// Returns the normal form, or the error.
std::string Normal(const std::string& text) {
  auto tree = Parse(text);
  return tree.ok() ? Print(tree->query(), Chains::kPairs) : tree.status().message();
}

// Returns the normal form of an expression.
std::string Form(const std::string& expression) {
  std::string normal = Normal("SELECT VALUE " + expression);
  const std::string begin = "SELECT VALUE ";
  return normal.starts_with(begin) ? normal.substr(begin.size()) : normal;
}

std::string Error(const std::string& code, const std::string& message, size_t begin, size_t end) {
  return R"({"errors":[{"severity":"Error","location":{"start":)" + std::to_string(begin) + R"(,"end":)" +
         std::to_string(end) + R"(},"code":")" + code + R"(","message":")" + message + R"("}]})";
}

std::string Near(const std::string& token, size_t begin) {
  return Error("SC1001", "Syntax error, incorrect syntax near '" + token + "'.", begin, begin + token.size());
}

std::string Invalid(const std::string& token, size_t begin) {
  return Error("SC1010", "Syntax error, invalid token '" + token + "'.", begin, begin + token.size());
}

std::string EndOfFile(size_t at) {
  return Error("SC1002", "Syntax error, unexpected end-of-file.", at, at);
}

// --- Words

TEST(ParseTest, KeywordsIgnoreCaseAndNamesKeepIt) {
  EXPECT_EQ(Normal("sElEcT VaLuE TrUe fRoM Cc wHeRe Cc.aB = NuLl"), "SELECT VALUE true FROM Cc WHERE (Cc.aB = null)");
  EXPECT_EQ(Form("UnDeFiNeD"), "undefined");
  EXPECT_EQ(Form("UDF.Twice(1)"), "udf.Twice(1)");
}

TEST(ParseTest, ReservedWordsAreNoNamesEvenAfterADot) {
  for (std::string word :
       {"AND",       "ARRAY",  "AS",       "ASC",    "BETWEEN", "BY",     "CASE",   "CAST",  "CONVERT",
        "CROSS",     "DESC",   "DISTINCT", "ELSE",   "END",     "ESCAPE", "EXISTS", "FALSE", "FOR",
        "FROM",      "GROUP",  "HAVING",   "IN",     "INNER",   "INSERT", "INTO",   "IS",    "JOIN",
        "LEFT",      "LIKE",   "LIMIT",    "NOT",    "NULL",    "OFFSET", "ON",     "OR",    "ORDER",
        "OUTER",     "OVER",   "RIGHT",    "SELECT", "SET",     "THEN",   "TOP",    "TRUE",  "UDF",
        "UNDEFINED", "UPDATE", "VALUE",    "WHEN",   "WHERE",   "WITH"}) {
    EXPECT_EQ(Normal("SELECT c." + word + " FROM c"), Near(word, 9)) << word;
    EXPECT_EQ(Normal("SELECT c[\"" + word + "\"] FROM c"), "SELECT c[\"" + word + "\"] FROM c");
    EXPECT_EQ(Normal("SELECT 1 AS " + word), Near(word, 12)) << word;
  }
  EXPECT_EQ(Normal("SELECT c.Order FROM c"), Near("Order", 9));
}

void ExpectPlainWord(const std::string& word) {
  EXPECT_EQ(Form(word), word);
  EXPECT_EQ(Form("(" + word + ")." + word), word + "." + word);
  EXPECT_EQ(Form(word + "(1)"), word + "(1)");
  std::string query = "SELECT * FROM " + word + " ORDER BY " + word + " DESC";
  EXPECT_EQ(Normal(query), query);
}

TEST(ParseTest, SomeWordsAreKeywordsInOnePlaceOnly) {
  for (std::string word : {"ALL", "FIRST", "LAST", "LET", "RANK", "ROOT"}) ExpectPlainWord(word);
  EXPECT_EQ(Form("LEFT('a', 1) || right('b', 2)"), R"((LEFT("a", 1) || right("b", 2)))");
  EXPECT_EQ(Form("LEFT"), Near("LEFT", 13));
}

TEST(ParseTest, Identifiers) {
  EXPECT_EQ(Form("_a1.B_2"), "_a1.B_2");
  EXPECT_EQ(Form("c.1a"), Invalid("1a", 15));
  EXPECT_EQ(Form("c.ä"), Error("SC1010", "Syntax error, invalid token 'ä'.", 15, 16));
}

TEST(ParseTest, Strings) {
  EXPECT_EQ(Form("'it\\'s'"), R"("it's")");
  EXPECT_EQ(Form("\"it's\""), R"("it's")");
  EXPECT_EQ(Form(R"('\"\\\/\b\f\n\r\t\u0041\u00e4\u20AC\ud83d\ude00')"), R"("\"\\/\b\f\n\r\tAä€😀")");
  EXPECT_EQ(Form("'ä😀'"), "\"ä😀\"");
  EXPECT_EQ(Form("''"), "\"\"");
  // A doubled quote is not an escape: these are two strings.
  EXPECT_EQ(Form("'a''b'"), Near("'b'", 16));
  EXPECT_EQ(Form(R"('\x')"), Error("SC1010", R"(Syntax error, invalid token ''\\x''.)", 13, 17));
  EXPECT_EQ(Form(R"('\u12')"), Error("SC1010", R"(Syntax error, invalid token ''\\u12''.)", 13, 19));
  EXPECT_EQ(Form(R"('\u12g4')"), Error("SC1010", R"(Syntax error, invalid token ''\\u12g4''.)", 13, 21));
  EXPECT_EQ(Form(R"('\ud83d')"), Error("SC1010", R"(Syntax error, invalid token ''\\ud83d''.)", 13, 21));
  EXPECT_EQ(Form(R"('\ud83d\u0041')"), Error("SC1010", R"(Syntax error, invalid token ''\\ud83d\\u0041''.)", 13, 27));
  EXPECT_EQ(Form(R"('\ude00')"), Error("SC1010", R"(Syntax error, invalid token ''\\ude00''.)", 13, 21));
  EXPECT_EQ(Form("'a"), Invalid("'a", 13));
  EXPECT_EQ(Form("'a\\'"), Error("SC1010", R"(Syntax error, invalid token ''a\\''.)", 13, 17));
}

TEST(ParseTest, Numbers) {
  EXPECT_EQ(Form("0"), "0");
  EXPECT_EQ(Form("007"), "7");
  EXPECT_EQ(Form("1.50"), "1.5");
  EXPECT_EQ(Form("1e3"), "1000");
  EXPECT_EQ(Form("1.5E+1"), "15");
  EXPECT_EQ(Form("15e-1"), "1.5");
  EXPECT_EQ(Form("0xFf"), "255");
  EXPECT_EQ(Form("0x7fffffffffffffff"), "9223372036854775807");
  EXPECT_EQ(Form("0x8000000000000000"), "9223372036854775808.0");
  EXPECT_EQ(Form("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(Form("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(Form("9223372036854775808"), "9223372036854775808.0");
  EXPECT_EQ(Form("1e-999"), "0");
  EXPECT_EQ(Form("-0"), "-0.0");
  EXPECT_EQ(Form("1e999"), Invalid("1e999", 13));
  for (std::string bad : {"1.", "1.e5", "1e", "1e+", "0x", "0xg", "12a", "1.5x", "1_0"}) {
    EXPECT_EQ(Form(bad), Invalid(bad, 13));
  }
  EXPECT_EQ(Form(".5"), Near(".", 13));
}

TEST(ParseTest, AMinusBelongsToANumberRightBehindItOnly) {
  EXPECT_EQ(Form("-1"), "-1");
  EXPECT_EQ(Form("- 1"), "(- 1)");
  EXPECT_EQ(Form("-(1)"), "(- 1)");
  EXPECT_EQ(Form("3-1"), "(3 - 1)");
  EXPECT_EQ(Form("3 -1"), "(3 - 1)");
  EXPECT_EQ(Form("3 - -1"), "(3 - -1)");
  EXPECT_EQ(Form("-c.a"), "(- c.a)");
  EXPECT_EQ(Form("-1[0]"), "(- (1)[0])");
  EXPECT_EQ(Form("(-1)[0]"), "(-1)[0]");
}

TEST(ParseTest, Parameters) {
  EXPECT_EQ(Form("@a + @B_1 + @1"), "((@a + @B_1) + @1)");
  EXPECT_EQ(Form("@"), Invalid("@", 13));
  EXPECT_EQ(Form("c.@a"), Near("@a", 15));
  EXPECT_EQ(Form("1 IN @a"), Near("@a", 18));
}

TEST(ParseTest, CommentsAndASemicolonAtTheEnd) {
  EXPECT_EQ(Normal("-- one\nSELECT /* two\n -- */ 1 -- three"), "SELECT 1");
  EXPECT_EQ(Normal("SELECT 1 ;"), "SELECT 1");
  EXPECT_EQ(Normal("SELECT 1;;"), Near(";", 9));
  EXPECT_EQ(Normal("SELECT 1; SELECT 2"), Near("SELECT", 10));
  EXPECT_EQ(Normal("SELECT 1 /* x"), Invalid("/* x", 9));
}

TEST(ParseTest, InvalidTokens) {
  EXPECT_EQ(Form("1 ! 2"), Invalid("!", 15));
  EXPECT_EQ(Form("1 == 2"), Near("=", 16));
  EXPECT_EQ(Form("`a`"), Invalid("`", 13));
  EXPECT_EQ(Form("€"), Error("SC1010", "Syntax error, invalid token '€'.", 13, 14));
  std::string not_utf8 = "SELECT '\xff'";
  EXPECT_EQ(Normal(not_utf8), R"({"errors":[{"severity":"Error","code":"SC1010",)"
                              R"("message":"Syntax error, the query text is not valid UTF-8."}]})");
  EXPECT_EQ(Normal(std::string("SELECT 1\0", 9)), Error("SC1010", R"(Syntax error, invalid token '\u0000'.)", 8, 9));
}

TEST(ParseTest, PositionsCountUtf16Units) {
  // One unit for ä, two for the emoji.
  EXPECT_EQ(Form("'ä' = ?"), Near("?", 19));
  EXPECT_EQ(Form("'😀' = ?"), Near("?", 20));
}

TEST(ParseTest, ALongTokenIsCutInTheMessage) {
  std::string error = Form("'" + std::string(1000, 'x') + "' 'y" + std::string(1000, 'y') + "'");
  EXPECT_LT(error.size(), 500u);
  EXPECT_NE(error.find("...'"), std::string::npos);
}

// --- Precedence, tight to loose

TEST(ParseTest, PropertiesBindTighterThanUnaryOperators) {
  EXPECT_EQ(Form("NOT c.a[0]['b']"), R"((NOT c.a[0]["b"]))");
  EXPECT_EQ(Form("- + ~ NOT c.a"), "(- (+ (~ (NOT c.a))))");
  EXPECT_EQ(Form("{a: 1}.a"), R"({"a": 1}.a)");
  EXPECT_EQ(Form("[1, 2][0]"), "[1, 2][0]");
  EXPECT_EQ(Form("F(1).a"), "F(1).a");
  EXPECT_EQ(Form("(SELECT 1).a"), "(SELECT 1).a");
  EXPECT_EQ(Form("@p.a[1]"), "@p.a[1]");
}

TEST(ParseTest, UnaryOperatorsBindTighterThanAnyBinaryOne) {
  EXPECT_EQ(Form("NOT a = b"), "((NOT a) = b)");
  EXPECT_EQ(Form("-a * ~b"), "((- a) * (~ b))");
  EXPECT_EQ(Form("NOT a AND NOT b"), "((NOT a) AND (NOT b))");
  EXPECT_EQ(Form("NOT a IN (1)"), "((NOT a) IN (1))");
}

TEST(ParseTest, BinaryOperatorsByLevel) {
  EXPECT_EQ(Form("a + b * c / d % e"), "(a + (((b * c) / d) % e))");
  EXPECT_EQ(Form("a - b & c ^ d | e + f"), "(((((a - b) & c) ^ d) | e) + f)");
  EXPECT_EQ(Form("a || b + c || d"), "((a || (b + c)) || d)");
  EXPECT_EQ(Form("a = b || c != d"), "((a = (b || c)) != d)");
  EXPECT_EQ(Form("a < b > c <= d >= e <> f << g >> h >>> i"),
            "((((((((a < b) > c) <= d) >= e) != f) << g) >> h) >>> i)");
  EXPECT_EQ(Form("a AND b = c OR d"), "((a AND (b = c)) OR d)");
  EXPECT_EQ(Form("a OR b AND c OR d"), "((a OR (b AND c)) OR d)");
  EXPECT_EQ(Form("a ?? b OR c"), "(a ?? (b OR c))");
  EXPECT_EQ(Form("a ?? b ?? c"), "(a ?? (b ?? c))");
  EXPECT_EQ(Form("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
  EXPECT_EQ(Form("a ?? b ? c ?? d : e ?? f"), "((a ?? b) ? (c ?? d) : (e ?? f))");
  EXPECT_EQ(Form("(a OR b) AND (c OR d)"), "((a OR b) AND (c OR d))");
}

TEST(ParseTest, TestsBindTighterThanAndAndLooserThanComparisons) {
  EXPECT_EQ(Form("a = b IN (1, 2) AND c"), "(((a = b) IN (1, 2)) AND c)");
  EXPECT_EQ(Form("a NOT IN (b OR c, d ? e : f)"), "(a NOT IN ((b OR c), (d ? e : f)))");
  EXPECT_EQ(Form("a || b LIKE c || d OR e"), "(((a || b) LIKE (c || d)) OR e)");
  EXPECT_EQ(Form("a NOT LIKE 'x' ESCAPE '!' AND b"), R"(((a NOT LIKE "x" ESCAPE "!") AND b))");
  EXPECT_EQ(Form("a BETWEEN 1 + 1 AND 2 AND b"), "((a BETWEEN (1 + 1) AND 2) AND b)");
  EXPECT_EQ(Form("a AND x BETWEEN 1 AND 2"), "(a AND (x BETWEEN 1 AND 2))");
  EXPECT_EQ(Form("a OR x NOT BETWEEN 1 AND 2 OR b"), "((a OR (x NOT BETWEEN 1 AND 2)) OR b)");
  EXPECT_EQ(Form("a IN (1) IN (2)"), Near("IN", 22));
  EXPECT_EQ(Form("a LIKE 'b' LIKE 'c'"), Near("LIKE", 24));
  EXPECT_EQ(Form("a LIKE 'b' ESCAPE 1"), Near("1", 31));
  EXPECT_EQ(Form("a NOT b"), Near("NOT", 15));
}

// --- Expressions

TEST(ParseTest, Objects) {
  EXPECT_EQ(Form("{a: 1, 'b c': 2, \"d\": {}}"), R"({"a": 1, "b c": 2, "d": {}})");
  EXPECT_EQ(Form("{order: 1}"), Near("order", 14));
  EXPECT_EQ(Form("{'a' 1}"), Near("1", 18));
  EXPECT_EQ(Form(R"({"a\u0000": 1})"), Error("SC1010", R"(Syntax error, invalid token '\"a\\u0000\"'.)", 14, 23));
}

TEST(ParseTest, SubqueriesInExpressions) {
  EXPECT_EQ(Form("exists(SELECT 1)"), "EXISTS(SELECT 1)");
  EXPECT_EQ(Form("array (SELECT 1)"), "ARRAY(SELECT 1)");
  EXPECT_EQ(Form("all ( SELECT 1)"), "ALL(SELECT 1)");
  EXPECT_EQ(Form("first(SELECT 1)"), "FIRST(SELECT 1)");
  EXPECT_EQ(Form("last(SELECT 1)"), "LAST(SELECT 1)");
  EXPECT_EQ(Form("(SELECT 1) + 1"), "((SELECT 1) + 1)");
  EXPECT_EQ(Form("EXISTS"), EndOfFile(19));
  EXPECT_EQ(Form("(SELECT 1, 2"), EndOfFile(25));
}

TEST(ParseTest, Let) {
  EXPECT_EQ(Form("(LET x = c.a + 1 IN x * x)"), "(LET x = (c.a + 1) IN (x * x))");
  EXPECT_EQ(Form("(let x = 1 IN x = 2)"), "(LET x = 1 IN (x = 2))");
  EXPECT_EQ(Form("(LET x = 1)"), Near(")", 23));
  EXPECT_EQ(Form("LET x = 1 IN x"), Near("x", 17));
}

TEST(ParseTest, Calls) {
  EXPECT_EQ(Form("F()"), "F()");
  EXPECT_EQ(Form("F(1, [], {}, (SELECT 1))"), "F(1, [], {}, (SELECT 1))");
  EXPECT_EQ(Form("udf.F(1)"), "udf.F(1)");
  EXPECT_EQ(Form("udf.F"), EndOfFile(18));
  EXPECT_EQ(Form("udf(1)"), Near("(", 16));
  EXPECT_EQ(Form("c.f(1)"), Near("(", 16));
}

// --- Clauses

TEST(ParseTest, Select) {
  EXPECT_EQ(Normal("SELECT DISTINCT TOP 5 VALUE c.a FROM c"), "SELECT DISTINCT TOP 5 VALUE c.a FROM c");
  EXPECT_EQ(Normal("SELECT TOP @n *"), "SELECT TOP @n *");
  EXPECT_EQ(Normal("SELECT TOP 1.5 *"), "SELECT TOP 1.5 *");
  EXPECT_EQ(Normal("SELECT TOP -1 *"), Near("-", 11));
  EXPECT_EQ(Normal("SELECT TOP 5 DISTINCT *"), Near("DISTINCT", 13));
  EXPECT_EQ(Normal("SELECT c.a a, c.b AS b, c.c 'c', c.d AS \"d\", c.e"),
            "SELECT c.a AS a, c.b AS b, c.c AS c, c.d AS d, c.e");
  EXPECT_EQ(Normal("SELECT *, 1"), Near(",", 8));
  EXPECT_EQ(Normal("SELECT 1, *"), Near("*", 10));
  EXPECT_EQ(Normal("SELECT c.* FROM c"), Near("*", 9));
  EXPECT_EQ(Normal("SELECT VALUE 1 AS a"), Near("AS", 15));
  EXPECT_EQ(Normal("SELECT 1 AS"), EndOfFile(11));
  EXPECT_EQ(Normal(R"(SELECT 1 AS "\u0000")"),
            Error("SC1010", R"(Syntax error, invalid token '\"\\u0000\"'.)", 12, 20));
  EXPECT_EQ(Normal(""), EndOfFile(0));
  EXPECT_EQ(Normal("UPDATE c"), Near("UPDATE", 0));
}

TEST(ParseTest, From) {
  EXPECT_EQ(Normal("SELECT * FROM c x"), "SELECT * FROM c AS x");
  EXPECT_EQ(Normal("SELECT * FROM c.a['b c'][0].d AS x"), R"(SELECT * FROM c.a["b c"][0].d AS x)");
  EXPECT_EQ(Normal("SELECT * FROM x IN c.a"), "SELECT * FROM x IN c.a");
  EXPECT_EQ(Normal("SELECT * FROM c JOIN x IN c.a JOIN (SELECT 1) y JOIN z IN (SELECT 1)"),
            "SELECT * FROM c JOIN x IN c.a JOIN (SELECT 1) AS y JOIN z IN (SELECT 1)");
  EXPECT_EQ(Normal("SELECT * FROM c[@p]"), Near("@p", 16));
  EXPECT_EQ(Normal("SELECT * FROM c[1.5]"), Near("1.5", 16));
  EXPECT_EQ(Normal("SELECT * FROM c, d"), Near(",", 15));
  EXPECT_EQ(Normal("SELECT * FROM c LEFT JOIN d"), Near("LEFT", 16));
  EXPECT_EQ(Normal("SELECT * FROM c JOIN d ON 1"), Near("ON", 23));
  EXPECT_EQ(Normal("SELECT * FROM x IN c.a AS y"), Near("AS", 23));
  EXPECT_EQ(Normal("SELECT * FROM"), EndOfFile(13));
  EXPECT_EQ(Normal("SELECT * FROM (c)"), Near("c", 15));
}

TEST(ParseTest, GroupByOrderByOffsetLimit) {
  EXPECT_EQ(Normal("SELECT c.a FROM c GROUP BY c.a, c.b + 1"), "SELECT c.a FROM c GROUP BY c.a, (c.b + 1)");
  EXPECT_EQ(Normal("SELECT * FROM c ORDER BY c.a, c.b DESC, c.c ASC OFFSET 1 LIMIT @n"),
            "SELECT * FROM c ORDER BY c.a ASC, c.b DESC, c.c ASC OFFSET 1 LIMIT @n");
  EXPECT_EQ(Normal("SELECT * FROM c ORDER BY VectorDistance(c.v, [1])"),
            "SELECT * FROM c ORDER BY VectorDistance(c.v, [1])");
  EXPECT_EQ(Normal("SELECT * FROM c ORDER BY RANK RRF(A(1), B(2)) DESC"),
            "SELECT * FROM c ORDER BY RANK RRF(A(1), B(2)) DESC");
  EXPECT_EQ(Normal("SELECT * FROM c OFFSET -1 LIMIT 1"), Near("-", 23));
  EXPECT_EQ(Normal("SELECT * FROM c OFFSET 1.5 LIMIT 1"), Near("1.5", 23));
  EXPECT_EQ(Normal("SELECT * FROM c LIMIT 1 OFFSET 1"), Near("LIMIT", 16));
  EXPECT_EQ(Normal("SELECT * FROM c ORDER BY c.a WHERE true"), Near("WHERE", 29));
  EXPECT_EQ(Normal("SELECT * FROM c HAVING true"), Near("HAVING", 16));
  EXPECT_EQ(Normal("SELECT * FROM c UNION SELECT 1"), Near("SELECT", 22));
}

// --- Limits

TEST(ParseTest, TheTextIsBounded) {
  std::string query = "SELECT 1";
  query += std::string(kTextBytesMax - query.size(), ' ');
  EXPECT_EQ(Normal(query), "SELECT 1");
  EXPECT_EQ(Normal(query + " "), R"({"errors":[{"severity":"Error","code":"SC3020","message":)"
                                 R"("The SQL query text exceeded the maximum limit of 524288 characters."}]})");
}

TEST(ParseTest, JoinsAreBoundedInAllQueriesTogether) {
  std::string ten = "SELECT * FROM c" + Repeat(" JOIN x IN c.a", 10);
  EXPECT_EQ(Normal(ten), ten);
  EXPECT_EQ(Normal(ten + " JOIN y IN c.b"),
            Error("SC3002", "The SQL query exceeded the maximum number of joins. The allowed limit is 10.", 156, 160));
  EXPECT_NE(Normal(ten + " WHERE EXISTS(SELECT 1 FROM c JOIN y IN c.b)").find("SC3002"), std::string::npos);
}

TEST(ParseTest, NestingIsBounded) {
  const std::string code = "SC3021";
  for (int depth : {1000, 100000}) {
    EXPECT_NE(Form(Repeat("(", depth) + "1" + Repeat(")", depth)).find(code), std::string::npos);
    EXPECT_NE(Form(Repeat("[", depth)).find(code), std::string::npos);
    EXPECT_NE(Form(Repeat("- ", depth) + "1").find(code), std::string::npos);
    EXPECT_NE(Form("1" + Repeat("+1", depth)).find(code), std::string::npos);
    EXPECT_NE(Form("c" + Repeat(".a", depth)).find(code), std::string::npos);
    EXPECT_NE(Form("c" + Repeat("[0]", depth)).find(code), std::string::npos);
    EXPECT_NE(Form("1" + Repeat("??1", depth)).find(code), std::string::npos);
    EXPECT_NE(Form("1" + Repeat("?1:1", depth)).find(code), std::string::npos);
  }
  EXPECT_NE(Form(Repeat("(LET x = ", 10000)).find(code), std::string::npos);
  EXPECT_NE(Form(Repeat("EXISTS(SELECT VALUE ", 10000)).find(code), std::string::npos);
  EXPECT_NE(Form("1 FROM " + Repeat("(SELECT * FROM ", 10000)).find(code), std::string::npos);
  EXPECT_NE(Form(Repeat("{a:", 10000)).find(code), std::string::npos);
  EXPECT_NE(Form(Repeat("F(", 10000)).find(code), std::string::npos);
  EXPECT_NE(Form("1" + Repeat(" IN (1", 10000)).find(code), std::string::npos);
  EXPECT_EQ(Normal("SELECT VALUE " + Repeat("- ", 300) + "1"),
            Error("SC3021", "The SQL query exceeded the maximum nesting depth. The allowed limit is 256.", 614, 614));
}

TEST(ParseTest, LongListsAndChainsAreNoNesting) {
  EXPECT_NE(Normal("SELECT * FROM c WHERE c.a = 1" + Repeat(" OR c.a = 1", 40000)).find("SELECT"), std::string::npos);
  EXPECT_NE(Normal("SELECT * FROM c WHERE c.a = 1" + Repeat(" AND c.a = 1", 40000)).find("SELECT"), std::string::npos);
  EXPECT_NE(Form("1 IN (1" + Repeat(",1", 200000) + ")").find("IN"), std::string::npos);
  // As LINQ writes it.
  auto tree = Parse("SELECT VALUE " + Repeat("(", 500) + "a OR b" + Repeat(") OR c", 500));
  ASSERT_TRUE(tree.ok());
  EXPECT_EQ(tree->query().items[0].expression->children.size(), 502u);
}

TEST(ParseTest, NodesKnowTheirPlace) {
  std::string text = "SELECT VALUE (c.a) + F(1) FROM c";
  auto tree = Parse(text);
  ASSERT_TRUE(tree.ok());
  auto place = [&](const Expression* e) { return text.substr(e->span.begin, e->span.end - e->span.begin); };
  const Expression* sum = tree->query().items[0].expression;
  EXPECT_EQ(place(sum), "(c.a) + F(1)");
  EXPECT_EQ(place(sum->children[0]), "c.a");
  EXPECT_EQ(place(sum->children[1]), "F(1)");
  EXPECT_EQ(tree->text(), text);
}

}  // namespace
}  // namespace lapse::query::sql
