#include "api/admin/answer.h"

#include <string>
#include <utility>

#include "doc/json.h"
#include "doc/writer.h"

namespace lapse::api::admin {
namespace {

struct HttpError {
  int status;
  std::string_view code;
};

HttpError ToHttp(Code code) {
  switch (code) {
    case Code::kInvalidArgument: return {400, "BadRequest"};
    case Code::kUnauthenticated: return {401, "Unauthorized"};
    case Code::kForbidden: return {403, "Forbidden"};
    case Code::kNotFound: return {404, "NotFound"};
    case Code::kTooLarge: return {413, "RequestEntityTooLarge"};
    case Code::kNoSpace:
    case Code::kUnavailable: return {503, "ServiceUnavailable"};
    default: return {500, "InternalServerError"};
  }
}

}  // namespace

void SendText(int status, std::string_view content_type, std::string_view body, net::Responder responder) {
  net::Response& response = responder.response();
  response.set_status(status);
  response.AddHeader("Content-Type", content_type);
  response.AddHeader("Cache-Control", "no-store");
  response.AddHeader("X-Content-Type-Options", "nosniff");
  response.body().assign(body);
  responder.Send();
}

void SendJson(int status, std::string_view document, net::Responder responder) {
  std::string json;
  doc::ObjectToJson(document, &json);
  SendText(status, "application/json", json, std::move(responder));
}

void SendError(int status, std::string_view code, std::string_view message, net::Responder responder) {
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  writer.AppendString("code", code);
  writer.AppendString("message", message);
  writer.End();
  SendJson(status, document, std::move(responder));
}

void SendError(const Status& error, net::Responder responder) {
  HttpError http = ToHttp(error.code());
  if (http.status == 401) responder.response().AddHeader("WWW-Authenticate", "Bearer");
  SendError(http.status, http.code, error.message(), std::move(responder));
}

}  // namespace lapse::api::admin
