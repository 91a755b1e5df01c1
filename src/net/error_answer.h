// Answers that the framing layer gives by itself.
#pragma once

#include <string_view>

#include "net/http.h"
#include "net/http_server.h"

namespace lapse::net {

// Fills the response for this status and reason, in the form the options ask for.
void FillErrorAnswer(const HttpServerOptions& options, int status, std::string_view reason, Response* response);

}  // namespace lapse::net
