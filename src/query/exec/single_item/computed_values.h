// The values of computed properties, which queries see as if the items had them.
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

// The definitions of one container. Each is planned when its value is first requested. Threads: one.
class ComputedValues {
 public:
  explicit ComputedValues(const EvalSettings& settings);
  ~ComputedValues();
  ComputedValues(const ComputedValues&) = delete;
  ComputedValues& operator=(const ComputedValues&) = delete;

  // A larger value is undefined, since no item can hold a value of that size either.
  static constexpr size_t kValueBytesMax = size_t{2} << 20;

  // A plan is a scan and a projection of one value.
  using MakePlan = std::function<Result<plan::Plan>()>;
  // The name and the text of the definition must outlive this.
  void Define(std::string_view name, MakePlan make_plan, std::string_view text = {});

  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  // Returns the text as it was given, or an empty text if there is no definition.
  std::string_view TextOf(std::string_view name) const;
  // Computes the property for the item. A definition sees only the document and what the API adds, never another
  // computed property. Returns undefined if the definition has no plan. The value lives in the arena. The arena is
  // exhausted if the value needs more memory than a query may have.
  Value Of(std::string_view name, const ItemView& item, Arena* arena);

 private:
  struct Definition;

  Definition* Find(std::string_view name) const;

  const EvalSettings settings_;
  std::vector<std::unique_ptr<Definition>> definitions_;
};

}  // namespace lapse::query::exec
