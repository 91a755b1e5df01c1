// Builds the parts of a plan, and tracks the visible names.
#include "query/sql/binder.h"

#include <algorithm>
#include <unordered_set>

namespace lapse::query::sql {

Binder::Binder(std::string_view text, std::span<const Parameter> parameters, TreeArena* arena, ErrorList* errors)
    : text_(text), arena_(arena), errors_(errors) {
  // If several have the same name, the first counts.
  for (const Parameter& parameter : parameters)
    parameters_.try_emplace(parameter.name, GivenParameter{parameter.value});
}

plan::Expression* Binder::NewNode(plan::ExpressionKind kind, const Expression* origin) {
  auto* node = arena_->New<plan::Expression>();
  node->kind = kind;
  if (origin != nullptr) {
    node->text_begin = origin->span.begin;
    node->text_end = origin->span.end;
  }
  return node;
}

const plan::Expression* Binder::NewNode(plan::ExpressionKind kind, const Expression* origin, Children children) {
  plan::Expression* node = NewNode(kind, origin);
  node->children = children;
  return node;
}

Binder::Children Binder::NewChildren(std::initializer_list<const plan::Expression*> children) {
  return arena_->Copy(Children(children.begin(), children.size()));
}

const plan::Expression* Binder::NewCall(const OperatorFunction& function, const Expression* origin, Children children) {
  plan::Expression* node = NewNode(plan::ExpressionKind::kCall, origin);
  node->name = function.name;
  node->function = function.function;
  node->children = children;
  return node;
}

const plan::Expression* Binder::NewConstant(Value value, const Expression* origin) {
  plan::Expression* node = NewNode(plan::ExpressionKind::kConstant, origin);
  node->value = Keep(value);
  return node;
}

const plan::Expression* Binder::NewVariable(plan::Slot slot, const Expression* origin) {
  plan::Expression* node = NewNode(plan::ExpressionKind::kVariable, origin);
  node->slot = slot;
  return node;
}

const plan::Expression* Binder::NewProperty(const plan::Expression* target, std::string_view name,
                                            const Expression* origin) {
  plan::Expression* node = NewNode(plan::ExpressionKind::kProperty, origin);
  node->name = arena_->Copy(name);
  node->children = NewChildren({target});
  return node;
}

plan::Operator* Binder::NewOperator(plan::OperatorKind kind, const plan::Operator* input, plan::Slot slot) {
  auto* made = arena_->New<plan::Operator>();
  made->kind = kind;
  made->input = input;
  made->slot = slot;
  return made;
}

const plan::Operator* Binder::NewProjection(const plan::Operator* input, const plan::Expression* e, plan::Slot slot) {
  plan::Operator* projection = NewOperator(plan::OperatorKind::kProject, input, slot);
  projection->expression = e;
  return projection;
}

const plan::Operator* Binder::NewUnnesting(const plan::Operator* input, const plan::Expression* e, plan::Slot slot) {
  plan::Operator* unnesting = NewOperator(plan::OperatorKind::kUnnest, input, slot);
  unnesting->expression = e;
  return unnesting;
}

const plan::Operator* Binder::NewFilter(const plan::Operator* input, const plan::Expression* e) {
  plan::Operator* filter = NewOperator(plan::OperatorKind::kFilter, input);
  filter->expression = e;
  return filter;
}

// True unless `e` is true.
const plan::Expression* Binder::NotTrue(const plan::Expression* e, Value if_true) {
  return NewNode(plan::ExpressionKind::kConditional, nullptr,
                 NewChildren({e, NewConstant(if_true, nullptr), NewConstant(Value::Bool(true), nullptr)}));
}

Value Binder::Keep(Value value) {
  switch (value.kind()) {
    case Kind::kString: return Value::String(arena_->Copy(value.AsString()));
    case Kind::kArray: return Value::Array(arena_->Copy(value.AsDocument()));
    case Kind::kObject: return Value::Object(arena_->Copy(value.AsDocument()));
    default: return value;
  }
}

void Binder::CheckNames(std::span<const std::string_view> names, const std::function<Span(size_t)>& place) {
  // A few names are compared with each other, more are looked up in a set.
  constexpr size_t kFew = 16;
  std::unordered_set<std::string_view> seen;
  for (size_t i = 0; i < names.size(); ++i) {
    auto before = names.subspan(0, i);
    bool twice = names.size() <= kFew ? std::find(before.begin(), before.end(), names[i]) != before.end()
                                      : !seen.insert(names[i]).second;
    if (!twice) continue;
    errors_->Add("SC2003", "The property name " + Quoted(names[i]) + " is specified more than once.", place(i));
  }
}

const Binder::Variable* Binder::Find(std::string_view name) const {
  for (auto variable = variables_.rbegin(); variable != variables_.rend(); ++variable) {
    if (variable->name == name) return &*variable;
  }
  return nullptr;
}

std::optional<Value> Binder::FindParameter(const Expression& e) {
  auto found = parameters_.find(e.text);
  if (found == parameters_.end()) {
    Unresolved(e);
    return std::nullopt;
  }
  GivenParameter& given = found->second;
  if (!given.is_kept) given = {Keep(given.value), true};
  return given.value;
}

const plan::Expression* Binder::Unsupported(std::string_view what, Span span) {
  errors_->Add("SC2990", "The specified query includes '" + std::string(what) + "' which is currently not supported.",
               span);
  return NewConstant(Value(), nullptr);
}

const plan::Expression* Binder::Unresolved(const Expression& e) {
  errors_->Add("SC2001", "Identifier " + Quoted(e.text) + " could not be resolved.", e.span);
  return NewConstant(Value(), nullptr);
}

}  // namespace lapse::query::sql
