#include <utility>

#include "api/cosmos/items/handlers.h"
#include "api/cosmos/items/item_request.h"
#include "api/cosmos/wire/lookup.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::cosmos {

void DeleteKey(CallPtr call) {
  Result<engine::ContainerPtr> container = FindContainer(*call);
  if (!container.ok()) return call->Fail(OwnerMissing(container.status()));
  Result<engine::LogicalKey> key = KeyOf(*call, **container);
  if (!key.ok()) return call->Fail(key.status());
  const engine::Container& target = **container;
  const engine::PartitionNumber partition = target.PartitionFor(key->epk).number();
  engine::RequestMeter* meter = &call->meter();
  auto answer = [call = std::move(call), container = *std::move(container),
                 partition](Result<engine::ItemWritten> result) {
    if (!result.ok()) return call->Fail(result.status());
    call->AddSession(*container, partition, result->partition_lsn);
    call->Send(200);
  };
  target.EraseKey(*std::move(key), std::move(answer), meter);
}

}  // namespace lapse::api::cosmos
