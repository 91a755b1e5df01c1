#include "engine/catalog/view/owned_resources.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "base/bytes.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "store/prefix_scan.h"

namespace lapse::engine {

void OwnedResources::Tables::Add(const OwnedResourcePtr& resource) {
  by_number[resource->number] = resource;
  by_name[{resource->place, resource->content.name}] = resource;
  if (!resource->content.unique.empty()) by_unique[{resource->place, resource->content.unique}] = resource;
  ++counts[resource->place.database];
  last = std::max(last, resource->number);
}

void OwnedResources::Tables::Take(const OwnedResource& resource) {
  const auto found = by_number.find(resource.number);
  if (found == by_number.end()) return;
  const OwnedResourcePtr before = found->second;
  by_number.erase(found);
  by_name.erase({before->place, before->content.name});
  if (!before->content.unique.empty()) by_unique.erase({before->place, before->content.unique});
  --counts[before->place.database];
}

Status OwnedResources::Load(store::Shard* shard) {
  Tables loaded;
  store::PinnedValue counter;
  Status found = shard->Get(kMetaFamily, OwnedResourceCounterKey(), &counter);
  if (!found.ok() && found.code() != Code::kNotFound) return found;
  const auto take = [&](std::string_view id, std::string_view value) -> Status {
    LAPSE_ASSIGN_OR_RETURN(OwnedResource resource, DecodeOwnedResource(value));
    ByteReader key(id);
    resource.place.database = key.BigEndian<DatabaseId>();
    resource.number = key.BigEndian<ResourceNumber>();
    if (!key.AtEnd()) return {Code::kCorruption, "malformed key of an owned resource in the catalog"};
    loaded.Add(std::make_shared<const OwnedResource>(std::move(resource)));
    return Status::Ok();
  };
  LAPSE_RETURN_IF_ERROR(store::ScanPrefix(shard, kMetaFamily, MetaPrefix(MetaKind::kOwnedResource), take));
  if (found.ok()) {
    LAPSE_ASSIGN_OR_RETURN(const ResourceNumber last, DecodeResourceCounter(counter.view()));
    loaded.last = std::max(loaded.last, last);
  }
  std::unique_lock lock(mutex_);
  tables_ = std::move(loaded);
  return Status::Ok();
}

OwnedResourcePtr OwnedResources::Find(ResourceNumber number) const {
  std::shared_lock lock(mutex_);
  const auto found = tables_.by_number.find(number);
  return found == tables_.by_number.end() ? nullptr : found->second;
}

OwnedResourcePtr OwnedResources::Find(const ResourcePlace& place, std::string_view name) const {
  std::shared_lock lock(mutex_);
  const auto found = tables_.by_name.find({place, std::string(name)});
  return found == tables_.by_name.end() ? nullptr : found->second;
}

OwnedResourcePtr OwnedResources::FindUnique(const ResourcePlace& place, std::string_view unique) const {
  std::shared_lock lock(mutex_);
  const auto found = tables_.by_unique.find({place, std::string(unique)});
  return found == tables_.by_unique.end() ? nullptr : found->second;
}

std::vector<OwnedResourcePtr> OwnedResources::List(const ResourcePlace& place, std::string_view after,
                                                   size_t count_max) const {
  std::vector<OwnedResourcePtr> listed;
  std::shared_lock lock(mutex_);
  for (auto at = tables_.by_name.upper_bound({place, std::string(after)});
       at != tables_.by_name.end() && at->first.first == place && listed.size() < count_max; ++at) {
    listed.push_back(at->second);
  }
  return listed;
}

std::vector<OwnedResourcePtr> OwnedResources::Of(DatabaseId database) const {
  std::vector<OwnedResourcePtr> all;
  std::shared_lock lock(mutex_);
  for (auto at = tables_.by_name.lower_bound({{.database = database, .owner = 0, .kind = 0}, ""});
       at != tables_.by_name.end() && at->first.first.database == database; ++at) {
    all.push_back(at->second);
  }
  return all;
}

std::vector<OwnedResourcePtr> OwnedResources::OwnedBy(DatabaseId database, ResourceNumber owner) const {
  std::vector<OwnedResourcePtr> owned;
  std::shared_lock lock(mutex_);
  for (auto at = tables_.by_name.lower_bound({{.database = database, .owner = owner, .kind = 0}, ""});
       at != tables_.by_name.end() && at->first.first.database == database && at->first.first.owner == owner; ++at) {
    owned.push_back(at->second);
  }
  return owned;
}

size_t OwnedResources::CountOf(DatabaseId database) const {
  std::shared_lock lock(mutex_);
  const auto found = tables_.counts.find(database);
  return found == tables_.counts.end() ? 0 : found->second;
}

ResourceNumber OwnedResources::last() const {
  std::shared_lock lock(mutex_);
  return tables_.last;
}

void OwnedResources::Put(const OwnedResourcePtr& resource) {
  std::unique_lock lock(mutex_);
  tables_.Take(*resource);
  tables_.Add(resource);
}

void OwnedResources::Remove(const std::vector<OwnedResourcePtr>& resources) {
  std::unique_lock lock(mutex_);
  for (const OwnedResourcePtr& resource : resources) tables_.Take(*resource);
}

}  // namespace lapse::engine
