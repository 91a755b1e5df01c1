// The owned resources of all databases, in memory: by number and by name. The catalog keeps it equal to the store.
#pragma once

#include <cstddef>
#include <map>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "engine/records/definitions/owned_resource.h"
#include "store/shard.h"

namespace lapse::engine {

// Threads: any; only one changes it at a time. Finding takes a shared lock, so requests that need no owned resource
// must not call it.
class OwnedResources {
 public:
  // Replaces the contents by what the store holds. Fails, changing nothing.
  Status Load(store::Shard* shard);

  // Returns null if there is none.
  OwnedResourcePtr Find(ResourceNumber number) const;
  OwnedResourcePtr Find(const ResourcePlace& place, std::string_view name) const;
  OwnedResourcePtr FindUnique(const ResourcePlace& place, std::string_view unique) const;
  // Lists by name, starting behind `after`, at most `count_max`.
  std::vector<OwnedResourcePtr> List(const ResourcePlace& place, std::string_view after, size_t count_max) const;
  // The resources of one database, and those that one resource owns.
  std::vector<OwnedResourcePtr> Of(DatabaseId database) const;
  std::vector<OwnedResourcePtr> OwnedBy(DatabaseId database, ResourceNumber owner) const;
  size_t CountOf(DatabaseId database) const;
  // The greatest number that was ever assigned.
  ResourceNumber last() const;

  // Adds the resource, or replaces the one with its number.
  void Put(const OwnedResourcePtr& resource);
  void Remove(const std::vector<OwnedResourcePtr>& resources);

 private:
  using Text = std::pair<ResourcePlace, std::string>;

  struct Tables {
    std::map<ResourceNumber, OwnedResourcePtr> by_number;
    std::map<Text, OwnedResourcePtr> by_name;
    std::map<Text, OwnedResourcePtr> by_unique;
    std::map<DatabaseId, size_t> counts;
    ResourceNumber last = 0;

    void Add(const OwnedResourcePtr& resource);
    void Take(const OwnedResource& resource);
  };

  mutable std::shared_mutex mutex_;
  Tables tables_;  // guarded by mutex_
};

}  // namespace lapse::engine
