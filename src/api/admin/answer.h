// The responses of the admin routes: JSON, and errors as {"code", "message"}.
#pragma once

#include <string_view>

#include "base/status.h"
#include "net/http.h"

namespace lapse::api::admin {

void SendText(int status, std::string_view content_type, std::string_view body, net::Responder responder);
// `document` is BSON.
void SendJson(int status, std::string_view document, net::Responder responder);
void SendError(int status, std::string_view code, std::string_view message, net::Responder responder);
// The HTTP status and the name of the code come from one table.
void SendError(const Status& error, net::Responder responder);

}  // namespace lapse::api::admin
