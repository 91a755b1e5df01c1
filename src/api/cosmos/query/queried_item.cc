#include "api/cosmos/query/queried_item.h"

#include <array>
#include <string>

#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "doc/value.h"
#include "query/values/builder.h"

namespace lapse::api::cosmos {
namespace {

using query::Value;

// In the order in which items show them.
constexpr std::array<std::string_view, 5> kSystemNames = {"_rid", "_self", "_etag", "_attachments", "_ts"};

}  // namespace

Value QueriedItem::Property(std::string_view name, query::Arena* arena) const {
  if (IsItemSystemName(name)) return SystemProperty(name, arena);
  return Value::FromBson(doc::Find(item_->document, name));
}

Value QueriedItem::Whole(query::Arena* arena) const {
  std::array<Value, kSystemNames.size()> system;
  for (size_t i = 0; i < system.size(); ++i) system[i] = SystemProperty(kSystemNames[i], arena);
  query::ObjectBuilder whole(arena);
  doc::Reader reader(item_->document);
  while (auto element = reader.Next()) {
    if (!IsItemSystemName(element->name)) whole.Add(element->name, Value::FromBson(element->value));
  }
  for (size_t i = 0; i < system.size(); ++i) whole.Add(kSystemNames[i], system[i]);
  return whole.Finish();
}

Value QueriedItem::SystemProperty(std::string_view name, query::Arena* arena) const {
  const engine::ItemMeta& meta = item_->meta;
  if (name == "_ts") return Value::Int64(meta.version.ts_s);
  if (name == "_attachments") return Value::String("attachments/");
  std::string text;
  if (name == "_etag") {
    AppendItemEtag(owner_.container, meta, &text);
  } else if (name == "_rid") {
    AppendItemRid(owner_.database, owner_.container, meta.number, &text);
  } else if (name == "_self") {
    AppendItemSelf(owner_.database, owner_.container, meta.number, &text);
  } else {
    return {};
  }
  return Value::String(arena->Copy(text));
}

}  // namespace lapse::api::cosmos
