#include "tests/simulation/documents.h"

#include <utility>

#include "doc/edit.h"
#include "doc/value.h"
#include "doc/writer.h"

namespace lapse::simulation {
namespace {

class Rules : public engine::PatchRules {
 public:
  Status Explain(const std::vector<doc::Edit>& /*edits*/, const doc::EditError& /*error*/) const override {
    return {Code::kInvalidArgument, "the patch cannot be applied"};
  }
  Result<std::optional<int32_t>> OwnTtlOf(std::string_view document) const override { return FromBson(document).ttl; }
};

doc::Edit EditOf(doc::Edit::Kind kind, const char* name, int64_t value) {
  std::string holder;
  doc::Writer writer(&holder);
  writer.BeginDocument();
  writer.AppendInteger("v", value);
  writer.End();
  return {.kind = kind, .path = doc::Path({name}), .value = doc::OwnedValue(doc::Find(holder, "v")), .from = {}};
}

}  // namespace

std::string ToBson(const Document& document) {
  std::string bson;
  doc::Writer writer(&bson);
  writer.BeginDocument();
  writer.AppendInteger("number", document.number);
  writer.AppendInteger("counter", document.counter);
  if (document.tag.has_value()) writer.AppendInteger("tag", *document.tag);
  writer.AppendString("text", document.text);
  if (document.ttl.has_value()) writer.AppendInteger("ttl", *document.ttl);
  writer.End();
  return bson;
}

Document FromBson(std::string_view bson) {
  Document document;
  document.number = doc::Find(bson, "number").AsInt64();
  document.counter = doc::Find(bson, "counter").AsInt64();
  document.text = doc::Find(bson, "text").AsString();
  const doc::Value tag = doc::Find(bson, "tag");
  if (!tag.missing()) document.tag = tag.AsInt64();
  const doc::Value ttl = doc::Find(bson, "ttl");
  if (!ttl.missing()) document.ttl = ttl.AsInt32();
  return document;
}

engine::ItemPatch ToEdits(const Patch& patch) {
  static const Rules kRules;
  engine::ItemPatch edits;
  edits.rules = &kRules;
  edits.edits.push_back(EditOf(doc::Edit::Kind::kSet, "number", patch.number));
  edits.edits.push_back(EditOf(doc::Edit::Kind::kIncrement, "counter", patch.counted));
  if (patch.tag.has_value()) edits.edits.push_back(EditOf(doc::Edit::Kind::kReplace, "tag", *patch.tag));
  if (patch.ttl == Patch::Ttl::kSet) edits.edits.push_back(EditOf(doc::Edit::Kind::kSet, "ttl", patch.ttl_s));
  if (patch.ttl == Patch::Ttl::kRemove) edits.edits.push_back(EditOf(doc::Edit::Kind::kRemove, "ttl", 0));
  return edits;
}

std::optional<Document> Patched(Document document, const Patch& patch) {
  document.number = patch.number;
  document.counter += patch.counted;
  if (patch.tag.has_value()) {
    if (!document.tag.has_value()) return std::nullopt;
    document.tag = patch.tag;
  }
  if (patch.ttl == Patch::Ttl::kSet) document.ttl = patch.ttl_s;
  if (patch.ttl == Patch::Ttl::kRemove && !std::exchange(document.ttl, std::nullopt).has_value()) return std::nullopt;
  return document;
}

}  // namespace lapse::simulation
