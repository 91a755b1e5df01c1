// Offers: the throughput of databases and containers as resources of their own.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/offers/handlers.h"
#include "api/cosmos/offers/throughput.h"
#include "api/cosmos/query/query_resources.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/resource_ids.h"
#include "doc/json.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kFeed = "offers";

// One offer and its owner.
struct Offer {
  std::string id;
  std::string resource;     // the owner's _self
  std::string resource_id;  // the owner's _rid
  std::string etag;
  engine::Throughput throughput;
  engine::ThroughputChanges changes;
  std::string database;
  std::string container;  // empty: the database's own
};

void FillChanges(uint32_t owner, const engine::ThroughputChanges& changes, Offer* offer) {
  AppendContainerEtag(owner, changes.revision, &offer->etag);
  offer->changes = changes;
}

// The throughput of a container that requested none and shares none: clients expect an offer for every such container.
// The server decides whether to enforce it (--rate-limiting).
engine::Throughput ShownThroughput(const engine::Container& container, const engine::ContainerState& state) {
  const engine::Throughput& own = state.definition.throughput;
  return own.none() && container.shared_pool() == nullptr ? engine::Throughput(engine::kThroughputMin) : own;
}

Offer OfferOf(const engine::Database& database) {
  Offer offer;
  offer.id = OfferId(OfferOwner::kDatabase, database.id);
  AppendDatabaseRid(database.id, &offer.resource_id);
  offer.resource = "dbs/" + offer.resource_id + "/";
  offer.throughput = database.throughput;
  FillChanges(database.id, database.throughput_changes, &offer);
  offer.database = database.name;
  return offer;
}

Offer OfferOf(const engine::Database& database, const engine::Container& container,
              const engine::ContainerState& state) {
  Offer offer;
  offer.id = OfferId(OfferOwner::kContainer, container.id());
  AppendContainerRid(database.id, container.id(), &offer.resource_id);
  offer.resource = "dbs/";
  AppendDatabaseRid(database.id, &offer.resource);
  offer.resource += "/colls/" + offer.resource_id + "/";
  offer.throughput = ShownThroughput(container, state);
  FillChanges(container.id(), state.throughput_changes, &offer);
  offer.database = database.name;
  offer.container = state.definition.name;
  return offer;
}

// Returns all offers, by id. A database without throughput has none, and neither has a container that shares its
// database's.
Result<std::vector<Offer>> AllOffers(const engine::CatalogView& catalog) {
  std::vector<Offer> offers;
  LAPSE_ASSIGN_OR_RETURN(const std::vector<engine::DatabasePtr> databases, catalog.ListDatabases());
  for (const engine::DatabasePtr& database : databases) {
    if (!database->throughput.none()) offers.push_back(OfferOf(*database));
    Result<std::vector<engine::ContainerPtr>> containers = catalog.ListContainers(database->name);
    if (!containers.ok()) continue;  // deleted meanwhile
    for (const engine::ContainerPtr& container : *containers) {
      std::shared_ptr<const engine::ContainerState> state = container->state();
      if (!ShownThroughput(*container, *state).none()) offers.push_back(OfferOf(*database, *container, *state));
    }
  }
  std::sort(offers.begin(), offers.end(), [](const Offer& a, const Offer& b) { return a.id < b.id; });
  return offers;
}

// Fails: kNotFound.
Result<Offer> FindOffer(const engine::CatalogView& catalog, std::string_view id) {
  LAPSE_ASSIGN_OR_RETURN(std::vector<Offer> offers, AllOffers(catalog));
  for (Offer& offer : offers) {
    if (offer.id == id) return std::move(offer);
  }
  return Status(Code::kNotFound, "");
}

void AppendContent(const Offer& offer, std::string* json) {
  const std::string ru = std::to_string(offer.throughput.ru_per_second());
  json->append(R"({"offerThroughput":)").append(ru);
  json->append(R"(,"offerIsRUPerMinuteThroughputEnabled":false,"offerMinimumThroughputParameters":)");
  json->append(R"({"maxThroughputEverProvisioned":)")
      .append(std::to_string(std::max(offer.changes.ru_most, offer.throughput.ru_per_second())));
  json->append(R"(,"maxConsumedStorageEverInKB":0})");
  if (offer.throughput.kind() == engine::Throughput::Kind::kAutoscale) {
    json->append(R"(,"offerAutopilotSettings":{"maxThroughput":)").append(ru).push_back('}');
  }
  json->push_back('}');
}

void AppendOfferJson(const Offer& offer, std::string* json) {
  json->append(R"({"id":")").append(offer.id).append(R"(","_rid":")").append(offer.id);
  json->append(R"(","_self":"offers/)").append(offer.id).append(R"(/","_etag":)");
  doc::StringToJson(offer.etag, json);
  json->append(R"(,"_ts":)").append(std::to_string(offer.changes.last_s));
  json->append(R"(,"resource":")").append(offer.resource);
  json->append(R"(","offerResourceId":")").append(offer.resource_id);
  json->append(R"(","offerType":"Invalid","offerVersion":"V2","content":)");
  AppendContent(offer, json);
  json->push_back('}');
}

void SendOffer(Call* call, const Offer& offer) {
  call->AddEtag(offer.etag);
  const bool autoscale = offer.throughput.kind() == engine::Throughput::Kind::kAutoscale;
  call->response().AddHeader("x-ms-cosmos-min-throughput",
                             int64_t{autoscale ? engine::kAutoscaleMin : engine::kThroughputMin});
  AppendOfferJson(offer, &call->body());
  call->Send(200, engine::kMetadataMilliRu);
}

// An offer never changes its owner, so a body that says otherwise is a mistake.
Status CheckOwner(std::string_view given, const Offer& offer) {
  for (const auto& [name, own] : {std::pair<std::string_view, std::string_view>{"id", offer.id},
                                  {"_rid", offer.id},
                                  {"resource", offer.resource},
                                  {"offerResourceId", offer.resource_id}}) {
    doc::Value value = doc::Find(given, name);
    if (value.missing() || (value.type() == doc::Type::kString && value.AsString() == own)) continue;
    return Status(Code::kInvalidArgument, "The property '" + std::string(name) + "' of an offer cannot be changed.");
  }
  return Status::Ok();
}

Result<Offer> Replace(Call* call, const Offer& offer) {
  std::string_view if_match = call->request().Header("if-match");
  const bool conditional = !if_match.empty() && if_match != "*";
  if (conditional && if_match != offer.etag) return Status(Code::kPreconditionFailed, "");
  // Checked again where the change is made, since another change may intervene.
  const engine::RevisionCondition condition = conditional ? offer.changes.revision : 0;
  LAPSE_ASSIGN_OR_RETURN(std::string given, ParseBody(call->request().body));
  LAPSE_RETURN_IF_ERROR(CheckOwner(given, offer));
  LAPSE_ASSIGN_OR_RETURN(engine::Throughput throughput, ReplacedThroughput(call->request(), given, offer.throughput));
  if (offer.container.empty()) {
    LAPSE_ASSIGN_OR_RETURN(engine::DatabasePtr changed,
                           call->catalog_store().SetDatabaseThroughput(offer.database, throughput, condition));
    return OfferOf(*changed);
  }
  LAPSE_RETURN_IF_ERROR(
      call->catalog_store().SetContainerThroughput(offer.database, offer.container, throughput, condition).status());
  return FindOffer(call->catalog(), offer.id);
}

}  // namespace

void ListOffers(CallPtr call) {
  Result<PageRequest> page = ReadPageRequest(call->request(), kFeed);
  if (!page.ok()) return call->Fail(page.status());
  Result<std::vector<Offer>> offers = AllOffers(call->catalog());
  if (!offers.ok()) return call->Fail(offers.status());
  FeedBody feed("", "Offers", &call->body());
  std::string last;
  std::string next_position;
  for (const Offer& offer : *offers) {
    if (offer.id <= page->position) continue;
    const auto append = [&](std::string* json) { AppendOfferJson(offer, json); };
    if (feed.count() == page->items_max || !feed.Add(append)) {
      next_position = last;
      break;
    }
    last = offer.id;
  }
  feed.End();
  AddPageHeaders(call.get(), kFeed, feed.count(), next_position);
  call->Send(200, engine::kMetadataMilliRu);
}

void QueryOffers(CallPtr call) {
  QueriedFeed feed{std::string(kFeed), "", "Offers", {}};
  feed.next = [&](std::string_view after) -> Result<std::vector<query::exec::ListedItem>> {
    LAPSE_ASSIGN_OR_RETURN(const std::vector<Offer> offers, AllOffers(call->catalog()));
    std::vector<query::exec::ListedItem> listed;
    for (const Offer& offer : offers) {
      if (offer.id <= after) continue;
      std::string json;
      AppendOfferJson(offer, &json);
      LAPSE_ASSIGN_OR_RETURN(listed.emplace_back(), Listed(offer.id, json));
    }
    return listed;
  };
  SendQuery(call.get(), feed);
}

void ReadOffer(CallPtr call) {
  Result<Offer> offer = FindOffer(call->catalog(), call->route().item());
  if (!offer.ok()) return call->Fail(offer.status());
  SendOffer(call.get(), *offer);
}

void ReplaceOffer(CallPtr call) {
  Result<Offer> offer = FindOffer(call->catalog(), call->route().item());
  if (!offer.ok()) return call->Fail(offer.status());
  Result<Offer> replaced = Replace(call.get(), *offer);
  if (!replaced.ok()) return call->Fail(replaced.status());
  SendOffer(call.get(), *replaced);
}

}  // namespace lapse::api::cosmos
