// The BSON types that JSON does not have, as relaxed Extended JSON (version 2). Private to this folder.
#pragma once

#include "doc/json_out.h"
#include "doc/value.h"

namespace lapse::doc {

// Any type but those of JSON itself and kCodeWithScope, whose scope is a document for the caller to print.
void PutExtended(Value value, JsonOut* out);

}  // namespace lapse::doc
