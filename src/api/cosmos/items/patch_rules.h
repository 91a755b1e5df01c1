// This API's rules for patches of items.
#pragma once

#include "engine/records/items/item_patch.h"

namespace lapse::api::cosmos {

// Never destroyed.
const engine::PatchRules& ItemPatchRules();

}  // namespace lapse::api::cosmos
