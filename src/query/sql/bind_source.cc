// FROM and JOIN: each source adds an operator to the chain and an alias to the scope.
#include "query/sql/binder.h"
#include "query/sql/implied_names.h"

namespace lapse::query::sql {
namespace {

const Expression& RootOf(const Expression& path) {
  const Expression* root = &path;
  while (root->kind != ExpressionKind::kIdentifier) root = root->children[0];
  return *root;
}

}  // namespace

const plan::Operator* Binder::BindSources(const Query& query, Place place) {
  const plan::Operator* chain = nullptr;
  for (const Source& source : query.sources) {
    // Only the first source may name the container. The others apply to each of its rows.
    chain = BindSource(source, chain == nullptr ? place : Place::kNested, chain);
  }
  return chain == nullptr ? arena_->New<plan::Operator>() : chain;
}

const plan::Operator* Binder::BindSource(const Source& source, Place place, const plan::Operator* input) {
  if (place == Place::kNested && input == nullptr) input = arena_->New<plan::Operator>();
  return source.path != nullptr ? BindPathSource(source, place, input) : BindQuerySource(source, place, input);
}

const plan::Operator* Binder::BindPathSource(const Source& source, Place place, const plan::Operator* input) {
  const Expression& root = RootOf(*source.path);
  bool is_root = &root == source.path;
  const plan::Expression* value = nullptr;
  Origin origin = Origin::kDocument;
  if (place == Place::kNested) {
    const Variable* variable = Find(root.text);
    origin = variable == nullptr ? Origin::kDerived : variable->origin;
    value = BindIdentifier(root);
  } else {
    plan::Slot item = NewSlot();
    input = NewOperator(plan::OperatorKind::kScan, nullptr, item);
    if (is_root && !source.iterates) {
      Declare(source, item, origin);
      return input;
    }
    value = NewVariable(item, &root);
  }
  value = BindSteps(*source.path, value);
  plan::Slot slot = NewSlot();
  Declare(source, slot, source.iterates ? Origin::kElement : origin);
  return source.iterates ? NewUnnesting(input, value, slot) : NewProjection(input, value, slot);
}

const plan::Operator* Binder::BindQuerySource(const Source& source, Place place, const plan::Operator* input) {
  plan::Slot result = 0;
  if (place == Place::kNested) {
    plan::Query query = BindQuery(*source.query, Place::kNested);
    result = NewSlot();
    plan::Operator* apply = NewOperator(plan::OperatorKind::kApply, input, result);
    apply->query = arena_->New<plan::Query>(query);
    input = apply;
  } else {
    // There is no enclosing row, so this chain continues from the last operator of the query.
    plan::Query query = BindQuery(*source.query, Place::kSource);
    input = query.last;
    result = query.result;
  }
  if (!source.iterates) {
    Declare(source, result, Origin::kDerived);
    return input;
  }
  plan::Slot slot = NewSlot();
  input = NewUnnesting(input, NewVariable(result, nullptr), slot);
  Declare(source, slot, Origin::kElement);
  return input;
}

const plan::Expression* Binder::BindSteps(const Expression& path, const plan::Expression* root) {
  if (path.kind == ExpressionKind::kIdentifier) return root;
  const plan::Expression* target = BindSteps(*path.children[0], root);
  return path.kind == ExpressionKind::kProperty ? NewProperty(target, path.text, &path) : BindIndex(path, target);
}

// Aliases of one FROM clause must differ. They may hide those of the enclosing queries.
void Binder::Declare(const Source& source, plan::Slot slot, Origin origin) {
  Frame& frame = frames_.back();
  frame.source_slots.push_back(slot);
  std::optional<std::string_view> alias = NameOfSource(source);
  if (!alias) return;
  for (size_t i = frame.first_variable; i < variables_.size(); ++i) {
    if (variables_[i].name != *alias) continue;
    errors_->Add("SC2002", "The alias " + Quoted(*alias) + " is specified more than once in the FROM clause.",
                 source.has_alias ? source.alias_span : source.span);
  }
  variables_.push_back({.name = *alias, .slot = slot, .origin = origin});
}

}  // namespace lapse::query::sql
