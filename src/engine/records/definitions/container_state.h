// Everything about a container that can change, as of one moment.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/status.h"
#include "engine/records/definitions/container_definition.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/index_key.h"
#include "engine/records/index/indexed_paths.h"
#include "ttl/policy.h"
#include "ttl/policy_history.h"

namespace lapse::engine {

// The entries of a container's items by one definition (docs/design/index.md).
struct ContainerIndex {
  IndexId id = 0;
  IndexingDefinition definition;
  std::shared_ptr<const IndexedPaths> paths;  // by the definition
};

// Immutable: a change publishes a new one.
struct ContainerState {
  ContainerDefinition definition;
  std::shared_ptr<const IndexedPaths> indexed;    // by the definition: what writes are priced by
  std::optional<ContainerIndex> index;            // what readers use; none: there are no entries
  std::optional<ContainerIndex> index_in_making;  // the one that will take its place. Every commit keeps up both
  ttl::Policy policy;
  uint64_t policy_revision = 1;  // rises when the policy changes, or a change log begins: what partitions must pass
  ttl::PolicyHistory history;    // of the policy
  int64_t ts_s = 0;              // last change of the definition
  uint64_t revision = 1;         // counts changes; what the container's etag is made of
  ThroughputChanges throughput_changes;
  enum class Standing : uint8_t {
    kInForce,
    kDropped,
    kInDoubt,  // a change failed half way and the store could not tell yet what counts
  };
  Standing standing = Standing::kInForce;

  bool keeps_entries() const { return index.has_value() || index_in_making.has_value(); }
  bool keeps_changes() const { return definition.change_log_retention_s > 0; }
  // When a record that is dead at now_ms became invisible.
  int64_t DiedAtMs(const ttl::Lifetime& lifetime, int64_t now_ms) const;
  int64_t DiedAtMs(ttl::RuleId rule, int64_t base_ms, int64_t now_ms) const;
  // Ok, or why nothing can be said about the container's items.
  Status Check() const;
};

}  // namespace lapse::engine
