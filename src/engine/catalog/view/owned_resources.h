// The owned resources of all databases, in memory: by number and by name. The catalog keeps it as the store is.
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

// Threads: any; one changes it at a time. Finding takes a shared lock, so it has no place on the way of a request that
// needs none of these.
class OwnedResources {
 public:
  // What the store holds, in the place of all that is here. Fails with nothing changed.
  Status Load(store::Shard* shard);

  // Null when there is none.
  OwnedResourcePtr Find(ResourceNumber number) const;
  OwnedResourcePtr Find(const ResourcePlace& place, std::string_view name) const;
  OwnedResourcePtr FindUnique(const ResourcePlace& place, std::string_view unique) const;
  // By name, from behind `after` on, at most so many.
  std::vector<OwnedResourcePtr> List(const ResourcePlace& place, std::string_view after, size_t count_max) const;
  // Those of one database; those that one resource owns.
  std::vector<OwnedResourcePtr> Of(DatabaseId database) const;
  std::vector<OwnedResourcePtr> OwnedBy(DatabaseId database, ResourceNumber owner) const;
  size_t CountOf(DatabaseId database) const;
  // The greatest number that was ever given.
  ResourceNumber last() const;

  // Adds it, or takes it in the place of the one with its number.
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
