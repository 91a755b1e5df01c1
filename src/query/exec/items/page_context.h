// What one page of a query reads from, opened once. The page asks this object about its container, its items and the
// time, so that all answers belong to one moment.
#pragma once

#include <memory>

#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/catalog/containers/index_page.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/functions/eval_context.h"

namespace lapse::query::exec {

// Threads: one. Other threads may read partitions whose readers already exist. Owns the engine's page.
class PageContext {
 public:
  // Starts the clock of the watch. Its arguments must outlive it. The time in `settings` is ignored. Fails: as a read
  // of the container would.
  static Result<std::unique_ptr<PageContext>> Open(const engine::Container& container, const engine::KeyScope& scope,
                                                   const EvalSettings& settings, PageWatch* watch);

  const engine::Container& container() const { return container_; }
  const engine::KeyScope& scope() const { return scope_; }
  // The snapshot of each partition, and its time.
  engine::IndexPage& view() const { return *view_; }
  const engine::ContainerState& state() const { return view_->state(); }
  // Includes the time that functions see. It is the time of the partition of the scope whose readers are furthest
  // behind, so no row of the page has expired at that time.
  const EvalSettings& settings() const { return settings_; }
  const PageWatch& watch() const { return watch_; }

 private:
  PageContext(const engine::Container& container, const engine::KeyScope& scope, const EvalSettings& settings,
              const PageWatch& watch, std::unique_ptr<engine::IndexPage> view);

  const engine::Container& container_;
  const engine::KeyScope& scope_;
  const PageWatch& watch_;
  const std::unique_ptr<engine::IndexPage> view_;
  EvalSettings settings_;
};

}  // namespace lapse::query::exec
