// Policies that are stored and returned but have no effect yet. Their form is checked all the same, so that clients
// find only valid policies in a definition.
#pragma once

#include "base/status.h"
#include "doc/value.h"

namespace lapse::api::cosmos {

// A missing policy or null is valid, too. Each fails with kInvalidArgument.
Status CheckConflictResolutionPolicy(doc::Value policy);
Status CheckVectorEmbeddingPolicy(doc::Value policy);
Status CheckFullTextPolicy(doc::Value policy);

}  // namespace lapse::api::cosmos
