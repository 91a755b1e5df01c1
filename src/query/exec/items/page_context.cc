#include "query/exec/items/page_context.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "engine/shard/partitions/partition.h"
#include "query/functions/date_time.h"

namespace lapse::query::exec {
namespace {

// Returns the earliest time that the readers of a partition of the scope see.
int64_t LeastNowMs(const engine::IndexPage& view, const engine::KeyScope& scope) {
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  int64_t least_ms = kNone;
  for (size_t i = 0; i < view.views().size(); ++i) {
    if (!scope.Touches(view.container().partitions()[i]->range())) continue;
    least_ms = std::min(least_ms, view.views()[i].moment.now_ms());
  }
  return least_ms == kNone ? view.views().front().moment.now_ms() : least_ms;
}

}  // namespace

Result<std::unique_ptr<PageContext>> PageContext::Open(const engine::Container& container,
                                                       const engine::KeyScope& scope, const EvalSettings& settings,
                                                       PageWatch* watch) {
  LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<engine::IndexPage> view, container.OpenIndexPage());
  watch->Begin(view->steady());
  return std::unique_ptr<PageContext>(new PageContext(container, scope, settings, *watch, std::move(view)));
}

PageContext::PageContext(const engine::Container& container, const engine::KeyScope& scope,
                         const EvalSettings& settings, const PageWatch& watch, std::unique_ptr<engine::IndexPage> view)
    : container_(container), scope_(scope), watch_(watch), view_(std::move(view)), settings_(settings) {
  settings_.now_ticks = LeastNowMs(*view_, scope) * kTicksPerMs;
}

}  // namespace lapse::query::exec
