// The databases and containers that exist at one moment, by name and by id.
#pragma once

#include <string>
#include <string_view>

#include "base/persistent_map.h"
#include "engine/catalog/containers/container.h"
#include "engine/catalog/view/database.h"
#include "engine/records/definitions/catalog_records.h"
#include "engine/records/ids/ids.h"

namespace lapse::engine {

// A copy shares its unchanged parts with the original, so a change costs the same however many containers there are.
// Threads: none of its own; const calls may run concurrently.
class CatalogState {
 public:
  struct Entry {
    DatabasePtr database;
    PersistentMap<std::string, ContainerPtr> containers;  // by name
  };

  // Returns null if there is none.
  const Entry* Find(std::string_view database) const { return databases_.Find(database); }
  const DatabasePtr* Find(DatabaseId id) const { return databases_by_id_.Find(id); }
  ContainerPtr FindContainer(ContainerId id) const;
  const PersistentMap<std::string, Entry>& databases() const { return databases_; }

  // Adds the database, or replaces the one with its name.
  void Put(const DatabasePtr& database);
  void Drop(const Database& database);
  // The container's database must exist.
  void Put(const std::string& database, const ContainerPtr& container);
  void Drop(const std::string& database, const Container& container);

  // Calls `visit(container)` for every container.
  template <typename Visit>
  void ForEachContainer(const Visit& visit) const {
    containers_by_id_.ForEach([&](ContainerId, const ContainerPtr& container) { visit(container); });
  }

  IdCounters ids;

 private:
  PersistentMap<std::string, Entry> databases_;
  PersistentMap<DatabaseId, DatabasePtr> databases_by_id_;
  PersistentMap<ContainerId, ContainerPtr> containers_by_id_;
};

}  // namespace lapse::engine
