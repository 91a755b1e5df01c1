// What a page of a query reads from a container: all of it at one moment, and from one snapshot in each partition.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/partition/index/index_reader.h"
#include "engine/partition/learned/index_memory.h"
#include "engine/partition/view/open_pages.h"
#include "engine/partition/view/page_view.h"
#include "engine/records/definitions/container_state.h"

namespace lapse::engine {

// Threads: one. Keeps compactions from dropping what it shows for as long as it exists, so it must not outlive its
// page. The container must outlive it.
class IndexPage {
 public:
  // Fails as a read of the container would.
  static Result<std::unique_ptr<IndexPage>> Open(const Container& container, const ReaderParts& parts);

  const ContainerState& state() const { return *state_; }
  // The index in use; null if the container has none.
  const ContainerIndex* index() const { return state_->index.has_value() ? &*state_->index : nullptr; }
  // Whether kWrittenPath can be scanned. It cannot after a clock reset, since times were repeated then.
  bool knows_write_order() const { return !parts_.clock_was_reset; }
  const SteadyClock& steady() const { return *parts_.steady; }
  const Container& container() const { return container_; }
  // A run of at least this many entries of dead items is remembered (DeadStretch).
  size_t dead_run_entries_min() const { return parts_.dead_run_entries_min; }
  // The view of each partition, in the order of Container::partitions().
  const std::vector<PageView>& views() const { return views_; }
  // The reader for the partition with this index in Container::partitions(). Created on first use.
  IndexReader& Partition(size_t place);

 private:
  IndexPage(const Container& container, const ReaderParts& parts);

  const Container& container_;
  const ReaderParts parts_;
  const OpenPages::Page open_;
  std::shared_ptr<const ContainerState> state_;
  std::vector<IndexMemory::Start> starts_;  // this and the next: one for each partition of the container
  std::vector<PageView> views_;
  std::vector<std::unique_ptr<IndexReader>> readers_;
};

}  // namespace lapse::engine
