#include "api/cosmos/query/resume_filter.h"

#include <optional>
#include <string_view>
#include <utility>

#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/invalid.h"
#include "query/exec/positions/resume_point.h"

namespace lapse::api::cosmos {
namespace {

Status Malformed() {
  return Invalid(
      "The property 'resumeFilter' of a query must be an object with 'value' (an array of values), and may have 'rid' "
      "(a string) and 'exclude' (true or false).");
}

Result<query::Value> ReadKey(query::Value key) {
  if (key.IsArray()) {
    query::Elements elements(key);
    if (elements.Next().has_value()) return Malformed();
    return query::Value();  // undefined
  }
  // Clients send a hash of their own in place of an array or an object, while the order of these depends on their
  // contents.
  if (key.IsObject()) {
    return Invalid("A query cannot be resumed at an array or an object: the resumeFilter has only its hash.");
  }
  return key;
}

Result<engine::ItemNumber> ReadItem(std::string_view text, const ItemsOwner& owner) {
  const std::optional<Rid> rid = ParseRid(text);
  const bool fits = rid.has_value() && rid->kind == Rid::Kind::kItem && rid->database == owner.database &&
                    rid->container == owner.container;
  if (!fits) return Invalid("The 'rid' of a resumeFilter must be that of an item of the container.");
  return rid->number;
}

Result<query::exec::ResumePoint> ReadFilter(doc::Value filter, const ItemsOwner& owner) {
  if (filter.type() != doc::Type::kObject) return Malformed();
  const doc::Value values = doc::Find(filter.AsDocument(), "value");
  const doc::Value rid = doc::Find(filter.AsDocument(), "rid");
  const doc::Value exclude = doc::Find(filter.AsDocument(), "exclude");
  if (values.type() != doc::Type::kArray) return Malformed();
  query::exec::ResumePoint point;
  query::Elements elements(query::Value::FromBson(values));
  while (std::optional<query::Value> element = elements.Next()) {
    LAPSE_ASSIGN_OR_RETURN(point.keys.emplace_back(), ReadKey(*element));
  }
  if (!IsAbsent(rid)) {
    if (rid.type() != doc::Type::kString) return Malformed();
    LAPSE_ASSIGN_OR_RETURN(point.item, ReadItem(rid.AsString(), owner));
  }
  if (!exclude.missing()) {
    if (exclude.type() != doc::Type::kBool) return Malformed();
    point.exclude = exclude.AsBool();
  }
  return point;
}

Status Check(query::exec::ResumeFit fit) {
  using query::exec::ResumeFit;
  switch (fit) {
    case ResumeFit::kFits: break;
    case ResumeFit::kNoOrder: return Invalid("A resume filter needs a query with ORDER BY.");
    case ResumeFit::kOtherKeys: return Invalid("A resume filter needs a value for each expression of ORDER BY.");
    case ResumeFit::kMustExclude:
      return Invalid("A resume filter for DISTINCT results in their own order must exclude its place.");
  }
  return Status::Ok();
}

}  // namespace

Result<std::string> BeginOf(doc::Value filter, const ItemsOwner& owner, const query::plan::Plan& plan,
                            std::string position) {
  if (IsAbsent(filter)) return position;
  LAPSE_ASSIGN_OR_RETURN(const query::exec::ResumePoint point, ReadFilter(filter, owner));
  LAPSE_ASSIGN_OR_RETURN(const query::exec::ResumeFit fit, query::exec::FitOf(point, plan));
  LAPSE_RETURN_IF_ERROR(Check(fit));
  return query::exec::PositionAt(point, plan, std::move(position));
}

}  // namespace lapse::api::cosmos
