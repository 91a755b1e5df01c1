#include "query/exec/items/item_rereader.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "engine/partition/index/member_walk.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::query::exec {

Status ItemRereader::Read(std::span<const engine::ItemNumber> numbers, const NumberedItems::Take& take) {
  const engine::KeyScope& scope = page_.scope();
  for (size_t i = 0; i < page_.container().partitions().size(); ++i) {
    const engine::Partition& partition = *page_.container().partitions()[i];
    if (!scope.Touches(partition.range())) continue;
    std::vector<engine::ItemNumber> here;
    std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(here),
                 [&](engine::ItemNumber number) { return engine::PartitionOf(number) == partition.number(); });
    if (here.empty()) continue;
    engine::IndexReader& reader = page_.view().Partition(i);
    if (scope.exact.has_value()) LAPSE_RETURN_IF_ERROR(engine::KeepMembers(reader, *scope.exact, &here));
    LAPSE_ASSIGN_OR_RETURN(const NumberedItems::Read read, items_.ReadLive(&reader, here, true, take));
    if (read.ended) break;
  }
  return Status::Ok();
}

}  // namespace lapse::query::exec
