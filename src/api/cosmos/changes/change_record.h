// Changes as the feeds return them.
#pragma once

#include <string>
#include <string_view>

#include "engine/catalog/containers/container.h"
#include "engine/records/changes/change_log.h"

namespace lapse::api::cosmos {

// `{"current":{...},"previous":{...},"metadata":{...}}`. `current` is empty for deletes and expiries. Creates have no
// `previous`. Only deletes and expiries name the item in `metadata`, by its id and its partition key. There a path
// `/a/b` is called `a/b`, and a missing value is left out.
void AppendChangeRecordJson(const engine::Container& container, const engine::LoggedChange& change, std::string* json);

// Appends the last version of an item in the same form: `{"current":{...},"metadata":{"lsn":5,"crts":1750000000}}`. It
// has nothing more, because the feed of latest versions does not know earlier ones.
void AppendEnvelopedItemJson(const engine::Container& container, const engine::ItemMeta& meta,
                             std::string_view document, std::string* json);

}  // namespace lapse::api::cosmos
