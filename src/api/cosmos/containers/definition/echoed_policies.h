// Policies that are stored and shown, and decide nothing yet: their form is checked all the same, so that what a client
// finds in a definition is what it may expect there.
#pragma once

#include "base/status.h"
#include "doc/value.h"

namespace lapse::api::cosmos {

// Nothing, or null, is right, too. Each fails with kInvalidArgument.
Status CheckConflictResolutionPolicy(doc::Value policy);
Status CheckVectorEmbeddingPolicy(doc::Value policy);
Status CheckFullTextPolicy(doc::Value policy);

}  // namespace lapse::api::cosmos
