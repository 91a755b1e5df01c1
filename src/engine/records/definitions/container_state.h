// Everything about a container that can change, at one moment.
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

// An index of a container: the entries of its items under one definition (docs/design/index.md).
struct ContainerIndex {
  IndexId id = 0;
  IndexingDefinition definition;
  std::shared_ptr<const IndexedPaths> paths;  // from the definition
};

// Immutable: a change publishes a new one.
struct ContainerState {
  ContainerDefinition definition;
  std::shared_ptr<const IndexedPaths> indexed;    // from the definition; prices writes
  std::optional<ContainerIndex> index;            // used by readers; nullopt: there are no entries
  std::optional<ContainerIndex> index_in_making;  // being built to replace `index`; commits maintain both
  ttl::Policy policy;
  uint64_t policy_revision = 1;  // rises with each policy change and when a change log begins
  ttl::PolicyHistory history;    // of the policy
  int64_t ts_s = 0;              // last change of the definition
  uint64_t revision = 1;         // counts changes; basis of the container's etag
  ThroughputChanges throughput_changes;
  enum class Standing : uint8_t {
    kInForce,
    kDropped,
    kInDoubt,  // a change failed half way, and the store could not yet tell whether it took effect
  };
  Standing standing = Standing::kInForce;

  bool keeps_entries() const { return index.has_value() || index_in_making.has_value(); }
  bool keeps_changes() const { return definition.change_log_retention_s > 0; }
  // Returns when a record that is dead at now_ms became invisible.
  int64_t DiedAtMs(const ttl::Lifetime& lifetime, int64_t now_ms) const;
  int64_t DiedAtMs(ttl::RuleId rule, int64_t base_ms, int64_t now_ms) const;
  // Returns Ok, or why the state of the container's items is unknown.
  Status Check() const;
};

}  // namespace lapse::engine
