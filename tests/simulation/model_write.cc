#include "tests/simulation/model_write.h"

#include <limits>
#include <utility>

namespace lapse::simulation {
namespace {

using engine::ItemWrite;
using engine::Precondition;

bool Holds(const Precondition& condition, const ModelItem& live) {
  switch (condition.kind) {
    case Precondition::Kind::kNone:
    case Precondition::Kind::kExists: return true;
    case Precondition::Kind::kAbsent: return false;
    case Precondition::Kind::kMatches: return condition.version == live.version;
    case Precondition::Kind::kDiffers: return condition.version != live.version;
  }
  return false;
}

Code ExpectedCode(const ItemWrite& write, const ModelItem* live) {
  if (live == nullptr) {
    const bool may_create = write.kind == ItemWrite::Kind::kCreate || write.kind == ItemWrite::Kind::kUpsert;
    return may_create ? Code::kOk : Code::kNotFound;
  }
  if (write.kind == ItemWrite::Kind::kRead) return Code::kOk;
  if (write.kind == ItemWrite::Kind::kCreate) return Code::kAlreadyExists;
  return Holds(write.precondition, *live) ? Code::kOk : Code::kPreconditionFailed;
}

}  // namespace

bool IsKnown(const Precondition& reader_has, const ModelItem& live) {
  if (reader_has.kind == Precondition::Kind::kAbsent) return true;
  return reader_has.kind == Precondition::Kind::kDiffers && reader_has.version == live.version;
}

std::optional<ModelItem> Written(const ModelOperation& operation, const ModelItem* live, int64_t now_s) {
  ModelItem item;
  item.document = operation.write.document;
  item.ts_s = now_s;
  item.own_ttl = operation.write.own_ttl;
  if (operation.write.kind == ItemWrite::Kind::kPatch) {
    const std::optional<Document> patched = Patched(FromBson(live->document), operation.patch);
    if (!patched.has_value()) return std::nullopt;
    item.document = ToBson(*patched);
    item.own_ttl = patched->ttl;
  }
  return item;
}

Verdict Apply(const ModelWrite& write, int64_t now_s, ModelContainer* container) {
  constexpr engine::Sequence kNotGivenYet = std::numeric_limits<engine::Sequence>::max();
  ModelContainer after = *container;
  for (size_t i = 0; i < write.size(); ++i) {
    const ItemWrite& operation = write[i].write;
    const Code code = ExpectedCode(operation, after.Find(write[i].key));
    if (code != Code::kOk) return {code, i};
    if (operation.kind == ItemWrite::Kind::kRead) continue;
    if (operation.kind == ItemWrite::Kind::kDelete) {
      after.Erase(write[i].key);
    } else {
      std::optional<ModelItem> item = Written(write[i], after.Find(write[i].key), now_s);
      if (!item.has_value()) return {Code::kInvalidArgument, i};
      if (after.IsTaken(write[i].key, item->document)) return {Code::kUniqueKeyTaken, i};
      item->version = {kNotGivenYet, now_s};
      after.Put(write[i].key, *std::move(item));
    }
  }
  *container = std::move(after);
  return {Code::kOk, write.size()};
}

}  // namespace lapse::simulation
