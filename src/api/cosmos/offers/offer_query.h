// Recognises the queries by which clients look for an offer:
// `SELECT * FROM <name> [[AS] <alias>] [WHERE <name>.<property> = <text or parameter>]`.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

struct OfferQuery {
  std::string property;  // of the offer: resource, offerResourceId, id or _rid; empty: all offers are asked for
  std::string value;
};

// From a request's body. Fails: kInvalidArgument for a body that is no query, kUnsupported for any other query.
Result<OfferQuery> ParseOfferQuery(std::string_view body);

}  // namespace lapse::api::cosmos
