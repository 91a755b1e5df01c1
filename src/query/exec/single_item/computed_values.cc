#include "query/exec/single_item/computed_values.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "query/exec/stages/query_evaluator.h"
#include "query/values/copy.h"

namespace lapse::query::exec {

struct ComputedValues::Definition {
  std::string_view name;
  std::string_view text;
  MakePlan make_plan;
  bool is_planned = false;
  std::optional<plan::Plan> plan;  // nullopt: it cannot be planned
  std::unique_ptr<QueryEvaluator> evaluator;
};

namespace {

bool IsTooLarge(Value value) {
  if (value.IsString()) return value.AsString().size() > ComputedValues::kValueBytesMax;
  if (!value.IsArray() && !value.IsObject()) return false;
  return value.AsDocument().size() > ComputedValues::kValueBytesMax;
}

}  // namespace

ComputedValues::ComputedValues(const EvalSettings& settings) : settings_(settings) {}
ComputedValues::~ComputedValues() = default;

void ComputedValues::Define(std::string_view name, MakePlan make_plan, std::string_view text) {
  definitions_.push_back(std::make_unique<Definition>());
  definitions_.back()->name = name;
  definitions_.back()->text = text;
  definitions_.back()->make_plan = std::move(make_plan);
}

ComputedValues::Definition* ComputedValues::Find(std::string_view name) const {
  const auto found =
      std::find_if(definitions_.begin(), definitions_.end(), [&](const auto& one) { return one->name == name; });
  return found == definitions_.end() ? nullptr : found->get();
}

std::string_view ComputedValues::TextOf(std::string_view name) const {
  const Definition* const definition = Find(name);
  return definition == nullptr ? std::string_view() : definition->text;
}

Value ComputedValues::Of(std::string_view name, const ItemView& item, Arena* arena) {
  Definition* const definition = Find(name);
  if (definition == nullptr) return {};
  if (!definition->is_planned) {
    definition->is_planned = true;
    Result<plan::Plan> plan = definition->make_plan();
    if (!plan.ok()) return {};
    definition->plan.emplace(*std::move(plan));
    definition->evaluator = std::make_unique<QueryEvaluator>(definition->plan->slot_count(), settings_);
  }
  if (!definition->plan.has_value()) return {};
  const plan::Operator& projection = *definition->plan->query().last;
  Evaluator& evaluator = *definition->evaluator;
  const Arena::Mark mark = evaluator.arena().mark();
  evaluator.SetItem(projection.input->slot, &item);
  const Value made = evaluator.Evaluate(*projection.expression);
  const Value value = IsTooLarge(made) ? Value() : CopyInto(arena, made);
  evaluator.arena().Rewind(mark);
  // The caller checks only its own arena.
  if (evaluator.failed()) arena->Allocate(Arena::kBudgetMax + 1);
  return value;
}

}  // namespace lapse::query::exec
