// The values of computed properties: queries see them as if items had them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "query/exec/eval/item_view.h"
#include "query/functions/eval_context.h"
#include "query/plan/plan.h"
#include "query/values/arena.h"
#include "query/values/value.h"

namespace lapse::query::exec {

class Evaluator;

// The definitions of one container. Each is planned when its value is first asked for. Threads: one.
class ComputedValues {
 public:
  explicit ComputedValues(const EvalSettings& settings);
  ~ComputedValues();
  ComputedValues(const ComputedValues&) = delete;
  ComputedValues& operator=(const ComputedValues&) = delete;

  // A larger one is undefined: no item has a value of that size either.
  static constexpr size_t kValueBytesMax = size_t{2} << 20;

  // A plan is a scan and a projection of one value.
  using MakePlan = std::function<Result<plan::Plan>()>;
  // The name and the text of the definition must outlive this.
  void Define(std::string_view name, MakePlan make_plan, std::string_view text = {});

  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  // As it was given; empty: there is no definition.
  std::string_view TextOf(std::string_view name) const;
  // Of the item, whose own properties are those of its document and what the API adds: a definition never sees another
  // one. Undefined where it has no plan. The value lives in the arena. When it needs more memory than a query
  // may have, the arena is exhausted.
  Value Of(std::string_view name, const ItemView& item, Arena* arena);

 private:
  struct Definition;

  Definition* Find(std::string_view name) const;

  const EvalSettings settings_;
  std::vector<std::unique_ptr<Definition>> definitions_;
};

}  // namespace lapse::query::exec
