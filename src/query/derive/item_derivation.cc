#include "query/derive/item_derivation.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "query/exec/single_item/computed_values.h"
#include "query/functions/earth_cells.h"
#include "query/sql/computed_property.h"
#include "query/values/builder.h"

namespace lapse::query {
namespace {

// A change in the meaning of functions changes the rule, so it needs a new name.
constexpr std::string_view kComputedRule = "computed 1 ";

// The same limit as for queries: a value that exceeds it is an error there.
constexpr size_t kMemoryMax = EvalSettings{}.memory_bytes_max;

class DocumentView : public exec::ItemView {
 public:
  explicit DocumentView(std::string_view document) : document_(document) {}
  Value Property(std::string_view name, Arena*) const override { return Value::FromBson(doc::Find(document_, name)); }
  // Never called: see LooksAtDocumentAlone.
  Value Whole(Arena*) const override { return {}; }

 private:
  const std::string_view document_;
};

// An evaluation serves one thread at a time. As many are kept as threads ever evaluated at once.
class ComputedRule : public engine::DerivedValue {
 public:
  explicit ComputedRule(std::string_view query) : query_(query) {}

  void Make(std::string_view document, std::string* holder) const override {
    std::unique_ptr<Evaluation> evaluation = Take();
    const Arena::Mark mark = evaluation->arena.mark();
    const Value value = evaluation->values.Of(kName, DocumentView(document), &evaluation->arena);
    ObjectBuilder object(&evaluation->arena);
    object.Add(kName, value);
    const Value made = object.Finish();
    // An evaluation that ran out of memory cannot be reused.
    if (evaluation->arena.exhausted()) return;
    if (!value.IsUndefined()) holder->append(made.AsDocument());
    evaluation->arena.Rewind(mark);
    std::lock_guard lock(mutex_);
    free_.push_back(std::move(evaluation));
  }

 private:
  static constexpr std::string_view kName = "v";

  struct Evaluation {
    explicit Evaluation(const std::string& query) : values(EvalSettings{}), arena(kMemoryMax) {
      values.Define(kName, [&query] { return sql::PlanComputedProperty(query); });
    }
    exec::ComputedValues values;
    Arena arena;
  };

  std::unique_ptr<Evaluation> Take() const {
    std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Evaluation>(query_);
    std::unique_ptr<Evaluation> one = std::move(free_.back());
    free_.pop_back();
    return one;
  }

  const std::string query_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Evaluation>> free_;  // guarded by mutex_
};

class CellMarks : public engine::MarkMaker {
 public:
  void Make(doc::Value object, const TakeMark& take) const override {
    Arena arena(kMemoryMax);
    PreparedGeometry geometry;
    const bool prepared = PrepareGeometry(Value::Object(object.AsDocument()), &arena, &geometry);
    if (!prepared && !arena.exhausted()) return;
    // A geometry that is too large to examine may be anywhere.
    const std::vector<EarthCell> cells = prepared ? CellsAround(geometry, 0, kCellsOfItem) : AllCells();
    for (const EarthCell& cell : cells) take(BytesOf(cell));
  }
};

class Rules : public engine::Derivation {
 public:
  std::shared_ptr<const engine::DerivedValue> ValueBy(std::string_view rule) const override {
    if (!rule.starts_with(kComputedRule)) return nullptr;
    return std::make_shared<ComputedRule>(rule.substr(kComputedRule.size()));
  }
  std::shared_ptr<const engine::MarkMaker> MarksBy(std::string_view rule) const override {
    return rule == kCellsRule ? std::make_shared<CellMarks>() : nullptr;
  }
};

// Recursion is as deep as the expression, which the front end bounds.
bool LooksAtDocumentAlone(const plan::Expression& e, plan::Slot item, bool (*is_added)(std::string_view)) {
  using plan::ExpressionKind;
  if (e.kind == ExpressionKind::kVariable) return e.slot != item;
  if (e.kind == ExpressionKind::kSubquery) return false;
  const bool is_of_item = e.kind == ExpressionKind::kProperty && e.children[0]->kind == ExpressionKind::kVariable &&
                          e.children[0]->slot == item;
  if (is_of_item) return !is_added(e.name);
  return std::all_of(e.children.begin(), e.children.end(),
                     [&](const plan::Expression* child) { return LooksAtDocumentAlone(*child, item, is_added); });
}

}  // namespace

const engine::Derivation& ItemDerivation() {
  static const Rules kRules;
  return kRules;
}

std::string RuleOfComputed(std::string_view query) {
  return std::string(kComputedRule).append(query);
}

bool IsRuleOfComputed(std::string_view rule, std::string_view query) {
  return rule.starts_with(kComputedRule) && rule.substr(kComputedRule.size()) == query;
}

bool LooksAtDocumentAlone(const plan::Plan& computed, bool (*is_added)(std::string_view name)) {
  const plan::Operator& projection = *computed.query().last;
  return LooksAtDocumentAlone(*projection.expression, projection.input->slot, is_added);
}

}  // namespace lapse::query
