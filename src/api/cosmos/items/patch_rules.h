// What this API says about patches of items.
#pragma once

#include "engine/records/items/item_patch.h"

namespace lapse::api::cosmos {

// Lives for ever.
const engine::PatchRules& ItemPatchRules();

}  // namespace lapse::api::cosmos
