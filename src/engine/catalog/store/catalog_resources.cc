// The part of the catalog that keeps owned resources and the secret.
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/catalog/store/catalog.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {
namespace {

// A database with so many is refused more: all of them are in memory.
constexpr size_t kResourcesMax = 100'000;
constexpr ResourceNumber kResourceNumberMax = 0x7FFF'FFFF;

Status NoResource() {
  return {Code::kNotFound, "no such resource"};
}

}  // namespace

Status Catalog::CheckTexts(const ResourcePlace& place, const ResourceContent& content, ResourceNumber self) const {
  const OwnedResourcePtr same_name = resources_.Find(place, content.name);
  if (same_name != nullptr && same_name->number != self) return {Code::kAlreadyExists, "the resource exists"};
  if (content.unique.empty()) return Status::Ok();
  const OwnedResourcePtr same_text = resources_.FindUnique(place, content.unique);
  if (same_text == nullptr || same_text->number == self) return Status::Ok();
  return {Code::kAlreadyExists, "there is another resource for the same"};
}

Result<OwnedResourcePtr> Catalog::CreateResource(const ResourcePlace& place, ResourceContent content) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  if (!HasDatabase(place.database)) return Status(Code::kNotFound, "no such database");
  if (place.owner != 0) {
    const OwnedResourcePtr owner = resources_.Find(place.owner);
    if (owner == nullptr || owner->place.database != place.database) return NoResource();
  }
  LAPSE_RETURN_IF_ERROR(CheckTexts(place, content, 0));
  if (resources_.CountOf(place.database) >= kResourcesMax || resources_.last() >= kResourceNumberMax) {
    return Status(Code::kForbidden, "A database may have 100,000 users, permissions and keys together.");
  }
  auto made = std::make_shared<OwnedResource>();
  made->number = resources_.last() + 1;
  made->place = place;
  made->content = std::move(content);
  made->ts_s = parts_.commit.clock->NowMs() / 1000;
  store::Batch batch;
  batch.Put(kMetaFamily, OwnedResourceCounterKey(), EncodeResourceCounter(made->number));
  batch.Put(kMetaFamily, OwnedResourceKey(place.database, made->number), EncodeOwnedResource(*made));
  LAPSE_RETURN_IF_ERROR(Write(batch));
  resources_.Put(made);
  return OwnedResourcePtr(std::move(made));
}

Result<OwnedResourcePtr> Catalog::ReplaceResource(ResourceNumber number, ResourceContent content,
                                                  RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  const OwnedResourcePtr before = resources_.Find(number);
  if (before == nullptr) return NoResource();
  if (condition != 0 && condition != before->revision) {
    return Status(Code::kPreconditionFailed, "the resource has changed");
  }
  LAPSE_RETURN_IF_ERROR(CheckTexts(before->place, content, number));
  auto next = std::make_shared<OwnedResource>(*before);
  next->content = std::move(content);
  next->ts_s = parts_.commit.clock->NowMs() / 1000;
  ++next->revision;
  store::Batch batch;
  batch.Put(kMetaFamily, OwnedResourceKey(next->place.database, number), EncodeOwnedResource(*next));
  // Synced whatever the user chose: what was taken back must not be there again after a crash.
  LAPSE_RETURN_IF_ERROR(Write(batch, store::Durability::kSync, store::Room::kOrdinary));
  resources_.Put(next);
  return OwnedResourcePtr(std::move(next));
}

Status Catalog::DropResource(ResourceNumber number, RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  const OwnedResourcePtr resource = resources_.Find(number);
  if (resource == nullptr) return NoResource();
  if (condition != 0 && condition != resource->revision) {
    return {Code::kPreconditionFailed, "the resource has changed"};
  }
  std::vector<OwnedResourcePtr> gone = resources_.OwnedBy(resource->place.database, number);
  gone.push_back(resource);
  store::Batch batch;
  for (const OwnedResourcePtr& one : gone) {
    batch.Delete(kMetaFamily, OwnedResourceKey(one->place.database, one->number));
  }
  // Synced, as above. On the reserve of a full disk: who takes a permission back cannot wait for room.
  LAPSE_RETURN_IF_ERROR(Write(batch, store::Durability::kSync, store::Room::kReserve));
  resources_.Remove(gone);
  return Status::Ok();
}

Result<OwnedResourcePtr> Catalog::FindResource(ResourceNumber number) {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  OwnedResourcePtr found = resources_.Find(number);
  if (found == nullptr) return NoResource();
  return found;
}

Result<OwnedResourcePtr> Catalog::FindResource(const ResourcePlace& place, std::string_view name) {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  OwnedResourcePtr found = resources_.Find(place, name);
  if (found == nullptr) return NoResource();
  return found;
}

Result<std::vector<OwnedResourcePtr>> Catalog::ListResources(const ResourcePlace& place, std::string_view after,
                                                             size_t count_max) {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  return resources_.List(place, after, count_max);
}

Result<std::string> Catalog::KeepSecret(std::string_view proposed) {
  std::lock_guard lock(change_mutex_);
  store::PinnedValue kept;
  Status found = shard_->Get(kMetaFamily, SecretKey(), &kept);
  if (found.ok()) return std::string(kept.view());
  if (found.code() != Code::kNotFound) return found;
  store::Batch batch;
  batch.Put(kMetaFamily, SecretKey(), proposed);
  LAPSE_RETURN_IF_ERROR(shard_->Write(batch, store::Durability::kSync, store::Room::kReserve));
  return std::string(proposed);
}

}  // namespace lapse::engine
