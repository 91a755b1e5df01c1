#include "api/cosmos/query/queried_item.h"

#include <array>
#include <string>

#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "base/base64.h"
#include "base/bytes.h"
#include "doc/value.h"
#include "query/values/builder.h"

namespace lapse::api::cosmos {
namespace {

using query::Value;

// In the order in which items show them.
constexpr std::array<std::string_view, 5> kSystemNames = {"_rid", "_self", "_etag", "_attachments", "_ts"};

}  // namespace

bool QueriedItem::Adds(std::string_view name) const {
  return IsItemSystemName(name);
}

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

std::optional<int64_t> ItemNumbers::NumberOf(Value document) const {
  const Value rid = query::Property(document, "_rid");
  if (!rid.IsString()) return std::nullopt;
  constexpr size_t kContainerBytes = 8;
  constexpr size_t kItemBytes = 16;
  std::string bytes;
  if (rid.AsString().size() != Base64Chars(kItemBytes, kBase64DashForSlash)) return std::nullopt;
  if (!FromBase64(rid.AsString(), &bytes, kBase64DashForSlash) || bytes.size() != kItemBytes) return std::nullopt;
  ByteReader reader(std::string_view(bytes).substr(kContainerBytes));
  const auto number = reader.LittleEndian<engine::ItemNumber>();
  // Only what is written again in the same way is an item of this container.
  std::string again;
  AppendItemRid(owner_.database, owner_.container, number, &again);
  if (again != rid.AsString()) return std::nullopt;
  return static_cast<int64_t>(number);
}

}  // namespace lapse::api::cosmos
