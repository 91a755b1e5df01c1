// What requests for items have in common, alone or in a batch: where the item is, under which conditions, what is
// answered.
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

// The partition key header, which must be there and whole. Fails: kInvalidArgument, kPartitionKeyMismatch.
Result<PartitionKeyValues> RequestedKey(const net::Request& request, const engine::Container& container);

// The same as the engine has it.
Result<engine::LogicalKey> KeyOf(const Call& call, const engine::Container& container);

// What If-Match or If-None-Match asks of the item that a write finds: nothing, `*`, or the etag of a version. What is
// not an etag of this container is no version's. Fails: kInvalidArgument when both are given.
Result<engine::Precondition> PreconditionOf(const net::Request& request, const engine::Container& container);
// The same by the values; empty: not given.
Result<engine::Precondition> PreconditionFrom(std::string_view if_match, std::string_view if_none_match,
                                              const engine::Container& container);

// What an etag says that a reader has already: a version of this container, any (`*`), or nothing that is known here.
engine::Precondition VersionAtClient(std::string_view etag, const engine::Container& container);

// What a writer says about the index entries of an item; empty: nothing. Fails: kInvalidArgument.
Result<engine::IndexingDirective> IndexingDirectiveFrom(std::string_view text);

// That the request names no trigger: there are none. Fails: kUnsupported.
Status RefuseTriggers(const net::Request& request);

Status IdChanges();

// Gives a write its item. `named` is the id that the request names; a replace must not change it. Nullopt: it names
// the item by rid, and nobody knows the id here. Fails: kInvalidArgument.
Status SetContent(ItemContent content, std::optional<std::string_view> named, engine::ItemWrite* write);

// What is answered to an operation that was done.
int StatusOfDone(engine::WriteKind kind, const engine::ItemWritten& written);

// Whether a write is to be answered without the item.
bool WantsMinimal(const net::Request& request);

}  // namespace lapse::api::cosmos
