#include "net/error_answer.h"

namespace lapse::net {

void FillErrorAnswer(const HttpServerOptions& options, int status, std::string_view reason, Response* response) {
  response->Reset();
  response->set_status(status);
  if (options.make_error) {
    options.make_error(status, reason, *response);
    return;
  }
  response->AddHeader("Content-Type", "text/plain; charset=utf-8");
  response->body().assign(reason).push_back('\n');
}

}  // namespace lapse::net
