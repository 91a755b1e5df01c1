#include <algorithm>

#include "base/ascii.h"
#include "query/sql/binder.h"

namespace lapse::query::sql {
namespace {

std::string Upper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(), UpperAscii);
  return upper;
}

}  // namespace

const plan::Expression* Binder::BindCall(const Expression& e) {
  const FunctionName* name = FindFunction(e.text);
  if (name == nullptr) {
    Span place = {e.span.begin, e.span.begin + static_cast<uint32_t>(e.text.size())};
    errors_->Add("SC2005", Quoted(e.text) + " is not a recognized built-in function name.", place);
  } else if (name->kind == NameKind::kUnsupported) {
    return Unsupported(e.text, e.span);
  } else if (name->kind == NameKind::kAggregate) {
    return BindAggregate(e, *name);
  }
  Children arguments = BindList(e.children);
  if (name == nullptr || !CheckArguments(e, *name)) return NewConstant(Value(), &e);
  switch (name->kind) {
    case NameKind::kConditional: return NewNode(plan::ExpressionKind::kConditional, &e, arguments);
    case NameKind::kChoose: return NewNode(plan::ExpressionKind::kChoose, &e, arguments);
    default: return NewCall({name->name, name->function}, &e, arguments);
  }
}

// The operator kAggregate puts the value of an aggregate into a slot.
const plan::Expression* Binder::BindAggregate(const Expression& e, const FunctionName& name) {
  size_t frame = frames_.size() - 1;
  if (frames_[frame].in_aggregate != nullptr) {
    errors_->Add("SC2101",
                 "Cannot perform an aggregate function on an expression containing an aggregate or a subquery.",
                 frames_[frame].in_aggregate->span);
    return NewConstant(Value(), &e);
  }
  if (frames_[frame].aggregates_are == Aggregates::kForbidden) {
    return Unsupported("aggregate function outside of the SELECT clause", e.span);
  }
  frames_[frame].in_aggregate = &e;
  Children arguments = BindList(e.children);
  frames_[frame].in_aggregate = nullptr;
  if (!CheckArguments(e, name)) return NewConstant(Value(), &e);
  plan::Slot slot = NewSlot();
  frames_[frame].aggregates.push_back(
      {.aggregate = name.aggregate, .name = name.name, .argument = arguments[0], .slot = slot});
  return NewVariable(slot, &e);
}

bool Binder::CheckArguments(const Expression& e, const FunctionName& name) {
  auto count = static_cast<int>(e.children.size());
  bool any = name.arguments_max == Function::kAnyNumber;
  if (count >= name.arguments_min && (any || count <= name.arguments_max)) return true;
  std::string wanted = std::to_string(name.arguments_min);
  if (any) {
    wanted = "at least " + wanted;
  } else if (name.arguments_max != name.arguments_min) {
    wanted += " to " + std::to_string(name.arguments_max);
  }
  errors_->Add("SC2050", "The " + Upper(e.text) + " function requires " + wanted + " argument(s).", e.span);
  return false;
}

}  // namespace lapse::query::sql
