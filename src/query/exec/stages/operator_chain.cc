#include "query/exec/stages/operator_chain.h"

namespace lapse::query::exec {

const plan::Operator* ChainOf(const std::vector<const plan::Operator*>& last_first, std::deque<plan::Operator>* own) {
  const plan::Operator* input = nullptr;
  for (auto op = last_first.rbegin(); op != last_first.rend(); ++op) {
    own->push_back(**op);
    own->back().input = input;
    input = &own->back();
  }
  return input;
}

}  // namespace lapse::query::exec
