// The part of the catalog's store that keeps owned resources and the secret.
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/catalog/store/catalog_store.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {
namespace {

// The maximum for one database: all resources are kept in memory.
constexpr size_t kResourcesMax = 100'000;
constexpr ResourceNumber kResourceNumberMax = 0x7FFF'FFFF;

Status NoResource() {
  return {Code::kNotFound, "no such resource"};
}

}  // namespace

Status CatalogStore::CheckTexts(const ResourcePlace& place, const ResourceContent& content, ResourceNumber self) const {
  const OwnedResourcePtr same_name = resources().Find(place, content.name);
  if (same_name != nullptr && same_name->number != self) return {Code::kAlreadyExists, "the resource exists"};
  if (content.unique.empty()) return Status::Ok();
  const OwnedResourcePtr same_text = resources().FindUnique(place, content.unique);
  if (same_text == nullptr || same_text->number == self) return Status::Ok();
  return {Code::kAlreadyExists, "there is another resource for the same"};
}

Result<OwnedResourcePtr> CatalogStore::CreateResource(const ResourcePlace& place, ResourceContent content) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  if (!HasDatabase(place.database)) return Status(Code::kNotFound, "no such database");
  if (place.owner != 0) {
    const OwnedResourcePtr owner = resources().Find(place.owner);
    if (owner == nullptr || owner->place.database != place.database) return NoResource();
  }
  LAPSE_RETURN_IF_ERROR(CheckTexts(place, content, 0));
  if (resources().CountOf(place.database) >= kResourcesMax || resources().last() >= kResourceNumberMax) {
    return Status(Code::kForbidden, "A database may have 100,000 users, permissions and keys together.");
  }
  auto made = std::make_shared<OwnedResource>();
  made->number = resources().last() + 1;
  made->place = place;
  made->content = std::move(content);
  made->ts_s = clock_->NowMs() / 1000;
  store::Batch batch;
  batch.Put(kMetaFamily, OwnedResourceCounterKey(), EncodeResourceCounter(made->number));
  batch.Put(kMetaFamily, OwnedResourceKey(place.database, made->number), EncodeOwnedResource(*made));
  LAPSE_RETURN_IF_ERROR(Write(batch));
  resources().Put(made);
  return OwnedResourcePtr(std::move(made));
}

Result<OwnedResourcePtr> CatalogStore::ReplaceResource(ResourceNumber number, ResourceContent content,
                                                       RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  const OwnedResourcePtr before = resources().Find(number);
  if (before == nullptr) return NoResource();
  if (condition != 0 && condition != before->revision) {
    return Status(Code::kPreconditionFailed, "the resource has changed");
  }
  LAPSE_RETURN_IF_ERROR(CheckTexts(before->place, content, number));
  auto next = std::make_shared<OwnedResource>(*before);
  next->content = std::move(content);
  next->ts_s = clock_->NowMs() / 1000;
  ++next->revision;
  store::Batch batch;
  batch.Put(kMetaFamily, OwnedResourceKey(next->place.database, number), EncodeOwnedResource(*next));
  // Synced whatever the user chose: a permission that was revoked must not reappear after a crash.
  LAPSE_RETURN_IF_ERROR(Write(batch, store::Durability::kSync, store::Room::kOrdinary));
  resources().Put(next);
  return OwnedResourcePtr(std::move(next));
}

Status CatalogStore::DropResource(ResourceNumber number, RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  const OwnedResourcePtr resource = resources().Find(number);
  if (resource == nullptr) return NoResource();
  if (condition != 0 && condition != resource->revision) {
    return {Code::kPreconditionFailed, "the resource has changed"};
  }
  std::vector<OwnedResourcePtr> gone = resources().OwnedBy(resource->place.database, number);
  gone.push_back(resource);
  store::Batch batch;
  for (const OwnedResourcePtr& one : gone) {
    batch.Delete(kMetaFamily, OwnedResourceKey(one->place.database, one->number));
  }
  // Synced, as above. May use the reserve of a full disk: revoking a permission cannot wait for room.
  LAPSE_RETURN_IF_ERROR(Write(batch, store::Durability::kSync, store::Room::kReserve));
  resources().Remove(gone);
  return Status::Ok();
}

Result<std::string> CatalogStore::KeepSecret(std::string_view proposed) {
  std::lock_guard lock(change_mutex_);
  store::PinnedValue kept;
  Status found = store_->Get(kMetaFamily, SecretKey(), &kept);
  if (found.ok()) return std::string(kept.view());
  if (found.code() != Code::kNotFound) return found;
  store::Batch batch;
  batch.Put(kMetaFamily, SecretKey(), proposed);
  LAPSE_RETURN_IF_ERROR(store_->Write(batch, store::Durability::kSync, store::Room::kReserve));
  return std::string(proposed);
}

}  // namespace lapse::engine
