#include "query/plan/rewrite.h"

#include <vector>

namespace lapse::query::plan {
namespace {

class Rewriter {
 public:
  Rewriter(const Replacement& replacement, TreeArena* arena) : replacement_(replacement), arena_(arena) {}

  // Null stays null.
  const Expression* Of(const Expression* e) {
    if (e == nullptr) return nullptr;
    const Expression* replaced = replacement_(*e);
    if (replaced != nullptr) return replaced;
    Expression copy = *e;
    bool changed = false;
    std::vector<const Expression*> children;
    children.reserve(e->children.size());
    for (const Expression* child : e->children) {
      children.push_back(Of(child));
      changed = changed || children.back() != child;
    }
    if (changed) copy.children = arena_->Copy(std::span<const Expression* const>(children));
    if (e->query != nullptr) {
      copy.query = Of(e->query);
      changed = changed || copy.query != e->query;
    }
    return changed ? arena_->New<Expression>(copy) : e;
  }

 private:
  const Query* Of(const Query* query) {
    if (query == nullptr) return nullptr;
    const Operator* last = Chain(query->last);
    return last == query->last ? query : arena_->New<Query>(last, query->result);
  }

  // A chain is as long as a query has clauses, so this loops rather than recurses.
  const Operator* Chain(const Operator* last) {
    std::vector<const Operator*> chain;
    for (const Operator* one = last; one != nullptr; one = one->input) chain.push_back(one);
    const Operator* input = nullptr;
    for (auto one = chain.rbegin(); one != chain.rend(); ++one) input = Of(**one, input);
    return input;
  }

  const Operator* Of(const Operator& old, const Operator* input) {
    Operator copy = old;
    copy.input = input;
    copy.expression = Of(old.expression);
    copy.query = Of(old.query);
    bool changed = input != old.input || copy.expression != old.expression || copy.query != old.query;
    changed = List(old.group_keys, &GroupKey::expression, &copy.group_keys) || changed;
    changed = List(old.aggregates, &AggregateCall::argument, &copy.aggregates) || changed;
    changed = List(old.sort_keys, &SortKey::expression, &copy.sort_keys) || changed;
    return changed ? arena_->New<Operator>(copy) : &old;
  }

  template <typename T>
  bool List(std::span<const T> old, const Expression* T::*member, std::span<const T>* list) {
    bool changed = false;
    std::vector<T> copy(old.begin(), old.end());
    for (T& one : copy) {
      const Expression* before = one.*member;
      one.*member = Of(before);
      changed = changed || one.*member != before;
    }
    if (changed) *list = arena_->Copy(std::span<const T>(copy));
    return changed;
  }

  const Replacement& replacement_;
  TreeArena* arena_;
};

}  // namespace

const Expression* Rewrite(const Expression& expression, const Replacement& replacement, TreeArena* arena) {
  return Rewriter(replacement, arena).Of(&expression);
}

}  // namespace lapse::query::plan
