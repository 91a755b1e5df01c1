// Where the next page of a feed starts, as a text for the client: opaque, and self-checking, so that a damaged one or
// one of another feed is refused instead of giving a wrong page. The check is no signature: whoever changes a token on
// purpose can only move within what the request may read anyway, since scope and rights come from the request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

// `feed` names what is read: the container and the scope within it. Any bytes; must be the same on the next page.
std::string EncodeContinuation(std::string_view feed, std::string_view position);
// Fails: kInvalidArgument.
Result<std::string> DecodeContinuation(std::string_view feed, std::string_view token);

}  // namespace lapse::api::cosmos
