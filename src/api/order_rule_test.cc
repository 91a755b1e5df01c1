#include "api/order_rule.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "query/sql/bind.h"
#include "query/sql/parse.h"

namespace lapse::api {
namespace {

using engine::IndexingDefinition;
using query::exec::AddedProperties;

constexpr std::string_view kKept = "kept";
constexpr std::string_view kLeftOut = "left out";
constexpr std::string_view kExcluded =
    R"({"Errors":["The index path corresponding to the specified order-by item is excluded."]})";
constexpr std::string_view kNoComposite =
    R"({"Errors":["The order by query does not have a corresponding composite index that it can be served from."]})";

class OneComputed : public AddedProperties {
 public:
  Meaning MeaningOf(std::string_view name) const override {
    return name == "computed" || name == "computed_and_named" ? Meaning::kComputed : Meaning::kNotAdded;
  }
  std::optional<engine::ItemNumber> NumberOf(std::string_view) const override { return std::nullopt; }
};

// Returns what happens to rows without a value for the key, or the error.
std::string RuleFor(std::string_view query, const IndexingDefinition& indexing) {
  const Result<query::sql::SyntaxTree> tree = query::sql::Parse(query);
  EXPECT_TRUE(tree.ok()) << query;
  const Result<query::plan::Plan> plan = query::sql::Bind(*tree, {});
  EXPECT_TRUE(plan.ok()) << query;
  const Result<query::exec::PageShape> shape = query::exec::PageShape::Of(plan->query());
  EXPECT_TRUE(shape.ok()) << query;
  const Result<bool> leaves_out = LeavesOutUndefined(*shape, indexing, OneComputed());
  if (!leaves_out.ok()) return leaves_out.status().message();
  return std::string(*leaves_out ? kLeftOut : kKept);
}

std::string RuleForOrder(std::string_view order, const IndexingDefinition& indexing) {
  return RuleFor("SELECT VALUE c.id FROM c ORDER BY " + std::string(order), indexing);
}

IndexingDefinition Policy() {
  IndexingDefinition indexing;
  indexing.paths = {{{}, false, true},
                    {{"named"}, true, true},
                    {{"out"}, false, false},
                    {{"out", "deep"}, true, true},
                    {{"computed_and_named"}, true, true}};
  indexing.composites = {{{{"n"}, true}, {{"s"}, false}}, {{{"other"}, false}, {{"named"}, false}}};
  return indexing;
}

TEST(OrderRuleTest, KeepsRowsWithoutAValueOnlyWhereThePolicyNamesThePath) {
  EXPECT_EQ(RuleForOrder("c.other", Policy()), kLeftOut);
  EXPECT_EQ(RuleForOrder("c.named", Policy()), kKept);
  EXPECT_EQ(RuleForOrder("c.named.within", Policy()), kLeftOut);
  EXPECT_EQ(RuleForOrder("c.out.deep", Policy()), kKept);
}

TEST(OrderRuleTest, KeepsAllRowsWhereTheOrderIsNotThatOfAPath) {
  EXPECT_EQ(RuleFor("SELECT c.out, COUNT(1) AS n FROM c GROUP BY c.out", Policy()), kKept);
  EXPECT_EQ(RuleFor("SELECT DISTINCT VALUE c.out FROM c", Policy()), kKept);
  EXPECT_EQ(RuleFor("SELECT VALUE c.out FROM c", Policy()), kKept);
}

TEST(OrderRuleTest, IdAndSystemPropertiesAreIndexedWhateverThePathsSay) {
  IndexingDefinition indexing;
  indexing.paths = {{{}, false, false}};
  EXPECT_EQ(RuleForOrder("c.id", indexing), kKept);
  EXPECT_EQ(RuleForOrder("c._ts", indexing), kKept);
  EXPECT_EQ(RuleForOrder("c._ts", {}), kExcluded);
}

TEST(OrderRuleTest, RefusesAPathThatIsNotIndexed) {
  EXPECT_EQ(RuleForOrder("c.out", Policy()), kExcluded);
  EXPECT_EQ(RuleForOrder("c.out.within", Policy()), kExcluded);
  EXPECT_EQ(RuleForOrder("c.any", {}), kExcluded);
}

TEST(OrderRuleTest, AComputedPropertyMustBeNamed) {
  EXPECT_EQ(RuleForOrder("c.computed", Policy()), kExcluded);
  EXPECT_EQ(RuleForOrder("c.computed_and_named", Policy()), kKept);
}

TEST(OrderRuleTest, SeveralKeysNeedACompositeIndex) {
  for (std::string_view order : {"c.n DESC, c.s ASC", "c.n ASC, c.s DESC", "c.other, c.named"}) {
    EXPECT_EQ(RuleForOrder(order, Policy()), kKept) << order;
  }
  for (std::string_view order : {"c.n, c.s", "c.s, c.n", "c.n DESC, c.s ASC, c.other", "c.n, c.n", "c.n, c.x"}) {
    EXPECT_EQ(RuleForOrder(order, Policy()), kNoComposite) << order;
  }
}

}  // namespace
}  // namespace lapse::api
