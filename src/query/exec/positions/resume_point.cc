#include "query/exec/positions/resume_point.h"

#include <limits>
#include <utility>

#include "query/exec/positions/key_cut.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/positions/row_order.h"

namespace lapse::query::exec {
namespace {

constexpr uint32_t kRowMax = std::numeric_limits<uint32_t>::max();

// Returns a tie-break before or after all rows with the same keys: partitions ascend.
TieBreak TieBreakOfAll(bool behind, bool ties_descend) {
  const bool greater = behind != ties_descend;
  const engine::PartitionNumber partition = behind ? engine::kPartitionNumberMax : 0;
  return {engine::MakeItemNumber(partition, greater ? engine::kCreationsMax : 0), greater ? kRowMax : 0};
}

// A page returns the rows after its position. So the position is either before the first row of the point or after the
// last. The direction of ties decides which of the two is greater. Items are numbered from 1.
TieBreak TieBreakOf(const ResumePoint& point, bool ties_descend) {
  const bool greater = point.exclude != ties_descend;
  if (!point.item.has_value()) return TieBreakOfAll(point.exclude, ties_descend);
  if (greater) return {*point.item, kRowMax};
  if (ties_descend) return {*point.item, 0};
  return *point.item == 0 ? TieBreak{0, 0} : TieBreak{*point.item - 1, kRowMax};
}

}  // namespace

Result<ResumeFit> FitOf(const ResumePoint& point, const plan::Plan& plan) {
  LAPSE_ASSIGN_OR_RETURN(const PageShape shape, PageShape::Of(plan.query()));
  if (shape.order.empty() || shape.order[0].expression == nullptr) return ResumeFit::kNoOrder;
  if (shape.order.size() != point.keys.size()) return ResumeFit::kOtherKeys;
  if (shape.keys_decide && !point.exclude) return ResumeFit::kMustExclude;
  return ResumeFit::kFits;
}

Result<std::string> PositionAt(const ResumePoint& point, const plan::Plan& plan, std::string after) {
  LAPSE_ASSIGN_OR_RETURN(const PageShape shape, PageShape::Of(plan.query()));
  PagePosition position;
  position.kind = PagePosition::Kind::kOrdered;
  position.offset = shape.offset;
  position.limit = shape.limit;
  position.keys = point.keys;
  position.tie_break = TieBreakOf(point, TiesDescend(shape));
  if (after.empty()) return position.Encode();

  LAPSE_ASSIGN_OR_RETURN(const PagePosition other, PagePosition::Decode(after));
  const bool behind_row = other.kind == PagePosition::Kind::kOrdered ||
                          (other.kind == PagePosition::Kind::kUnfinished && other.scan.behind_row);
  const bool fits =
      other.cut.has_value() ? other.keys.size() <= position.keys.size() : other.keys.size() == position.keys.size();
  if (!behind_row || !fits) return OfAnotherQuery();
  // If cut keys do not decide, the continuation wins: a client sends it together with the point that it began with.
  const bool further =
      other.cut.has_value()
          ? std::is_gt(CompareToCut(shape, position.keys, other))
          : std::is_gt(CompareRows(shape, {position.keys, position.tie_break}, {other.keys, other.tie_break}));
  if (!further) return after;
  position.offset = other.offset;
  position.limit = other.limit;
  return position.Encode();
}

}  // namespace lapse::query::exec
