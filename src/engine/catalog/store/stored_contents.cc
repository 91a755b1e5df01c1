#include "engine/catalog/store/stored_contents.h"

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/records/items/item_keys.h"
#include "store/prefix_scan.h"

namespace lapse::engine {

Status RemovePartitionRecords(const std::vector<PartitionId>& partitions, store::Shard* store, store::Batch* batch) {
  for (PartitionId partition : partitions) {
    batch->Delete(kMetaFamily, PartitionTallyKey(partition));
    batch->Delete(kMetaFamily, PartitionPolicyKey(partition));
    batch->Delete(kMetaFamily, HeldBodiesKey(partition));
    const std::string builds = IndexBuildsOf(partition);
    const auto remove_build = [&](std::string_view index, std::string_view) {
      batch->Delete(kMetaFamily, builds + std::string(index));
      return Status::Ok();
    };
    LAPSE_RETURN_IF_ERROR(store::ScanPrefix(store, kMetaFamily, builds, remove_build));
  }
  return Status::Ok();
}

Status RemoveContents(ContainerId container, const std::vector<PartitionId>& partitions, store::Shard* store,
                      store::Batch* batch) {
  LAPSE_RETURN_IF_ERROR(RemovePartitionRecords(partitions, store, batch));
  const std::string begin = ContainerPrefix(container);
  const std::string end = PrefixEnd(begin);
  for (store::FamilyId family : kItemFamilies) {
    // Nothing reads entries of an index that no container has; compactions drop them.
    if (family != kIndexFamily) batch->DeleteRange(family, begin, end);
  }
  return Status::Ok();
}

Status UnknownRule() {
  return {Code::kInvalidArgument, "the indexing definition has a rule that is not known"};
}

}  // namespace lapse::engine
