#include "engine/records/definitions/container_state.h"

namespace lapse::engine {

int64_t ContainerState::DiedAtMs(const ttl::Lifetime& lifetime, int64_t now_ms) const {
  return DiedAtMs(lifetime.ServerRule().value_or(ttl::kInheritRule), lifetime.ServerBaseMs(), now_ms);
}

int64_t ContainerState::DiedAtMs(ttl::RuleId rule, int64_t base_ms, int64_t now_ms) const {
  return history.DiedAtMs(rule, base_ms, now_ms).value_or(now_ms);
}

Status ContainerState::Check() const {
  switch (standing) {
    case Standing::kInForce: return Status::Ok();
    case Standing::kDropped: return {Code::kNotFound, "the container was deleted"};
    case Standing::kInDoubt: return {Code::kUnavailable, "it is not known whether a change of the container counts"};
  }
  return {Code::kInternal, "a container without standing"};
}

}  // namespace lapse::engine
