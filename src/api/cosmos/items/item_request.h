// Parts that item requests share, alone or in a batch: the item's address, preconditions, and the response.
#pragma once

#include <optional>
#include <string_view>

#include "api/cosmos/items/item_content.h"
#include "api/cosmos/partition_key/partition_key_values.h"
#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/records/items/item.h"
#include "engine/records/items/item_write.h"

namespace lapse::api::cosmos {

// Returns the partition key header, which must be present and complete. Fails: kInvalidArgument, kPartitionKeyMismatch.
Result<PartitionKeyValues> RequestedKey(const net::Request& request, const engine::Container& container);

// The same in the engine's form.
Result<engine::LogicalKey> KeyOf(const Call& call, const engine::Container& container);

// Returns what If-Match or If-None-Match requires of the item that a write finds: nothing, `*`, or the etag of a
// version. A text that is not an etag of this container matches no version. Fails: kInvalidArgument if both are given.
Result<engine::Precondition> PreconditionOf(const net::Request& request, const engine::Container& container);
// The same by the values; empty: not given.
Result<engine::Precondition> PreconditionFrom(std::string_view if_match, std::string_view if_none_match,
                                              const engine::Container& container);

// Returns the version that a reader already has, by its etag: a version of this container, any (`*`), or none that is
// known here.
engine::Precondition VersionAtClient(std::string_view etag, const engine::Container& container);

// Returns what a writer asks for the index entries of an item; empty: nothing. Fails: kInvalidArgument.
Result<engine::IndexingDirective> IndexingDirectiveFrom(std::string_view text);

// Checks that the request names no trigger: there are none. Fails: kUnsupported.
Status RefuseTriggers(const net::Request& request);

Status IdChanges();

// Sets the item of a write. `named` is the id that the request names. A replace must not change it. Nullopt: the
// request names the item by rid, so its id is unknown here. Fails: kInvalidArgument.
Status SetContent(ItemContent content, std::optional<std::string_view> named, engine::ItemWrite* write);

// Returns the status of a successful operation.
int StatusOfDone(engine::WriteKind kind, const engine::ItemWritten& written);

// Whether the response to a write should omit the item.
bool WantsMinimal(const net::Request& request);

}  // namespace lapse::api::cosmos
