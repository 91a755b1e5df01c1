#include "tests/query/fuzz/random_query.h"

#include <array>
#include <utility>

#include "tests/query/fuzz/random_values.h"

namespace lapse::query_tests {
namespace {

constexpr std::string_view kOrderPaths[] = {"n",   "s", "x", "b",       "big", "o.a", "o.b.c", "id",
                                            "_ts", "t", "o", "missing", "cl",  "cn",  "cx"};

// The time of a world's first documents.
constexpr int64_t kFirstSecond = 1'750'000'000;

}  // namespace

FuzzedQuery QueryMaker::Any() {
  switch (choices_.Below(6)) {
    case 4: return Finished(Grouped());
    case 5: return Finished(Total());
    default: return Finished(Plain());
  }
}

FuzzedQuery QueryMaker::Traceable() {
  aliases_.push_back({"c", AliasKind::kItem});
  if (choices_.OneIn(5)) {
    // Keys and texts are written in one way only.
    const std::string where = Where();
    if (choices_.Below(2) == 0) return Finished("SELECT DISTINCT VALUE LOWER(c.s) FROM c" + where);
    return Finished("SELECT DISTINCT VALUE c.pk FROM c" + where + choices_.Pick(std::array{"", " ORDER BY c.pk"}));
  }
  std::string from = " FROM c";
  std::string places;
  if (choices_.OneIn(3)) {
    from += Join();
    places = ", " + aliases_.back().name;
  }
  const std::string where = Where();
  const std::string order = Order();
  return Finished("SELECT VALUE [c._rid" + places + "]" + from + where + order);
}

FuzzedQuery QueryMaker::Finished(std::string text) {
  FuzzedQuery query;
  query.text = std::move(text);
  for (const auto& [name, json] : parameters_) {
    query.parameters.emplace(name, Datum::FromJson(json));
    query.parameters_json.append(query.parameters_json.empty() ? "" : ",");
    query.parameters_json.append(R"({"name":")").append(name).append(R"(","value":)").append(json).append("}");
  }
  query.parameters_json = "[" + query.parameters_json + "]";
  return query;
}

std::string QueryMaker::Plain() {
  const std::string from = Sources();
  const std::string where = Where();
  const bool distinct = choices_.OneIn(5);
  // Only the paths of items have an order.
  const std::string order = Item() != nullptr && choices_.Below(2) == 1 ? Order() : "";
  const bool top = choices_.OneIn(6);
  std::string text = "SELECT ";
  if (distinct) text += "DISTINCT ";
  if (top) text += "TOP " + std::to_string(choices_.Below(6)) + " ";
  text += Selection() + from + where + order;
  return top ? text : text + Slice();
}

std::string QueryMaker::Grouped() {
  const std::string from = Sources();
  const std::string where = Where();
  std::vector<std::string> keys = {GroupKey()};
  if (choices_.OneIn(3)) keys.push_back(GroupKey());
  std::string items, group_by;
  for (size_t i = 0; i < keys.size(); ++i) {
    group_by += (i == 0 ? "" : ", ") + keys[i];
    items += keys[i] + " AS k" + std::to_string(i) + ", ";
  }
  const uint32_t aggregates = 1 + choices_.Below(3);
  for (uint32_t i = 0; i < aggregates; ++i) {
    items += (i == 0 ? "" : ", ") + Aggregate() + " AS a" + std::to_string(i);
  }
  const std::string select = choices_.OneIn(6) ? "DISTINCT " + keys[0] + " AS k" : items;
  return "SELECT " + select + from + where + " GROUP BY " + group_by + Slice();
}

std::string QueryMaker::Total() {
  const std::string from = Sources();
  const std::string where = Where();
  if (choices_.Below(2) == 0) return "SELECT VALUE " + Aggregate() + from + where;
  return "SELECT " + Aggregate() + ", " + Aggregate() + " AS second, 7 AS seven" + from + where;
}

std::string QueryMaker::Sources() {
  std::string from;
  switch (choices_.Below(10)) {
    case 6: {
      const std::string name = NewAlias(AliasKind::kPart);
      from = " FROM " + name + " IN c." + choices_.Pick(std::array{"r", "t", "x"});
      break;
    }
    case 7: {
      const std::string name = NewAlias(AliasKind::kPart);
      from = " FROM c." + std::string(choices_.Pick(std::array{"o", "x", "r[0]"})) + " AS " + name;
      break;
    }
    case 8: {
      aliases_.push_back({"c", AliasKind::kItem});
      std::string inner;
      switch (choices_.Below(4)) {
        case 2: inner = "SELECT DISTINCT VALUE " + Path() + " FROM c" + Where(); break;
        case 3: {
          const std::string key = GroupKey();
          inner = "SELECT " + key + " AS k, COUNT(1) AS a FROM c" + Where() + " GROUP BY " + key;
          break;
        }
        default: inner = "SELECT VALUE " + Path() + " FROM c" + Where();
      }
      aliases_.pop_back();
      from = " FROM (" + inner + ") AS " + NewAlias(AliasKind::kPart);
      break;
    }
    case 9: {
      aliases_.push_back({"item", AliasKind::kItem});
      from = " FROM root item";
      break;
    }
    default: aliases_.push_back({"c", AliasKind::kItem}); from = " FROM c";
  }
  for (uint32_t joins = choices_.Below(6); joins > 3; --joins) from += Join();
  return from;
}

std::string QueryMaker::Join() {
  std::string text;
  switch (choices_.Below(4)) {
    case 2: {
      const std::string source = PathTo("r");
      const std::string inner = NewAlias(AliasKind::kPart);
      text = "(SELECT VALUE " + inner + " FROM " + inner + " IN " + source + Where() + ")";
      aliases_.pop_back();
      return " JOIN " + text + " AS " + NewAlias(AliasKind::kPart);
    }
    case 3: {
      const std::string source = PathTo("t");
      return " JOIN " + NewAlias(AliasKind::kPart) + " IN (SELECT VALUE " + source + ")";
    }
    default: {
      const std::string source = PathTo(choices_.Pick(std::array{"r", "t"}));
      return " JOIN " + NewAlias(AliasKind::kPart) + " IN " + source;
    }
  }
}

std::string QueryMaker::Selection() {
  switch (choices_.Below(8)) {
    case 0: return aliases_.size() == 1 ? "*" : "VALUE " + aliases_[0].name;
    case 1: return "VALUE " + Path();
    case 2: return "VALUE " + Scalar(2);
    case 3: return Path();  // named by its last step, or $1
    case 4: return Scalar(1) + " AS v0, " + Path() + " AS v1";
    case 5: return "VALUE {\"id\": " + PathTo("id") + ", \"v\": " + Scalar(1) + "}";
    case 6: return "VALUE [" + PathTo("id") + ", " + Path() + ", " + Condition(1) + "]";
    default: return PathTo("id") + " AS id, " + Subquery(1) + " AS v";
  }
}

std::string QueryMaker::Where() {
  return choices_.Below(5) == 0 ? "" : " WHERE " + Condition(2);
}

// One path, or those of a composite index, in the directions of the index or all reversed.
std::string QueryMaker::Order() {
  if (choices_.Below(4) == 0) return "";
  if (!policy_.composites.empty() && choices_.Below(2) == 1) {
    const std::vector<CompositePath>& composite = choices_.Pick(policy_.composites);
    const bool reversed = choices_.Below(2) == 1;
    std::string keys;
    for (const CompositePath& one : composite) {
      keys += (keys.empty() ? "" : ", ") + Item()->name + "." + one.path;
      keys += one.descending != reversed ? " DESC" : " ASC";
    }
    return " ORDER BY " + keys;
  }
  const std::string path(choices_.Pick(kOrderPaths));
  return " ORDER BY " + Item()->name + "." + path + choices_.Pick(std::array{"", " ASC", " DESC"});
}

std::string QueryMaker::Slice() {
  if (!choices_.OneIn(5)) return "";
  const std::string offset = std::to_string(choices_.Below(4));
  const std::string limit = std::to_string(choices_.Below(6));
  if (choices_.OneIn(3)) return " OFFSET " + AsParameter(offset) + " LIMIT " + AsParameter(limit);
  return " OFFSET " + offset + " LIMIT " + limit;
}

std::string QueryMaker::Condition(int depth) {
  if (depth == 0) return Comparison();
  switch (choices_.Below(13)) {
    case 12: return PlaceCondition();
    case 4: return "(" + Condition(depth - 1) + " AND " + Condition(depth - 1) + ")";
    case 5: return "(" + Condition(depth - 1) + " OR " + Condition(depth - 1) + ")";
    case 6: return "(NOT " + Condition(depth - 1) + ")";
    case 7: return TextCondition();
    case 8: return ArrayCondition(depth);
    case 9: return TypeCondition();
    case 10: return choices_.Below(2) == 0 ? Path() : "(" + Scalar(depth) + ")";
    case 11: return "(" + Comparison() + " AND " + Comparison() + " AND " + Comparison() + ")";
    default: return Comparison();
  }
}

std::string QueryMaker::Comparison() {
  constexpr std::string_view kOperators[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};
  switch (choices_.Below(11)) {
    case 5: return "(" + Path() + " BETWEEN " + Constant() + " AND " + Constant() + ")";
    case 6: {
      std::string list = Constant();
      for (uint32_t count = choices_.Below(4); count > 0; --count) list += ", " + Constant();
      return "(" + Path() + (choices_.OneIn(4) ? " NOT IN (" : " IN (") + list + "))";
    }
    case 7: return "(" + Path() + std::string(choices_.Pick(kOperators)) + Path() + ")";
    case 8: {
      const std::string key = RandomKey(&choices_);
      return "(" + PathTo("pk") + " = " + (choices_.OneIn(4) ? AsParameter(key) : key) + ")";
    }
    case 9: return "(" + Constant() + std::string(choices_.Pick(kOperators)) + Path() + ")";
    case 10: {
      const int64_t second = kFirstSecond + choices_.Below(12);
      return "(" + PathTo("_ts") + std::string(choices_.Pick(kOperators)) + std::to_string(second) + ")";
    }
    default: return "(" + Path() + std::string(choices_.Pick(kOperators)) + Constant() + ")";
  }
}

std::string QueryMaker::TextCondition() {
  constexpr std::string_view kPatterns[] = {"'a%'",    "'%b'", "'%a%'", "'a_b'", "'_'", "'[a-b]%'",
                                            "'[^a]%'", "'%'",  "'xx%'", "'%xa'", "''"};
  const std::string path = choices_.Below(3) == 0 ? Path() : PathTo("s");
  switch (choices_.Below(6)) {
    case 0: {
      constexpr std::string_view kNames[] = {"STARTSWITH", "CONTAINS", "ENDSWITH", "STRINGEQUALS"};
      const std::string name(choices_.Pick(kNames));
      const std::string part = Text();
      return name + "(" + path + ", " + part + choices_.Pick(std::array{"", ", false", ", true"}) + ")";
    }
    case 1: return "(" + path + " LIKE " + std::string(choices_.Pick(kPatterns)) + ")";
    case 2: return "(" + path + " NOT LIKE " + std::string(choices_.Pick(kPatterns)) + ")";
    case 3: return "(" + path + " LIKE 'a!%%' ESCAPE '!')";
    case 4: return "STARTSWITH(" + path + ", '" + std::string(250 + choices_.Below(20), 'x') + "')";
    default: return "(LOWER(" + path + ") = " + Text() + ")";
  }
}

std::string QueryMaker::ArrayCondition(int depth) {
  const std::string array = PathTo(choices_.Pick(std::array{"t", "r", "x"}));
  const std::string inner = NewAlias(AliasKind::kPart);
  // The alias is known only within the sub-query.
  const auto closed = [&](std::string text) {
    std::erase_if(aliases_, [&](const Alias& one) { return one.name == inner; });
    return text;
  };
  const std::string from = inner + " IN " + array;
  switch (choices_.Below(7)) {
    case 0: return closed("ARRAY_CONTAINS(" + array + ", " + Constant() + ")");
    case 1: return closed("EXISTS(SELECT VALUE " + inner + " FROM " + from + " WHERE " + Condition(depth - 1) + ")");
    case 2: return closed("ARRAY_CONTAINS(" + array + R"(, {"k": )" + Constant() + "}, true)");
    case 3: {
      const std::string name = choices_.Below(2) == 0 ? "ARRAY_CONTAINS_ANY(" : "ARRAY_CONTAINS_ALL(";
      return closed(name + array + ", " + Constant() + ", " + Constant() + ")");
    }
    case 4: return closed("ALL(SELECT VALUE " + Condition(depth - 1) + " FROM " + from + ")");
    case 5: return closed("(ARRAY_LENGTH(" + array + ") > " + std::to_string(choices_.Below(3)) + ")");
    default:
      return closed("EXISTS(SELECT 1 FROM " + from + " JOIN c2 IN " + inner + ".t WHERE c2 = " + Constant() + ")");
  }
}

std::string QueryMaker::PlaceCondition() {
  constexpr std::string_view kDistances[] = {"0", "0.01", "150", "157", "2000", "300000", "4e6", "1.2e7", "3e7", "-1"};
  const std::string geometry = RandomGeometry(&choices_);
  const std::string given = choices_.OneIn(3) ? AsParameter(geometry) : geometry;
  const std::string path = PathTo(choices_.Pick(std::array{"loc", "loc", "loc", "loc", "cg", "x"}));
  const std::string arguments = choices_.OneIn(4) ? "(" + given + ", " + path + ")" : "(" + path + ", " + given + ")";
  switch (choices_.Below(4)) {
    case 0: return "ST_WITHIN" + arguments;
    case 1: return "ST_INTERSECTS" + arguments;
    default:
      return "(ST_DISTANCE" + arguments + choices_.Pick(std::array{" < ", " <= ", " <= ", " > "}) +
             std::string(choices_.Pick(kDistances)) + ")";
  }
}

std::string QueryMaker::TypeCondition() {
  constexpr std::string_view kNames[] = {"IS_DEFINED", "IS_NULL",   "IS_NUMBER",  "IS_STRING",        "IS_BOOL",
                                         "IS_ARRAY",   "IS_OBJECT", "IS_INTEGER", "IS_FINITE_NUMBER", "IS_PRIMITIVE"};
  const std::string name(choices_.Pick(kNames));
  return name + "(" + Path() + ")";
}

std::string QueryMaker::Scalar(int depth) {
  if (depth == 0) return choices_.Below(3) == 2 ? Constant() : Path();
  constexpr std::string_view kArithmetic[] = {" + ", " - ", " * ",  " / ",  " % ",  " & ",
                                              " | ", " ^ ", " << ", " >> ", " >>> "};
  switch (choices_.Below(13)) {
    case 2: return "(" + Scalar(depth - 1) + std::string(choices_.Pick(kArithmetic)) + Scalar(depth - 1) + ")";
    case 3: return "(" + Scalar(depth - 1) + " ?? " + Scalar(depth - 1) + ")";
    case 4: return "(" + Condition(depth - 1) + " ? " + Scalar(depth - 1) + " : " + Scalar(depth - 1) + ")";
    case 5: return "{\"p\": " + Scalar(depth - 1) + ", \"q\": " + Path() + "}";
    case 6: return "[" + Scalar(depth - 1) + ", " + Scalar(depth - 1) + "]";
    case 7: return "(" + Path() + " || " + Text() + ")";
    case 8: return "LENGTH(" + PathTo("s") + ")";
    case 9: return choices_.Pick(std::array{"ABS(", "FLOOR(", "CEILING(", "(- ", "(~ "}) + Path() + ")";
    case 10: return "IIF(" + Condition(depth - 1) + ", " + Scalar(depth - 1) + ", " + Scalar(depth - 1) + ")";
    case 11: return Subquery(depth);
    case 12: return Condition(depth - 1);
    default: return Path();
  }
}

std::string QueryMaker::Subquery(int depth) {
  const std::string array = PathTo(choices_.Pick(std::array{"r", "t"}));
  const std::string inner = NewAlias(AliasKind::kPart);
  const std::string where = choices_.Below(2) == 0 ? "" : " WHERE " + Condition(depth - 1);
  const std::string from = " FROM " + inner + " IN " + array + where;
  const std::string value = inner + choices_.Pick(std::array{"", ".k", ".v"});
  std::string text;
  switch (choices_.Below(7)) {
    case 0: text = "ARRAY(SELECT VALUE " + value + from + ")"; break;
    case 1: text = "ARRAY(SELECT DISTINCT VALUE " + value + from + ")"; break;
    case 2: text = "FIRST(SELECT VALUE " + value + from + ")"; break;
    case 3: text = "LAST(SELECT VALUE " + value + from + ")"; break;
    case 4: text = "(SELECT VALUE COUNT(1)" + from + ")"; break;
    case 5:
      text = "(SELECT VALUE " + std::string(choices_.Pick(std::array{"MIN(", "MAX("})) + value + ")" + from + ")";
      break;
    default:
      text = "ARRAY_LENGTH(ARRAY(SELECT " + inner + ".k AS k, COUNT(1) AS n" + from + " GROUP BY " + inner + ".k))";
  }
  std::erase_if(aliases_, [&](const Alias& one) { return one.name == inner; });
  return text;
}

// Sums only numbers whose sums are exact in every order.
std::string QueryMaker::Aggregate() {
  const std::string tame = Item() != nullptr ? PathTo(choices_.Pick(std::array{"n", "big"})) : aliases_[0].name + ".v";
  switch (choices_.Below(8)) {
    case 0: return "COUNT(1)";
    case 1: return "COUNT(" + Path() + ")";
    case 2: return "SUM(" + tame + ")";
    case 3: return "AVG(" + tame + ")";
    case 4: return "MIN(" + Path() + ")";
    case 5: return "MAX(" + Path() + ")";
    case 6: return "COUNTIF(" + Comparison() + ")";
    default: return "ARRAY_LENGTH(MAKESET(" + Path() + "))";
  }
}

std::string QueryMaker::GroupKey() {
  switch (choices_.Below(6)) {
    case 3: return "LOWER(" + PathTo("s") + ")";
    case 4: return "(" + PathTo("n") + " > 1)";
    case 5: return "IS_NUMBER(" + Path() + ")";
    default: return Path();
  }
}

std::string QueryMaker::Path() {
  constexpr std::string_view kItemPaths[] = {
      ".n",    ".s",  ".x",  ".b",      ".big", ".t",       ".o.a",      ".r",      ".o",        ".o.b.c",
      ".t[0]", ".pk", ".id", ".r[0].k", "._ts", ".missing", "[\"x-y\"]", ".r[1].t", ".o[\"a\"]", ".x.a",
      ".x[0]", ".cl", ".cl", ".cn",     ".cx",  ".cx.a",    ".cx.k[0]",  ".loc"};
  constexpr std::string_view kPartPaths[] = {"", ".k", ".v", ".a", ".t", "[0]", ".b.c"};
  const Alias& alias = aliases_[choices_.Below(static_cast<uint32_t>(aliases_.size()))];
  return alias.name +
         std::string(alias.kind == AliasKind::kItem ? choices_.Pick(kItemPaths) : choices_.Pick(kPartPaths));
}

std::string QueryMaker::PathTo(std::string_view name) {
  const Alias* const item = Item();
  return (item == nullptr ? aliases_[0].name : item->name) + "." + std::string(name);
}

const QueryMaker::Alias* QueryMaker::Item() const {
  for (const Alias& alias : aliases_) {
    if (alias.kind == AliasKind::kItem) return &alias;
  }
  return nullptr;
}

std::string QueryMaker::Constant() {
  if (choices_.OneIn(16)) return choices_.Pick(std::array{"undefined", "NaN", "Infinity"});
  const std::string value = RandomValue(&choices_, 1);
  return choices_.OneIn(6) ? AsParameter(value) : value;
}

std::string QueryMaker::Text() {
  const std::string text = RandomText(&choices_);
  return choices_.OneIn(6) ? AsParameter(text) : text;
}

std::string QueryMaker::AsParameter(const std::string& json) {
  std::string name = "@p" + std::to_string(parameters_.size());
  parameters_.emplace(name, json);
  return name;
}

std::string QueryMaker::NewAlias(AliasKind kind) {
  std::string name = "e" + std::to_string(alias_count_++);
  aliases_.push_back({name, kind});
  return name;
}

}  // namespace lapse::query_tests
