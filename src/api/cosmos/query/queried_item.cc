#include "api/cosmos/query/queried_item.h"

#include <array>
#include <string>

#include "api/added_names.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "doc/value.h"
#include "query/derive/item_derivation.h"
#include "query/values/builder.h"

namespace lapse::api::cosmos {
namespace {

using query::Value;

// In the order in which items show them.
constexpr std::array<std::string_view, 5> kSystemNames = {"_rid", "_self", "_etag", "_attachments", "_ts"};

// Returns the number of the item with this rid. Only a rid that encodes back to the same text belongs to an item of
// this container.
std::optional<engine::ItemNumber> NumberIn(std::string_view rid, const ItemsOwner& owner) {
  const std::optional<Rid> parsed = ParseRid(rid);
  if (!parsed.has_value() || parsed->kind != Rid::Kind::kItem) return std::nullopt;
  std::string again;
  AppendItemRid(owner.database, owner.container, parsed->number, &again);
  return again == rid ? std::optional<engine::ItemNumber>(parsed->number) : std::nullopt;
}

}  // namespace

QueriedItem::Meaning QueriedItem::MeaningOf(std::string_view name) const {
  return IsComputed(name) ? Meaning::kComputed : MeaningOfAdded(name);
}

bool QueriedItem::IsMadeBy(std::string_view name, std::string_view rule) const {
  return IsComputed(name) ? query::IsRuleOfComputed(rule, computed_->TextOf(name)) : rule.empty();
}

std::optional<engine::ItemNumber> QueriedItem::NumberOf(std::string_view rid) const {
  return NumberIn(rid, owner_);
}

Value QueriedItem::Property(std::string_view name, query::Arena* arena) const {
  return IsComputed(name) ? computed_->Of(name, stored_, arena) : StoredProperty(name, arena);
}

Value QueriedItem::StoredProperty(std::string_view name, query::Arena* arena) const {
  if (IsItemSystemName(name)) return SystemProperty(name, arena);
  return Value::FromBson(doc::Find(item_->document, name));
}

Value QueriedItem::Whole(query::Arena* arena) const {
  std::array<Value, kSystemNames.size()> system;
  for (size_t i = 0; i < system.size(); ++i) system[i] = SystemProperty(kSystemNames[i], arena);
  query::ObjectBuilder whole(arena);
  // Members that are returned are copied in runs, as they are stored.
  std::string_view run;
  doc::Reader reader(item_->document);
  while (auto element = reader.Next()) {
    const bool is_shown = !IsItemSystemName(element->name) && !Value::FromBson(element->value).IsUndefined();
    const std::string_view bytes = element->bytes();
    if (is_shown && bytes.data() == run.data() + run.size()) {
      run = {run.data(), run.size() + bytes.size()};
    } else {
      whole.AddStored(run);
      run = is_shown ? bytes : std::string_view();
    }
  }
  whole.AddStored(run);
  for (size_t i = 0; i < system.size(); ++i) whole.Add(kSystemNames[i], system[i]);
  return whole.Finish();
}

Value QueriedItem::SystemProperty(std::string_view name, query::Arena* arena) const {
  const engine::ItemMeta& meta = item_->meta;
  if (name == "_ts") return Value::Int64(meta.version.ts_s);
  if (name == "_attachments") return Value::String("attachments/");
  text_.clear();
  if (name == "_etag") {
    AppendItemEtag(owner_.container, meta, &text_);
  } else if (name == "_rid") {
    AppendItemRid(owner_.database, owner_.container, meta.number, &text_);
  } else if (name == "_self") {
    AppendItemSelf(owner_.database, owner_.container, meta.number, &text_);
  } else {
    return {};
  }
  return Value::String(arena->Copy(text_));
}

std::optional<int64_t> ItemNumbers::NumberOf(Value document) const {
  const Value rid = query::Property(document, "_rid");
  if (!rid.IsString()) return std::nullopt;
  const std::optional<engine::ItemNumber> number = NumberIn(rid.AsString(), owner_);
  if (!number.has_value()) return std::nullopt;
  return static_cast<int64_t>(*number);
}

}  // namespace lapse::api::cosmos
