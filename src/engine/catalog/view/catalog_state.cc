#include "engine/catalog/view/catalog_state.h"

#include <utility>

namespace lapse::engine {

ContainerPtr CatalogState::FindContainer(ContainerId id) const {
  const ContainerPtr* const found = containers_by_id_.Find(id);
  return found == nullptr ? nullptr : *found;
}

void CatalogState::Put(const DatabasePtr& database) {
  Entry entry;
  if (const Entry* before = Find(database->name)) entry = *before;
  entry.database = database;
  databases_by_id_ = databases_by_id_.With(database->id, database);
  databases_ = databases_.With(database->name, std::move(entry));
}

void CatalogState::Drop(const Database& database) {
  if (const Entry* entry = Find(database.name)) {
    entry->containers.ForEach([this](const std::string&, const ContainerPtr& container) {
      containers_by_id_ = containers_by_id_.Without(container->id());
    });
  }
  databases_by_id_ = databases_by_id_.Without(database.id);
  databases_ = databases_.Without(database.name);
}

void CatalogState::Put(const std::string& database, const ContainerPtr& container) {
  Entry entry = *Find(database);
  entry.containers = entry.containers.With(container->state()->definition.name, container);
  containers_by_id_ = containers_by_id_.With(container->id(), container);
  databases_ = databases_.With(database, std::move(entry));
}

void CatalogState::Drop(const std::string& database, const Container& container) {
  Entry entry = *Find(database);
  entry.containers = entry.containers.Without(container.state()->definition.name);
  containers_by_id_ = containers_by_id_.Without(container.id());
  databases_ = databases_.With(database, std::move(entry));
}

}  // namespace lapse::engine
