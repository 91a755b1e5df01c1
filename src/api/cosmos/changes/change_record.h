// A change as the feed of all versions and deletes shows it.
#pragma once

#include <string>

#include "engine/catalog/container.h"
#include "engine/changes/change_log.h"

namespace lapse::api::cosmos {

// `{"current":{...},"previous":{...},"metadata":{...}}`. `current` is empty for deletes and expiries; creates have no
// `previous`. Only deletes and expiries name the item in `metadata`, by its id and its partition key; in the latter a
// path `/a/b` is called `a/b`, and a value that is missing is left out.
void AppendChangeRecordJson(const engine::Container& container, const engine::LoggedChange& change, std::string* json);

}  // namespace lapse::api::cosmos
