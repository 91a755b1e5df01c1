// Answers waiting to be written. Small ones are collected, so that pipelined requests are answered in one write. A
// large body is moved rather than copied.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "net/http.h"

namespace lapse::net {

// Framing options of an answer.
struct AnswerFraming {
  std::string_view date_line = {};  // "Date: ...\r\n"
  bool http_1_0 = false;            // the client's version
  bool close = false;               // the last answer on this connection
  bool head_only = false;           // answers HEAD: has a Content-Length but no body
};

// Threads: one.
class OutputQueue {
 public:
  void AppendText(std::string_view text) { text_.append(text); }
  // May move the body out of `response`.
  void AppendAnswer(Response& response, const AnswerFraming& framing);

  // Bytes of memory held.
  size_t capacity() const { return text_.capacity() + body_.capacity(); }
  bool empty() const { return text_.size() == written_ && body_.empty(); }
  // Enough is queued: write before appending more. Always true while a large body is queued, which is sent last.
  bool full() const;
  // Returns the bytes to write next.
  std::string_view Front() const;
  void ConsumeFront(size_t count);

 private:
  std::string text_;
  std::string body_;    // follows text_; empty when bodies are small
  size_t written_ = 0;  // bytes written of text_, or of body_ once text_ is empty
};

}  // namespace lapse::net
