#include "query/sql/bind.h"

#include <gtest/gtest.h>

#include <string>

#include "query/sql/bind_fixture.h"
#include "query/sql/long_text_fixture.h"
#include "query/sql/print.h"
#include "query/sql/random_tree_fixture.h"

namespace lapse::query::sql {
namespace {

// --- Expressions

TEST(BindTest, Constants) {
  EXPECT_EQ(ExpressionOf("undefined"), "undefined");
  EXPECT_EQ(ExpressionOf("[null, true, false, -1, 1.5, 'a']"), R"([null, true, false, -1, 1.5, "a"])");
  EXPECT_EQ(ExpressionOf("NaN"), R"("NaN")");
  EXPECT_EQ(ExpressionOf("-Infinity"), R"(negate("Infinity"))");
  EXPECT_EQ(PlanOf("SELECT VALUE NaN FROM NaN"), "scan $0 | project $0 $1");
  EXPECT_EQ(PlanOf("SELECT VALUE nan"),
            ErrorAt("SELECT VALUE nan", "nan", "SC2001", "Identifier 'nan' could not be resolved."));
}

TEST(BindTest, Operators) {
  EXPECT_EQ(ExpressionOf("c.a + 1 = -c.b AND NOT c.d OR ~c.e >>> 2 || 'x'"),
            R"(or(and(=(+($0.a, 1), negate($0.b)), not($0.d)), >>>(~($0.e), ||(2, "x"))))");
  EXPECT_EQ(ExpressionOf("c.a ?? c.b ? 1 : 2"), "if(coalesce($0.a, $0.b), 1, 2)");
  EXPECT_EQ(ExpressionOf("c.a IN (1, 2)"), "in($0.a, 1, 2)");
  EXPECT_EQ(ExpressionOf("c.a NOT IN (1)"), "not(in($0.a, 1))");
  EXPECT_EQ(ExpressionOf("c.a NOT LIKE 'a!%' ESCAPE '!'"), R"(not(like($0.a, "a!%", "!")))");
  EXPECT_EQ(ExpressionOf("c.a BETWEEN 1 AND 2"), "between($0.a, 1, 2)");
  EXPECT_EQ(ExpressionOf("c.a NOT BETWEEN 1 AND 2"), "not(between($0.a, 1, 2))");
}

TEST(BindTest, PropertiesAndElements) {
  EXPECT_EQ(ExpressionOf("c.a['b'][0].d"), "$0.a.b[0].d");
  EXPECT_EQ(ExpressionOf("c[@p][@i]", R"({"@p": "x", "@i": 2})"), "$0.x[2]");
  EXPECT_EQ(ExpressionOf("{a: 1}.a"), R"({"a": 1}.a)");
  // Not an index of any array.
  EXPECT_EQ(ExpressionOf("c[-1]"), "undefined");
  EXPECT_EQ(ExpressionOf("c[1.5]"), "undefined");
  EXPECT_EQ(ExpressionOf("c[@i]", R"({"@i": null})"), "undefined");
  for (std::string index : {"1 + 1", "c.b", "LOWER('a')", "null", "true"}) {
    std::string text = "SELECT VALUE c.a[" + index + "] FROM c";
    EXPECT_EQ(PlanOf(text), Unsupported(text, index, "member indexer"));
  }
}

TEST(BindTest, ObjectsAndArrays) {
  EXPECT_EQ(ExpressionOf("{a: c.x, 'b c': [c.y, {}]}"), R"({"a": $0.x, "b c": [$0.y, {}]})");
  std::string text = "SELECT VALUE {a: 1, \"a\": 2}";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "\"a\"", "SC2003", "The property name 'a' is specified more than once."));
}

TEST(BindTest, Let) {
  EXPECT_EQ(ExpressionOf("(LET x = c.a IN x + x)"), "let $1($0.a, +($1, $1))");
  EXPECT_EQ(ExpressionOf("(LET c = c.a IN c)"), "let $1($0.a, $1)");
  std::string text = "SELECT (LET x = 1 IN x) + y";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "y", "SC2001", "Identifier 'y' could not be resolved."));
}

// A large parameter is not copied for each use.
TEST(BindTest, AParameterIsKeptOnce) {
  const std::string text = "SELECT VALUE [@p, @p, @p]";
  const Result<SyntaxTree> tree = Parse(text);
  ASSERT_TRUE(tree.ok());
  const std::string large(1000, 'x');
  const Parameter parameters[] = {{"@p", Value::String(large)}};
  const Result<plan::Plan> plan = Bind(*tree, parameters);
  ASSERT_TRUE(plan.ok());
  const auto uses = plan->query().last->expression->children;
  ASSERT_EQ(uses.size(), 3u);
  EXPECT_NE(uses[0]->value.AsString().data(), large.data());
  for (const plan::Expression* use : uses) {
    EXPECT_EQ(use->value.AsString(), large);
    EXPECT_EQ(use->value.AsString().data(), uses[0]->value.AsString().data());
  }
}

TEST(BindTest, ParametersAreAnyJsonValue) {
  EXPECT_EQ(ExpressionOf("[@a, @b, @c, @d, @e, @f]",
                         R"({"@a": null, "@b": true, "@c": 1.5, "@d": "x", "@e": [1], "@f": {"g": 2}})"),
            R"([null, true, 1.5, "x", [1], {"g":2}])");
  std::string text = "SELECT VALUE @A";
  EXPECT_EQ(PlanOf(text, R"({"@a": 1})"), ErrorAt(text, "@A", "SC2001", "Identifier '@A' could not be resolved."));
}

TEST(BindTest, Calls) {
  EXPECT_EQ(ExpressionOf("lower(c.a)"), "LOWER($0.a)");
  EXPECT_EQ(ExpressionOf("StringToNumber('1') + STRING_TO_NUMBER('1')"),
            R"(+(STRING_TO_NUMBER("1"), STRING_TO_NUMBER("1")))");
  EXPECT_EQ(ExpressionOf("[DateTimeAdd('d', 1, c.a), DATETIME_ADD('d', 1, c.a), DATE_TIME_ADD('d', 1, c.a)]"),
            R"([DATE_TIME_ADD("d", 1, $0.a), DATE_TIME_ADD("d", 1, $0.a), DATE_TIME_ADD("d", 1, $0.a)])");
  EXPECT_EQ(ExpressionOf("IIF(c.a, 1, 2)"), "if($0.a, 1, 2)");
  EXPECT_EQ(ExpressionOf("CHOOSE(2, c.a, c.b)"), "choose(2, $0.a, $0.b)");
  EXPECT_EQ(ExpressionOf("LEFT('a', 1)"), R"(LEFT("a", 1))");
}

TEST(BindTest, UnknownFunctions) {
  std::string text = "SELECT VALUE Foo(c.a, 1) FROM c";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "Foo", "SC2005", "'Foo' is not a recognized built-in function name."));
  text = "SELECT VALUE ALL(1)";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "ALL", "SC2005", "'ALL' is not a recognized built-in function name."));
  text = "SELECT VALUE A_BS(1)";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "A_BS", "SC2005", "'A_BS' is not a recognized built-in function name."));
  text = "SELECT VALUE udf.twice(1)";
  EXPECT_EQ(PlanOf(text), Unsupported(text, "udf.twice(1)", "user-defined function"));
  text = "SELECT VALUE FullTextContains(c.a, 'x') FROM c";
  EXPECT_EQ(PlanOf(text), Unsupported(text, "FullTextContains(c.a, 'x')", "FullTextContains"));
}

TEST(BindTest, WrongNumbersOfArguments) {
  auto check = [](const std::string& call, const std::string& message) {
    std::string text = "SELECT VALUE " + call + " FROM c";
    EXPECT_EQ(PlanOf(text), ErrorAt(text, call, "SC2050", message));
  };
  check("abs()", "The ABS function requires 1 argument(s).");
  check("ABS(1, 2)", "The ABS function requires 1 argument(s).");
  check("Contains('a')", "The CONTAINS function requires 2 to 3 argument(s).");
  check("CONCAT('a')", "The CONCAT function requires at least 2 argument(s).");
  check("PI(1)", "The PI function requires 0 argument(s).");
  check("COUNT()", "The COUNT function requires 1 argument(s).");
  check("SUM(1, 2)", "The SUM function requires 1 argument(s).");
  check("IIF(true, 1)", "The IIF function requires 3 argument(s).");
  check("CHOOSE(1)", "The CHOOSE function requires at least 2 argument(s).");
}

TEST(BindTest, SeveralErrorsAreListedInTheOrderOfTheText) {
  auto one = [](int begin, int end, const std::string& code, const std::string& message) {
    return R"({"severity":"Error","location":{"start":)" + std::to_string(begin) + R"(,"end":)" + std::to_string(end) +
           R"(},"code":")" + code + R"(","message":")" + message + R"("})";
  };
  EXPECT_EQ(PlanOf("SELECT x, Foo(y) FROM c WHERE z"),
            R"({"errors":[)" + one(7, 8, "SC2001", "Identifier 'x' could not be resolved.") + "," +
                one(10, 13, "SC2005", "'Foo' is not a recognized built-in function name.") + "," +
                one(14, 15, "SC2001", "Identifier 'y' could not be resolved.") + "," +
                one(30, 31, "SC2001", "Identifier 'z' could not be resolved.") + "]}");
  std::string many = "SELECT VALUE [x";
  for (int i = 0; i < 1000; ++i) many += ", x";
  std::string error = PlanOf(many + "]");
  EXPECT_LT(error.size(), 2000u);
}

// --- Sources

TEST(BindTest, AnyFirstIdentifierIsTheContainer) {
  EXPECT_EQ(PlanOf("SELECT * FROM c"), "scan $0 | project $0 $1");
  EXPECT_EQ(PlanOf("SELECT VALUE r.a FROM root r"), "scan $0 | project $0.a $1");
  EXPECT_EQ(PlanOf("SELECT VALUE 1"), "once | project 1 $0");
}

TEST(BindTest, OnceAliasedTheNameIsGone) {
  std::string text = "SELECT VALUE root.a FROM root r";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "root", "SC2001", "Identifier 'root' could not be resolved."));
  ExpectError("SELECT VALUE `a` FROM c", "SC2001", "Identifier 'a' could not be resolved.");
  ExpectError("SELECT VALUE `C`.a FROM c", "SC2001", "Identifier 'C' could not be resolved.");
}

TEST(BindTest, PathsInFrom) {
  EXPECT_EQ(PlanOf("SELECT VALUE b FROM c.a.b"), "scan $0 | project $0.a.b $1 | project $1 $2");
  EXPECT_EQ(PlanOf("SELECT VALUE x.d FROM c.a['b'][0] x"), "scan $0 | project $0.a.b[0] $1 | project $1.d $2");
  EXPECT_EQ(PlanOf("SELECT * FROM c.a[0]"), "scan $0 | project $0.a[0] $1 | project $1 $2");
  EXPECT_EQ(PlanOf("SELECT * FROM x IN c.a"), "scan $0 | unnest $0.a $1 | project $1 $2");
  EXPECT_EQ(PlanOf("SELECT * FROM x IN c"), "scan $0 | unnest $0 $1 | project $1 $2");
  // The alias is the last name.
  ExpectError("SELECT VALUE `c` FROM c.a", "SC2001", "Identifier 'c' could not be resolved.");
}

TEST(BindTest, Joins) {
  EXPECT_EQ(PlanOf("SELECT VALUE [c.id, t, u] FROM c JOIN t IN c.tags JOIN u IN t.parts JOIN v IN c.w"),
            "scan $0 | unnest $0.tags $1 | unnest $1.parts $2 | unnest $0.w $3 | project [$0.id, $1, $2] $4");
  EXPECT_EQ(PlanOf("SELECT VALUE a FROM c JOIN c.a"), "scan $0 | project $0.a $1 | project $1 $2");
  ExpectError("SELECT VALUE 1 FROM c JOIN t IN `d`.tags", "SC2001", "Identifier 'd' could not be resolved.");
  // A source sees only those before it.
  ExpectError("SELECT VALUE 1 FROM c JOIN u IN `t`.x JOIN t IN c.tags", "SC2001",
              "Identifier 't' could not be resolved.");
}

TEST(BindTest, AliasesOfOneClauseAreUnique) {
  const std::string message = "The alias 'cc' is specified more than once in the FROM clause.";
  ExpectError("SELECT VALUE 1 FROM c JOIN cc IN c.a JOIN `cc` IN c.b", "SC2002", message);
  ExpectError("SELECT VALUE 1 FROM cc JOIN `cc.cc`", "SC2002", message);
  // An inner query may hide an outer alias.
  EXPECT_EQ(PlanOf("SELECT VALUE ARRAY(SELECT VALUE c FROM c IN c.a) FROM c"),
            "scan $0 | project array<once | unnest $0.a $1 | project $1 $2> $3");
}

TEST(BindTest, QueriesInFrom) {
  EXPECT_EQ(PlanOf("SELECT VALUE x.b FROM (SELECT VALUE c.a FROM c WHERE c.d) x"),
            "scan $0 | filter $0.d | project $0.a $1 | project $1.b $2");
  EXPECT_EQ(PlanOf("SELECT VALUE x FROM x IN (SELECT VALUE c.a FROM c)"),
            "scan $0 | project $0.a $1 | unnest $1 $2 | project $2 $3");
  EXPECT_EQ(PlanOf("SELECT VALUE [c, x] FROM c JOIN (SELECT VALUE t FROM t IN c.tags WHERE t.n > 1) x"),
            "scan $0 | apply <once | unnest $0.tags $1 | filter >($1.n, 1) | project $1 $2> $3 | project [$0, $3] $4");
  EXPECT_EQ(PlanOf("SELECT VALUE x FROM c JOIN x IN (SELECT VALUE c.tags)"),
            "scan $0 | apply <once | project $0.tags $1> $2 | unnest $2 $3 | project $3 $4");
  // A name means the container only if there is no enclosing row.
  ExpectError("SELECT VALUE x FROM c JOIN (SELECT VALUE 1 FROM `d`) x", "SC2001",
              "Identifier 'd' could not be resolved.");
}

TEST(BindTest, SubqueriesSeeTheAliasesAround) {
  EXPECT_EQ(ExpressionOf("EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = c.x)"),
            "exists<once | unnest $0.tags $1 | filter =($1, $0.x) | project $1 $2>");
  EXPECT_EQ(ExpressionOf("(SELECT VALUE c.a)"), "scalar<once | project $0.a $1>");
  EXPECT_EQ(ExpressionOf("FIRST(SELECT VALUE t FROM t IN c.tags)"), "first<once | unnest $0.tags $1 | project $1 $2>");
  EXPECT_EQ(ExpressionOf("LAST(SELECT VALUE t FROM t IN c.tags)"), "last<once | unnest $0.tags $1 | project $1 $2>");
  EXPECT_EQ(ExpressionOf("ARRAY(SELECT DISTINCT VALUE x FROM c JOIN x IN c.a)"),
            "array<once | project $0 $1 | unnest $1.a $2 | project $2 $3 | distinct $3>");
  EXPECT_EQ(ExpressionOf("EXISTS(SELECT undefined)"), R"(exists<once | project {"$1": undefined} $1>)");
  std::string text = "SELECT VALUE EXISTS(SELECT VALUE 1 FROM other) FROM c";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "other", "SC2001", "Identifier 'other' could not be resolved."));
  ExpectError("SELECT VALUE [EXISTS(SELECT VALUE t FROM t IN c.tags), `t`] FROM c", "SC2001",
              "Identifier 't' could not be resolved.");
}

// ALL holds unless some row is a counterexample.
TEST(BindTest, AllIsNoCounterexample) {
  EXPECT_EQ(ExpressionOf("ALL(SELECT VALUE t > 1 FROM t IN c.tags)"),
            "not(exists<once | unnest $0.tags $1 | project if(>($1, 1), undefined, true) $2>)");
  EXPECT_EQ(ExpressionOf("ALL(SELECT VALUE t > 1 FROM t IN c.tags WHERE t < 9)"),
            "not(exists<once | unnest $0.tags $1 | filter <($1, 9) | project if(>($1, 1), undefined, true) $2>)");
  EXPECT_EQ(ExpressionOf("ALL(SELECT * FROM t IN c.tags WHERE t > 1)"),
            "not(exists<once | unnest $0.tags $1 | filter if(>($1, 1), false, true) | project $1 $2>)");
  EXPECT_EQ(ExpressionOf("ALL(SELECT * FROM t IN c.tags)"),
            "not(exists<once | unnest $0.tags $1 | filter false | project $1 $2>)");
}

TEST(BindTest, ClausesThatSubqueriesDoNotHave) {
  for (std::string form : {"(", "EXISTS(", "ARRAY(", "ALL(", "FIRST(", "LAST("}) {
    std::string text = "SELECT VALUE " + form + "SELECT VALUE t FROM t IN c.a ORDER BY t) FROM c";
    EXPECT_EQ(PlanOf(text), ErrorAt(text, "ORDER BY t", "SC2202", "'ORDER BY' is not supported in subqueries."));
    text = "SELECT VALUE " + form + "SELECT TOP 1 VALUE t FROM t IN c.a) FROM c";
    EXPECT_EQ(PlanOf(text), ErrorAt(text, "TOP 1", "SC2203", "'TOP' is not supported in subqueries."));
    text = "SELECT VALUE " + form + "SELECT VALUE t FROM t IN c.a OFFSET 0 LIMIT 1) FROM c";
    EXPECT_EQ(PlanOf(text),
              ErrorAt(text, "OFFSET 0 LIMIT 1", "SC2204", "'OFFSET LIMIT' clause is not supported in subqueries."));
  }
  std::string text = "SELECT * FROM (SELECT TOP 1 * FROM c) x";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "TOP 1", "SC2203", "'TOP' is not supported in subqueries."));
}

// --- Projection

TEST(BindTest, NamesOfItems) {
  EXPECT_EQ(ExpressionOf("1"), "1");
  EXPECT_EQ(PlanOf("SELECT c, c.a.b, c['x y'], c.d[0], c.e AS f, 1, c.g + 1, LOWER('a') 'h', @p, c.i.j['k'] FROM c",
                   R"({"@p": 5})"),
            R"(scan $0 | project {"c": $0, "b": $0.a.b, "x y": $0.x y, "$1": $0.d[0], "f": $0.e, "$2": 1, )"
            R"("$3": +($0.g, 1), "h": LOWER("a"), "$4": 5, "k": $0.i.j.k} $1)");
}

TEST(BindTest, NamesOfItemsAreUnique) {
  ExpectError("SELECT c.a, c.b AS `a` FROM c", "SC2003", "The property name 'a' is specified more than once.");
  ExpectError("SELECT 1, 2 AS `'$1'`", "SC2003", "The property name '$1' is specified more than once.");
}

TEST(BindTest, SelectStarNeedsOneSource) {
  const std::string message = "'SELECT *' is only valid with a single input set.";
  for (std::string text : {"SELECT * FROM c JOIN t IN c.tags", "SELECT *"}) {
    EXPECT_EQ(PlanOf(text), ErrorAt(text, "*", "SC2040", message));
  }
  EXPECT_EQ(PlanOf("SELECT * FROM (SELECT c.a FROM c)"), R"(scan $0 | project {"a": $0.a} $1 | project $1 $2)");
  std::string text = "SELECT * FROM c GROUP BY c.a";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "*", "SC2041", "'SELECT *' is not allowed with GROUP BY."));
}

// --- Order, distinct, counts

TEST(BindTest, TheOrderOfWork) {
  EXPECT_EQ(
      PlanOf("SELECT DISTINCT c.a FROM c WHERE c.b = 1 ORDER BY c.d DESC, c.e OFFSET 2 LIMIT 3"),
      R"(scan $0 | filter =($0.b, 1) | sort $0.d descending, $0.e | project {"a": $0.a} $1 | distinct $1 | slice 2 3)");
  EXPECT_EQ(PlanOf("SELECT TOP 5 * FROM c"), "scan $0 | project $0 $1 | slice 0 5");
}

// The example of docs/design/query.md.
TEST(BindTest, TheExampleOfTheDesign) {
  EXPECT_EQ(PlanOf("SELECT c.k, COUNT(1) AS n FROM c JOIN t IN c.tags WHERE t.a = 1 GROUP BY c.k"),
            "scan $0 | unnest $0.tags $1 | filter =($1.a, 1) | aggregate by $0.k $2 COUNT(1) $3 | "
            R"(project {"k": $2, "n": $3} $4)");
}

TEST(BindTest, SortKeysArePathsOfTheItem) {
  EXPECT_EQ(PlanOf("SELECT * FROM c ORDER BY c['a'].b[0]"), "scan $0 | sort $0.a.b[0] | project $0 $1");
  EXPECT_EQ(PlanOf("SELECT * FROM c.a x ORDER BY x.b"), "scan $0 | project $0.a $1 | sort $1.b | project $1 $2");
  EXPECT_EQ(PlanOf("SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY c.a"),
            "scan $0 | unnest $0.tags $1 | sort $0.a | project $1 $2");
  const std::string error =
      R"({"errors":[{"severity":"Error","code":2206,"message":)"
      R"("Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document path."}]})";
  for (std::string key : {"1", "'a'", "@p", "c", "c.a + 1", "LOWER(c.a)", "{a: 1}.a", "(SELECT VALUE 1)", "NaN.a"}) {
    EXPECT_EQ(PlanOf("SELECT * FROM c ORDER BY " + key, R"({"@p": "a"})"), error) << key;
  }
  EXPECT_EQ(PlanOf("SELECT * FROM (SELECT VALUE c FROM c) x ORDER BY x.a"), error);
  EXPECT_EQ(PlanOf("SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY t.a"),
            R"({"Errors":["Order-by over correlated collections is not supported."]})");
  // Other clauses cannot refer to aliases of the SELECT list.
  ExpectError("SELECT c.a AS b FROM c ORDER BY `b`", "SC2001", "Identifier 'b' could not be resolved.");
}

TEST(BindTest, OrderByVectorDistance) {
  EXPECT_EQ(PlanOf("SELECT * FROM c ORDER BY VectorDistance(c.v, [1, 2])"),
            "scan $0 | sort VECTOR_DISTANCE($0.v, [1, 2]) most similar | project $0 $1");
  std::string text = "SELECT * FROM c ORDER BY VectorDistance(c.v, [1]) DESC";
  EXPECT_EQ(PlanOf(text), Unsupported(text, "VectorDistance(c.v, [1])", "ORDER BY VectorDistance with a direction"));
  text = "SELECT * FROM c ORDER BY RANK FullTextScore(c.a, 'b')";
  EXPECT_EQ(PlanOf(text), Unsupported(text, "ORDER BY RANK FullTextScore(c.a, 'b')", "ORDER BY RANK"));
}

TEST(BindTest, Counts) {
  EXPECT_EQ(PlanOf("SELECT TOP @n * FROM c", R"({"@n": 3})"), "scan $0 | project $0 $1 | slice 0 3");
  EXPECT_EQ(PlanOf("SELECT TOP @n * FROM c", R"({"@n": 3.0})"), "scan $0 | project $0 $1 | slice 0 3");
  EXPECT_EQ(PlanOf("SELECT TOP 4294967295 * FROM c"), "scan $0 | project $0 $1 | slice 0 4294967295");
  EXPECT_EQ(PlanOf("SELECT TOP 0 * FROM c"), "scan $0 | project $0 $1 | slice 0 0");
  const std::string top = "The count value provided for a TOP clause must be an integer.";
  std::string text = "SELECT TOP 1.5 * FROM c";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "1.5", "SC2060", top));
  text = "SELECT TOP 4294967296 * FROM c";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "4294967296", "SC2060", top));
  text = "SELECT TOP 99999999999999999999999 * FROM c";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "99999999999999999999999", "SC2060", top));
  for (std::string bad : {"-1", "1.5", "\"1\"", "null", "[1]", "-0.5", "true"}) {
    text = "SELECT TOP @n * FROM c";
    EXPECT_EQ(PlanOf(text, R"({"@n": )" + bad + "}"), ErrorAt(text, "@n", "SC2060", top)) << bad;
  }
  text = "SELECT * FROM c OFFSET 4294967296 LIMIT 1";
  EXPECT_EQ(PlanOf(text),
            ErrorAt(text, "4294967296", "SC2062", "The OFFSET count value exceeds the maximum allowed value."));
  text = "SELECT * FROM c OFFSET 1 LIMIT @n";
  EXPECT_EQ(PlanOf(text, R"({"@n": 1e30})"),
            ErrorAt(text, "@n", "SC2061", "The LIMIT count value exceeds the maximum allowed value."));
  EXPECT_EQ(PlanOf(text, R"({"@n": "1"})"),
            ErrorAt(text, "@n", "SC2061", "The count value provided for a LIMIT clause must be an integer."));
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "@n", "SC2001", "Identifier '@n' could not be resolved."));
  text = "SELECT TOP 1 * FROM c OFFSET 1 LIMIT 1";
  EXPECT_EQ(PlanOf(text), Unsupported(text, "OFFSET 1 LIMIT 1", "TOP with OFFSET LIMIT"));
}

// --- Aggregates and groups

TEST(BindTest, Aggregates) {
  EXPECT_EQ(PlanOf("SELECT COUNT(1) FROM c"), R"(scan $0 | aggregate COUNT(1) $1 | project {"$1": $1} $2)");
  EXPECT_EQ(PlanOf("SELECT VALUE AVG(c.a) FROM c WHERE c.b"),
            "scan $0 | filter $0.b | aggregate AVG($0.a) $1 | project $1 $2");
  EXPECT_EQ(PlanOf("SELECT VALUE [SUM(c.a), MIN(c.a), MAX(c.a), COUNTIF(c.a), MAKELIST(c.a), MakeSet(c.a)] FROM c"),
            "scan $0 | aggregate SUM($0.a) $1 MIN($0.a) $2 MAX($0.a) $3 COUNT_IF($0.a) $4 MAKE_LIST($0.a) $5 "
            "MAKE_SET($0.a) $6 | project [$1, $2, $3, $4, $5, $6] $7");
  EXPECT_EQ(ExpressionOf("(SELECT VALUE MAX(t) FROM t IN c.tags)"),
            "scalar<once | unnest $0.tags $1 | aggregate MAX($1) $2 | project $2 $3>");
}

TEST(BindTest, Groups) {
  EXPECT_EQ(PlanOf("SELECT c.a, LOWER(c.a) AS l, c.b.d, 5 AS n, COUNT(1) AS k FROM c GROUP BY c.a, c.b"),
            R"(scan $0 | aggregate by $0.a $1 by $0.b $2 COUNT(1) $3 | )"
            R"(project {"a": $1, "l": LOWER($1), "d": $2.d, "n": 5, "k": $3} $4)");
  EXPECT_EQ(PlanOf("SELECT VALUE LOWER(c.a) FROM c GROUP BY LOWER(c.a)"),
            "scan $0 | aggregate by LOWER($0.a) $1 | project $1 $2");
  EXPECT_EQ(PlanOf("SELECT VALUE ARRAY(SELECT VALUE x FROM x IN c.a) FROM c GROUP BY c.a"),
            "scan $0 | aggregate by $0.a $1 | project array<once | unnest $1 $2 | project $2 $3> $4");
  // A value of the enclosing query is the same for all rows.
  EXPECT_EQ(ExpressionOf("ARRAY(SELECT VALUE [t.k, c.id, COUNT(1)] FROM t IN c.tags GROUP BY t.k)"),
            "array<once | unnest $0.tags $1 | aggregate by $1.k $2 COUNT(1) $3 | project [$2, $0.id, $3] $4>");
  EXPECT_EQ(PlanOf("SELECT c.a FROM c GROUP BY c['a']"), R"(scan $0 | aggregate by $0.a $1 | project {"a": $1} $2)");
}

TEST(BindTest, ReferencesBesideGroups) {
  const std::string rest =
      " is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY "
      "clause.";
  auto check = [&](const std::string& text, const std::string& reference) {
    EXPECT_EQ(PlanOf(text), ErrorAt(text, reference, "SC2102", "Property reference '" + reference + "'" + rest));
  };
  check("SELECT c.bb, COUNT(1) FROM c", "c.bb");
  check("SELECT c.a, c[\"b\"].d FROM c GROUP BY c.a", "c[\"b\"].d");
  check("SELECT LOWER(c.bb) FROM c GROUP BY c.a", "c.bb");
  check("SELECT VALUE [c.a.x, c.bb] FROM c GROUP BY c.a", "c.bb");
  check("SELECT VALUE cc FROM cc GROUP BY cc.a", "cc");
  check("SELECT VALUE ARRAY(SELECT VALUE x FROM x IN c.bb) FROM c GROUP BY c.a", "c.bb");
}

TEST(BindTest, AggregatesOfAggregatesAndSubqueries) {
  const std::string message =
      "Cannot perform an aggregate function on an expression containing an aggregate or a subquery.";
  std::string text = "SELECT VALUE SUM(1 + COUNT(1)) FROM c";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "SUM(1 + COUNT(1))", "SC2101", message));
  text = "SELECT VALUE SUM((SELECT VALUE 1)) FROM c";
  EXPECT_EQ(PlanOf(text), ErrorAt(text, "SUM((SELECT VALUE 1))", "SC2101", message));
}

TEST(BindTest, AggregatesStandInTheSelectClauseOnly) {
  const std::string what = "aggregate function outside of the SELECT clause";
  std::string text = "SELECT VALUE 1 FROM c WHERE COUNT(1) > 1";
  EXPECT_EQ(PlanOf(text), Unsupported(text, "COUNT(1)", what));
  text = "SELECT VALUE 1 FROM c GROUP BY COUNT(c.a)";
  EXPECT_EQ(PlanOf(text), Unsupported(text, "COUNT(c.a)", what));
}

TEST(BindTest, GroupKeysHoldAPropertyReferenceAndNoSubquery) {
  std::string text = "SELECT VALUE 1 FROM c GROUP BY 1 + 2";
  EXPECT_EQ(PlanOf(text), Unsupported(text, "1 + 2", "GROUP BY without a property reference"));
  text = "SELECT VALUE 1 FROM c GROUP BY (SELECT VALUE c.a)";
  EXPECT_EQ(PlanOf(text), Unsupported(text, "(SELECT VALUE c.a)", "subquery in GROUP BY"));
}

TEST(BindTest, GroupsAreNotSorted) {
  std::string text = "SELECT c.a FROM c GROUP BY c.a ORDER BY c.b";
  EXPECT_EQ(PlanOf(text),
            ErrorAt(text, "c.b", "SC2103",
                    "Property reference 'c.b' is invalid in the ORDER BY clause because it is not contained in either "
                    "an aggregate function or the GROUP BY clause."));
  text = "SELECT c.a FROM c GROUP BY c.a ORDER BY c.a";
  EXPECT_EQ(PlanOf(text), Unsupported(text, "ORDER BY c.a", "ORDER BY with GROUP BY or aggregates"));
}

// --- Large and random queries

// None of these takes time quadratic in its size.
TEST(BindTest, ManyPartsOfOneKind) {
  std::string parameters = R"({"@x": 0)";
  for (int i = 0; i < 20000; ++i) parameters += ", \"@p" + std::to_string(i) + "\": 1";
  std::string uses = Repeat(", @p19999", 50000);
  EXPECT_EQ(PlanOf("SELECT VALUE [@x" + uses + "]", parameters + "}").substr(0, 16), "once | project [");

  std::string keys;
  for (int i = 0; i < 20000; ++i) keys += (i == 0 ? "c.k" : ", c.k") + std::to_string(i);
  EXPECT_EQ(PlanOf("SELECT VALUE [" + keys + "] FROM c GROUP BY " + keys).substr(0, 20), "scan $0 | aggregate ");

  std::string items;
  for (int i = 0; i < 20000; ++i) items += (i == 0 ? "c.k" : ", c.k") + std::to_string(i);
  EXPECT_EQ(PlanOf("SELECT " + items + " FROM c").substr(0, 18), "scan $0 | project ");
}

// Random queries are bound or refused, and keep their meaning in every printed form.
TEST(BindTest, RandomQueriesAreBoundTheSameInEveryForm) {
  int bound = 0;
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    TreeArena arena(4096);
    const Query* query = RandomTree(&arena, seed).NewQuery(2);
    const std::string parameters = R"({"@p": "x", "@1": 1, "@count": 2})";
    std::string flat = PlanOf(Print(*query, Chains::kFlat), parameters);
    std::string pairs = PlanOf(Print(*query, Chains::kPairs), parameters);
    if (flat.starts_with("{")) {
      EXPECT_TRUE(pairs.starts_with("{")) << seed;
    } else {
      EXPECT_EQ(flat, pairs) << seed;
      ++bound;
    }
  }
  EXPECT_GT(bound, 50);
}

// The server must run what the query plan returns, though a client may not compose aggregates itself.
TEST(BindTest, CompositionsOfAggregates) {
  EXPECT_EQ(PlanOf(R"(SELECT VALUE [{"item": {"sum": SUM(c.a), "count": COUNT(c.a)}}] FROM c)"),
            R"(scan $0 | aggregate SUM($0.a) $1 COUNT($0.a) $2 | project [{"item": {"sum": $1, "count": $2}}] $3)");
  auto check = [](const std::string& text) {
    auto tree = Parse(text);
    EXPECT_TRUE(tree.ok());
    return CheckAggregatesStandAlone(tree->query());
  };
  EXPECT_TRUE(check("SELECT COUNT(1), MIN(c.a) AS m, c.b FROM c").ok());
  EXPECT_TRUE(check("SELECT VALUE AVG(c.a + 1) FROM c").ok());
  EXPECT_TRUE(check("SELECT VALUE (SELECT VALUE COUNT(1) FROM t IN c.tags) + 1 FROM c").ok());
  for (std::string text :
       {"SELECT MIN(c.a) / 2 FROM c", "SELECT VALUE {a: SUM(c.a)} FROM c", "SELECT ABS(AVG(c.a)) FROM c"}) {
    EXPECT_EQ(check(text).message(),
              R"({"Errors":["Compositions of aggregates and other expressions are not allowed."]})");
  }
}

}  // namespace
}  // namespace lapse::query::sql
