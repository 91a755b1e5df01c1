// For tests of handlers: keeps an answer and counts how often it was sent.
#pragma once

#include "net/http.h"

namespace lapse::net {

class RecordingSink final : public Responder::Sink {
 public:
  Response& response() override { return response_; }
  void Send() override { ++sent_; }
  int sent() const { return sent_; }

 private:
  Response response_;
  int sent_ = 0;
};

}  // namespace lapse::net
