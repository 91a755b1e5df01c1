// BSON types that JSON lacks, as relaxed Extended JSON (version 2). Private to this folder.
#pragma once

#include "doc/json_out.h"
#include "doc/value.h"

namespace lapse::doc {

// Takes any type except those of JSON and kCodeWithScope, whose scope is a document that the caller must print.
void PutExtended(Value value, JsonOut* out);

}  // namespace lapse::doc
