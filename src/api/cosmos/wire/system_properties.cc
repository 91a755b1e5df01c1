#include "api/cosmos/wire/system_properties.h"

#include <charconv>

#include "api/added_names.h"
#include "api/cosmos/wire/resource_ids.h"
#include "doc/json.h"
#include "doc/value.h"
#include "doc/writer.h"

namespace lapse::api::cosmos {
namespace {

bool IsCommonSystemName(std::string_view name) {
  return name == "_rid" || name == "_self" || name == "_etag" || name == "_ts";
}

void AppendNumber(int64_t value, std::string* json) {
  char digits[24];
  json->append(digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof(digits), value).ptr - digits));
}

// `"\"...\""`: an etag has quotes of its own.
template <typename AppendEtag>
void AppendEtagMember(std::string* json, AppendEtag append_etag) {
  json->append(R"("_etag":"\)");
  append_etag(json);
  json->insert(json->size() - 1, 1, '\\');
  json->push_back('"');
}

// A document may hold this name if it was copied from a feed. The feed replaces it by its own.
bool IsChangedItemSystemName(std::string_view name) {
  return IsItemSystemName(name) || name == "_lsn";
}

// Opens the object and writes the client's members, if any, each with a trailing comma.
void BeginResource(std::string_view document, doc::SkipName skip, std::string* json) {
  json->push_back('{');
  size_t before = json->size();
  doc::MembersToJson(document, skip, json);
  if (json->size() > before) json->push_back(',');
}

// Writes everything but the end.
void BeginItem(const engine::Container& container, const engine::ItemMeta& meta, std::string_view document,
               doc::SkipName skip, std::string* json) {
  BeginResource(document, skip, json);
  json->append(R"("_rid":")");
  AppendItemRid(container.database(), container.id(), meta.number, json);
  json->append(R"(","_self":")");
  AppendItemSelf(container.database(), container.id(), meta.number, json);
  json->append(R"(",)");
  AppendEtagMember(json, [&](std::string* out) { AppendItemEtag(container.id(), meta, out); });
  json->append(R"(,"_attachments":"attachments/","_ts":)");
  AppendNumber(meta.version.ts_s, json);
}

}  // namespace

bool IsItemSystemName(std::string_view name) {
  return IsAddedToItems(name);
}

bool IsContainerSystemName(std::string_view name) {
  if (name.empty() || name[0] != '_') return false;
  return IsCommonSystemName(name) || name == "_docs" || name == "_sprocs" || name == "_triggers" || name == "_udfs" ||
         name == "_conflicts";
}

bool IsDatabaseSystemName(std::string_view name) {
  if (name.empty() || name[0] != '_') return false;
  return IsCommonSystemName(name) || name == "_colls" || name == "_users";
}

bool IsOwnedSystemName(std::string_view name) {
  if (name.empty() || name[0] != '_') return false;
  return IsCommonSystemName(name) || name == "_permissions" || name == "_token";
}

std::string WithoutSystemNames(std::string document, bool (*is_system)(std::string_view)) {
  bool found = false;
  doc::Reader look(document);
  while (auto element = look.Next()) found |= is_system(element->name);
  if (!found) return document;

  std::string kept;
  kept.reserve(document.size());
  doc::Writer writer(&kept);
  writer.BeginDocument();
  doc::Reader reader(document);
  while (auto element = reader.Next()) {
    if (!is_system(element->name)) writer.AppendValue(element->name, element->value);
  }
  writer.End();
  return kept;
}

void AppendOwnedJson(const engine::OwnedResource& resource, const OwnedNames& names, std::string_view more,
                     std::string* json) {
  BeginResource(resource.content.properties, IsOwnedSystemName, json);
  json->append(R"("_rid":")").append(names.rid).append(R"(","_self":")").append(names.self).append(R"(",)");
  AppendEtagMember(json, [&](std::string* out) { out->append(names.etag); });
  json->append(R"(,"_ts":)");
  AppendNumber(resource.ts_s, json);
  json->append(more).push_back('}');
}

void AppendDatabaseJson(const engine::Database& database, std::string* json) {
  BeginResource(database.properties, IsDatabaseSystemName, json);
  json->append(R"("_rid":")");
  AppendDatabaseRid(database.id, json);
  json->append(R"(","_self":"dbs/)");
  AppendDatabaseRid(database.id, json);
  json->append(R"(/",)");
  AppendEtagMember(json, [&](std::string* out) { AppendDatabaseEtag(database.id, out); });
  json->append(R"(,"_colls":"colls/","_users":"users/","_ts":)");
  AppendNumber(database.ts_s, json);
  json->push_back('}');
}

void AppendContainerJson(const engine::Container& container, const engine::ContainerState& state, std::string* json) {
  BeginResource(state.definition.properties, IsContainerSystemName, json);
  json->append(R"("_rid":")");
  AppendContainerRid(container.database(), container.id(), json);
  json->append(R"(","_ts":)");
  AppendNumber(state.ts_s, json);
  json->append(R"(,"_self":"dbs/)");
  AppendDatabaseRid(container.database(), json);
  json->append("/colls/");
  AppendContainerRid(container.database(), container.id(), json);
  json->append(R"(/",)");
  AppendEtagMember(json, [&](std::string* out) { AppendContainerEtag(container.id(), state.revision, out); });
  json->append(R"(,"_docs":"docs/","_sprocs":"sprocs/","_triggers":"triggers/","_udfs":"udfs/",)");
  json->append(R"("_conflicts":"conflicts/"})");
}

void AppendItemJson(const engine::Container& container, const engine::ItemMeta& meta, std::string_view document,
                    std::string* json) {
  BeginItem(container, meta, document, IsItemSystemName, json);
  json->push_back('}');
}

void AppendChangedItemJson(const engine::Container& container, const engine::ItemMeta& meta, std::string_view document,
                           std::string* json) {
  BeginItem(container, meta, document, IsChangedItemSystemName, json);
  json->append(R"(,"_lsn":)").append(std::to_string(meta.lsn)).push_back('}');
}

}  // namespace lapse::api::cosmos
