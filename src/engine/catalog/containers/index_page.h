// What a page of a query reads of a container: all of one moment, and of one snapshot in each partition.
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

// Threads: one. Keeps what it shows from compactions for as long as it is there: not longer than a page takes. The
// container must outlive it.
class IndexPage {
 public:
  // Fails: as a read of the container would.
  static Result<std::unique_ptr<IndexPage>> Open(const Container& container, const ReaderParts& parts);

  const ContainerState& state() const { return *state_; }
  // What is in use; null: there are no entries.
  const ContainerIndex* index() const { return state_->index.has_value() ? &*state_->index : nullptr; }
  // Whether kWrittenPath can be walked: not after the clock was reset, since times came again then.
  bool knows_write_order() const { return !parts_.clock_was_reset; }
  const SteadyClock& steady() const { return *parts_.steady; }
  const Container& container() const { return container_; }
  // This many entries of dead items one after another are remembered (DeadStretch).
  size_t dead_run_entries_min() const { return parts_.dead_run_entries_min; }
  // What it sees of each partition, in the order of Container::partitions().
  const std::vector<PageView>& views() const { return views_; }
  // By its place in Container::partitions(). Made when it is asked for first.
  IndexReader& Partition(size_t place);

 private:
  IndexPage(const Container& container, const ReaderParts& parts);

  const Container& container_;
  const ReaderParts parts_;
  const OpenPages::Page open_;
  std::shared_ptr<const ContainerState> state_;
  std::vector<IndexMemory::Start> starts_;  // both: one for each partition of the container
  std::vector<PageView> views_;
  std::vector<std::unique_ptr<IndexReader>> readers_;
};

}  // namespace lapse::engine
