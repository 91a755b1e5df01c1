// Applies arbitrary bytes as a patch to items with a bit of everything. A result must be a document that could have
// been stored as a whole, with the same id and key. Otherwise the patch is refused with a reason.
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "api/cosmos/containers/definition/ttl_property.h"
#include "api/cosmos/items/patch_request.h"
#include "api/cosmos/wire/request_body.h"
#include "doc/json.h"
#include "doc/path.h"
#include "doc/value.h"
#include "engine/partition/commit/patch_document.h"

namespace {

using namespace lapse;
using namespace lapse::api::cosmos;

void Require(bool condition) {
  if (!condition) std::abort();
}

std::string Bson(std::string_view json) {
  std::string bson;
  Require(doc::JsonToBson(json, {.depth_max = kItemDepthMax, .bytes_max = kItemBytesMax}, &bson).ok());
  return bson;
}

void RequireRefusal(const Status& status) {
  Require(status.code() == Code::kInvalidArgument || status.code() == Code::kTooLarge ||
          status.code() == Code::kUnsupported);
  Require(!status.message().empty());
}

bool Same(doc::Value a, doc::Value b) {
  return a.type() == b.type() && a.raw() == b.raw();
}

void Apply(const engine::ItemPatch& patch, const engine::PartitionKeyDefinition& key, std::string_view before) {
  const Result<engine::PatchedDocument> patched = engine::PatchDocument(patch, key, before);
  if (!patched.ok()) return RequireRefusal(patched.status());
  const std::string& after = patched->document;
  Require(doc::Validate(after, kItemDepthMax).ok());
  std::string json;
  doc::ObjectToJson(after, &json);
  Require(Bson(json) == after);
  Require(Same(doc::Find(before, "id"), doc::Find(after, "id")));
  for (const doc::Path& path : key.paths) Require(Same(doc::FindPath(before, path), doc::FindPath(after, path)));
  const Result<std::optional<int32_t>> ttl = ItemTtl(doc::Find(after, kTtlProperty), {});
  Require(ttl.ok() && *ttl == patched->own_ttl);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<std::string> kItems = {
      Bson(R"({"id":"1"})"),
      Bson(R"({"id":"1","pk":"p","ttl":60,"n":9223372036854775807,"f":1.5,"s":"x","z":null,"t":true,"":{"":[]},)"
           R"("o":{"a":{"b":[{"c":1}]},"0":1},"l":[0,1,"p",[3,{"x":4}],5,6,7,8,9,10]})"),
  };
  engine::PartitionKeyDefinition key;
  // The path of the second level leads through an array.
  key.kind = engine::PartitionKeyKind::kMultiHash;
  key.paths = {doc::Path({"pk"}), doc::Path({"l", "2"})};
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const Result<engine::ItemPatch> patch = ReadPatch(body, key, {});
  if (!patch.ok()) {
    RequireRefusal(patch.status());
    return 0;
  }
  for (const std::string& item : kItems) Apply(*patch, key, item);
  return 0;
}
