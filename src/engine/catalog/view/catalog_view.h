// Databases and containers as requests find them: which exist, under which name, with which definition.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/catalog/view/catalog_state.h"
#include "engine/catalog/view/database.h"
#include "engine/catalog/view/owned_resources.h"
#include "engine/records/definitions/owned_resource.h"
#include "engine/records/ids/ids.h"

namespace lapse::engine {

// Threads: any. Finding and listing take no lock and do not read the disk; only owned resources take a shared lock. The
// catalog's store publishes here. Fails: kNotFound. While the outcome of a change is unknown, everything here is
// kUnavailable.
class CatalogView {
 public:
  Result<DatabasePtr> FindDatabase(std::string_view name) const;
  Result<DatabasePtr> FindDatabase(DatabaseId id) const;
  Result<std::vector<DatabasePtr>> ListDatabases() const;
  Result<ContainerPtr> FindContainer(std::string_view database, std::string_view name) const;
  Result<ContainerPtr> FindContainer(DatabaseId database, ContainerId id) const;
  Result<std::vector<ContainerPtr>> ListContainers(std::string_view database) const;

  // Resources that a database owns beside its containers.
  Result<OwnedResourcePtr> FindResource(ResourceNumber number) const;
  Result<OwnedResourcePtr> FindResource(const ResourcePlace& place, std::string_view name) const;
  // Lists by name, starting behind `after`.
  Result<std::vector<OwnedResourcePtr>> ListResources(const ResourcePlace& place, std::string_view after,
                                                      size_t count_max) const;

  // --- For the catalog's store.
  std::shared_ptr<const CatalogState> state() const { return state_.load(std::memory_order_acquire); }
  void Publish(CatalogState next) {
    state_.store(std::make_shared<const CatalogState>(std::move(next)), std::memory_order_release);
  }
  // The container of this name, even while the catalog is in doubt.
  Result<ContainerPtr> Known(std::string_view database, std::string_view name) const;
  OwnedResources& resources() { return resources_; }
  bool in_doubt() const { return in_doubt_; }
  void set_in_doubt(bool in_doubt) { in_doubt_ = in_doubt; }

 private:
  Status CheckCertain() const;

  std::atomic<std::shared_ptr<const CatalogState>> state_{std::make_shared<const CatalogState>()};
  std::atomic<bool> in_doubt_{false};
  OwnedResources resources_;
};

}  // namespace lapse::engine
