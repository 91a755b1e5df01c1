#include "engine/catalog/view/catalog_view.h"

namespace lapse::engine {
namespace {

Status NoDatabase() {
  return {Code::kNotFound, "no such database"};
}
Status NoContainer() {
  return {Code::kNotFound, "no such container"};
}
Status NoResource() {
  return {Code::kNotFound, "no such resource"};
}

}  // namespace

Status CatalogView::CheckCertain() const {
  if (!in_doubt_) return Status::Ok();
  return {Code::kUnavailable, "it is not known whether a change of the catalog counts"};
}

Result<DatabasePtr> CatalogView::FindDatabase(std::string_view name) const {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  const std::shared_ptr<const CatalogState> now = state();
  const CatalogState::Entry* const entry = now->Find(name);
  if (entry == nullptr) return NoDatabase();
  return entry->database;
}

Result<DatabasePtr> CatalogView::FindDatabase(DatabaseId id) const {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  const std::shared_ptr<const CatalogState> now = state();
  const DatabasePtr* const found = now->Find(id);
  if (found == nullptr) return NoDatabase();
  return *found;
}

Result<std::vector<DatabasePtr>> CatalogView::ListDatabases() const {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  std::vector<DatabasePtr> databases;
  const std::shared_ptr<const CatalogState> now = state();
  now->databases().ForEach(
      [&](const std::string&, const CatalogState::Entry& entry) { databases.push_back(entry.database); });
  return databases;
}

Result<ContainerPtr> CatalogView::FindContainer(std::string_view database, std::string_view name) const {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  return Known(database, name);
}

Result<ContainerPtr> CatalogView::FindContainer(DatabaseId database, ContainerId id) const {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  ContainerPtr found = state()->FindContainer(id);
  if (found == nullptr || found->database() != database) return NoContainer();
  return found;
}

Result<ContainerPtr> CatalogView::Known(std::string_view database, std::string_view name) const {
  const std::shared_ptr<const CatalogState> now = state();
  const CatalogState::Entry* const entry = now->Find(database);
  if (entry == nullptr) return NoDatabase();
  const ContainerPtr* const found = entry->containers.Find(name);
  if (found == nullptr) return NoContainer();
  return *found;
}

Result<std::vector<ContainerPtr>> CatalogView::ListContainers(std::string_view database) const {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  const std::shared_ptr<const CatalogState> now = state();
  const CatalogState::Entry* const entry = now->Find(database);
  if (entry == nullptr) return NoDatabase();
  std::vector<ContainerPtr> containers;
  entry->containers.ForEach(
      [&](const std::string&, const ContainerPtr& container) { containers.push_back(container); });
  return containers;
}

Result<OwnedResourcePtr> CatalogView::FindResource(ResourceNumber number) const {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  OwnedResourcePtr found = resources_.Find(number);
  if (found == nullptr) return NoResource();
  return found;
}

Result<OwnedResourcePtr> CatalogView::FindResource(const ResourcePlace& place, std::string_view name) const {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  OwnedResourcePtr found = resources_.Find(place, name);
  if (found == nullptr) return NoResource();
  return found;
}

Result<std::vector<OwnedResourcePtr>> CatalogView::ListResources(const ResourcePlace& place, std::string_view after,
                                                                 size_t count_max) const {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  return resources_.List(place, after, count_max);
}

}  // namespace lapse::engine
