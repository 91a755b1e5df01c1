#include "engine/partition/commit/judge.h"

namespace lapse::engine {
namespace {

bool Holds(const Precondition& condition, const HeadRecord& live) {
  switch (condition.kind) {
    case Precondition::Kind::kNone:
    case Precondition::Kind::kExists: return true;
    case Precondition::Kind::kMatches: return condition.version == VersionOf(live.lifetime);
    case Precondition::Kind::kDiffers: return condition.version != VersionOf(live.lifetime);
    case Precondition::Kind::kAbsent: return false;
  }
  return false;
}

}  // namespace

Status Judge(const ItemWrite& write, const HeadRecord* live) {
  if (write.only != 0 && (live == nullptr || live->number != write.only)) return {Code::kNotFound, "no such item"};
  switch (write.kind) {
    case WriteKind::kCreate:
      if (live != nullptr) return {Code::kAlreadyExists, "the item exists"};
      return Status::Ok();
    case WriteKind::kUpsert:
      if (live == nullptr) return Status::Ok();
      break;
    case WriteKind::kRead:
      // The precondition of a read selects its answer and does not block it.
      return live != nullptr ? Status::Ok() : Status(Code::kNotFound, "no such item");
    case WriteKind::kReplace:
    case WriteKind::kDelete:
    case WriteKind::kPatch:
      if (live == nullptr) return {Code::kNotFound, "no such item"};
      break;
  }
  return Holds(write.precondition, *live) ? Status::Ok() : Status(Code::kPreconditionFailed, "the item has changed");
}

}  // namespace lapse::engine
