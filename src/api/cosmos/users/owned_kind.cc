#include "api/cosmos/users/owned_kind.h"

#include <utility>
#include <vector>

#include "api/cosmos/query/query_resources.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/names.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "doc/value.h"
#include "engine/records/prices/prices.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kDocumentBytesMax = 64 * 1024;
// The most resources that are read at once.
constexpr size_t kListedMax = 1000;
constexpr uint64_t kNoSuchRevision = UINT64_MAX;

// Reads the content of the resource from the body.
Result<engine::ResourceContent> ReadContent(const OwnedKind& kind, const Call& call) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, ParseBody(call.request().body));
  if (document.size() > kDocumentBytesMax) {
    return Status(Code::kTooLarge, "Request size is too large. Such a resource may have 64 KB.");
  }
  const doc::Value id = doc::Find(document, "id");
  if (!id.missing() && id.type() != doc::Type::kString) {
    return Status(Code::kInvalidArgument, "The id of a resource must be a string.");
  }
  engine::ResourceContent content;
  content.name = id.missing() ? std::string_view() : id.AsString();
  LAPSE_RETURN_IF_ERROR(CheckResourceName(content.name));
  content.properties = WithoutSystemNames(std::move(document), IsOwnedSystemName);
  LAPSE_ASSIGN_OR_RETURN(content.unique, kind.unique(call, content.properties));
  return content;
}

void SendOne(const OwnedKind& kind, Call* call, int status, const engine::OwnedResource& resource) {
  call->AddEtag(OwnedEtag(resource));
  kind.append(*call, resource, &call->body());
  call->Send(status, engine::kMetadataMilliRu);
}

// Returns the resource that the path names.
Result<engine::OwnedResourcePtr> Named(const OwnedKind& kind, const Call& call) {
  LAPSE_ASSIGN_OR_RETURN(const engine::ResourcePlace place, kind.place(call));
  if (call.route().by_rid()) return Numbered(call, place, call.route().rid()->number);
  return call.catalog().FindResource(place, kind.name(call.route()));
}

// An etag of another resource, or an invalid one, becomes a revision that no resource has.
engine::RevisionCondition ConditionOf(const net::Request& request, const engine::OwnedResource& resource) {
  const std::string_view if_match = request.Header("if-match");
  if (if_match.empty() || if_match == "*") return 0;
  return if_match == OwnedEtag(resource) ? resource.revision : kNoSuchRevision;
}

// Returns the rid of the owner of such resources.
std::string OwnerRid(const engine::ResourcePlace& place) {
  std::string rid;
  if (place.owner == 0) {
    AppendDatabaseRid(place.database, &rid);
  } else {
    AppendUserRid(place.database, place.owner, &rid);
  }
  return rid;
}

std::string FeedName(const OwnedKind& kind, const std::string& owner_rid) {
  return std::string(kind.feed_name) + "/" + owner_rid;
}

Result<engine::OwnedResourcePtr> Create(const OwnedKind& kind, const Call& call) {
  LAPSE_RETURN_IF_ERROR(kind.check(call.request()));
  LAPSE_ASSIGN_OR_RETURN(engine::ResourceContent content, ReadContent(kind, call));
  LAPSE_ASSIGN_OR_RETURN(const engine::ResourcePlace place, kind.place(call));
  return call.catalog_store().CreateResource(place, std::move(content));
}

Result<engine::OwnedResourcePtr> Replace(const OwnedKind& kind, const Call& call,
                                         const engine::OwnedResource& resource) {
  LAPSE_RETURN_IF_ERROR(kind.check(call.request()));
  LAPSE_ASSIGN_OR_RETURN(engine::ResourceContent content, ReadContent(kind, call));
  if (!kind.renames && content.name != resource.content.name) {
    return Status(Code::kInvalidArgument, "The id of this resource cannot be changed.");
  }
  return call.catalog_store().ReplaceResource(resource.number, std::move(content),
                                              ConditionOf(call.request(), resource));
}

// Returns the resource with the name in the body, or null if there is none yet.
Result<engine::OwnedResourcePtr> FindBodys(const OwnedKind& kind, const Call& call) {
  LAPSE_ASSIGN_OR_RETURN(const engine::ResourceContent content, ReadContent(kind, call));
  LAPSE_ASSIGN_OR_RETURN(const engine::ResourcePlace place, kind.place(call));
  Result<engine::OwnedResourcePtr> found = call.catalog().FindResource(place, content.name);
  if (found.status().code() == Code::kNotFound) return engine::OwnedResourcePtr();
  return found;
}

// The owner is missing, unless it is the resource itself.
ApiError Missing(const OwnedKind& kind, const Call& call, const Status& failed) {
  if (failed.code() == Code::kNotFound && !kind.place(call).ok()) return OwnerNotFound();
  return FromStatus(failed);
}

}  // namespace

std::string OwnedEtag(const engine::OwnedResource& resource) {
  std::string etag;
  AppendContainerEtag(resource.number, resource.revision, &etag);
  return etag;
}

Result<engine::OwnedResourcePtr> Numbered(const Call& call, const engine::ResourcePlace& place, uint64_t number) {
  const auto known = static_cast<engine::ResourceNumber>(number);
  if (known != number) return Status(Code::kNotFound, "no resource has this rid");
  LAPSE_ASSIGN_OR_RETURN(engine::OwnedResourcePtr found, call.catalog().FindResource(known));
  if (found->place != place) return Status(Code::kNotFound, "the rid is one of another kind or owner");
  return found;
}

std::string_view NameOfChild(const Route& route) {
  return route.item();
}

Status AnyHeaders(const net::Request&) {
  return Status::Ok();
}

Result<engine::ResourcePlace> PlaceInDatabase(const Call& call, uint8_t kind) {
  LAPSE_ASSIGN_OR_RETURN(const engine::DatabasePtr database, FindDatabase(call));
  return engine::ResourcePlace{.database = database->id, .owner = 0, .kind = kind};
}

void CreateOwned(const OwnedKind& kind, CallPtr call) {
  Result<engine::OwnedResourcePtr> created = Create(kind, *call);
  if (!created.ok()) return call->Fail(OwnerMissing(created.status()));
  SendOne(kind, call.get(), 201, **created);
}

void UpsertOwned(const OwnedKind& kind, CallPtr call) {
  // Another request may create it between the lookup and the change. The second lookup then finds it.
  for (int tries_left = 2;; --tries_left) {
    Result<engine::OwnedResourcePtr> existing = FindBodys(kind, *call);
    if (!existing.ok()) return call->Fail(OwnerMissing(existing.status()));
    const bool creates = *existing == nullptr;
    Result<engine::OwnedResourcePtr> written = creates ? Create(kind, *call) : Replace(kind, *call, **existing);
    if (written.ok()) return SendOne(kind, call.get(), creates ? 201 : 200, **written);
    const bool overtaken = written.status().code() == (creates ? Code::kAlreadyExists : Code::kNotFound);
    if (!overtaken || tries_left == 0) return call->Fail(Missing(kind, *call, written.status()));
  }
}

void ListOwned(const OwnedKind& kind, CallPtr call) {
  if (Status checked = kind.check(call->request()); !checked.ok()) return call->Fail(checked);
  Result<engine::ResourcePlace> place = kind.place(*call);
  if (!place.ok()) return call->Fail(OwnerMissing(place.status()));
  const std::string rid = OwnerRid(*place);
  const std::string feed_name = FeedName(kind, rid);
  Result<PageRequest> page = ReadPageRequest(call->request(), feed_name);
  if (!page.ok()) return call->Fail(page.status());
  Result<std::vector<engine::OwnedResourcePtr>> listed =
      call->catalog().ListResources(*place, page->position, kListedMax);
  if (!listed.ok()) return call->Fail(listed.status());

  FeedBody feed(rid, kind.feed_name, &call->body());
  std::string last;
  std::string next_position = listed->size() == kListedMax ? listed->back()->content.name : "";
  for (const engine::OwnedResourcePtr& resource : *listed) {
    const auto append = [&](std::string* json) { kind.append(*call, *resource, json); };
    if (feed.count() == page->items_max || !feed.Add(append)) {
      next_position = last;
      break;
    }
    last = resource->content.name;
  }
  feed.End();
  AddPageHeaders(call.get(), feed_name, feed.count(), next_position);
  call->Send(200, engine::kMetadataMilliRu);
}

void QueryOwned(const OwnedKind& kind, CallPtr call) {
  if (Status checked = kind.check(call->request()); !checked.ok()) return call->Fail(checked);
  Result<engine::ResourcePlace> place = kind.place(*call);
  if (!place.ok()) return call->Fail(OwnerMissing(place.status()));
  QueriedFeed feed;
  feed.rid = OwnerRid(*place);
  feed.name = FeedName(kind, feed.rid);
  feed.member = kind.feed_name;
  feed.next = [&](std::string_view after) -> Result<std::vector<query::exec::ListedItem>> {
    LAPSE_ASSIGN_OR_RETURN(const std::vector<engine::OwnedResourcePtr> resources,
                           call->catalog().ListResources(*place, after, kListedMax));
    std::vector<query::exec::ListedItem> listed;
    for (const engine::OwnedResourcePtr& resource : resources) {
      std::string json;
      kind.append(*call, *resource, &json);
      LAPSE_ASSIGN_OR_RETURN(listed.emplace_back(), Listed(resource->content.name, json));
    }
    return listed;
  };
  SendQuery(call.get(), feed);
}

void ReadOwned(const OwnedKind& kind, CallPtr call) {
  if (Status checked = kind.check(call->request()); !checked.ok()) return call->Fail(checked);
  Result<engine::OwnedResourcePtr> found = Named(kind, *call);
  if (!found.ok()) return call->Fail(Missing(kind, *call, found.status()));
  const std::string etag = OwnedEtag(**found);
  if (kind.conditional_read && call->request().Header("if-none-match") == etag) {
    call->AddEtag(etag);
    return call->Fail(Status(Code::kNotModified, ""));
  }
  SendOne(kind, call.get(), 200, **found);
}

void ReplaceOwned(const OwnedKind& kind, CallPtr call) {
  Result<engine::OwnedResourcePtr> found = Named(kind, *call);
  if (!found.ok()) return call->Fail(Missing(kind, *call, found.status()));
  Result<engine::OwnedResourcePtr> replaced = Replace(kind, *call, **found);
  if (!replaced.ok()) return call->Fail(replaced.status());
  SendOne(kind, call.get(), 200, **replaced);
}

void DeleteOwned(const OwnedKind& kind, CallPtr call) {
  Result<engine::OwnedResourcePtr> found = Named(kind, *call);
  if (!found.ok()) return call->Fail(Missing(kind, *call, found.status()));
  const Status dropped = call->catalog_store().DropResource((*found)->number, ConditionOf(call->request(), **found));
  if (!dropped.ok()) return call->Fail(dropped);
  call->Send(204, engine::kMetadataMilliRu);
}

}  // namespace lapse::api::cosmos
