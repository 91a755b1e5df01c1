// The position of the next page of a feed, as a text for the client. It is opaque and has a checksum, so that a damaged
// token, or one of another feed, is refused instead of returning a wrong page. The checksum is not a signature. A
// client that forges a token can only move within what the request may read anyway, since scope and rights come from
// the request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

// `feed` identifies what is read: the container and the scope within it. Any bytes, but the same for the next page.
std::string EncodeContinuation(std::string_view feed, std::string_view position);
// Fails: kInvalidArgument.
Result<std::string> DecodeContinuation(std::string_view feed, std::string_view token);

}  // namespace lapse::api::cosmos
