// Answers as bytes, waiting to be written. Small ones are gathered, so that pipelined requests are answered in one
// write; a large body is taken over rather than copied.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "net/http.h"

namespace lapse::net {

// What an answer's framing depends on besides the answer itself.
struct AnswerFraming {
  std::string_view date_line = {};  // "Date: ...\r\n"
  bool http_1_0 = false;            // the client's version
  bool close = false;               // the last answer on this connection
  bool head_only = false;           // to HEAD: the length is told, the body is not sent
};

// Threads: one.
class OutputQueue {
 public:
  void AppendText(std::string_view text) { text_.append(text); }
  // May take the body's memory away from `response`.
  void AppendAnswer(Response& response, const AnswerFraming& framing);

  // What it holds in memory.
  size_t capacity() const { return text_.capacity() + body_.capacity(); }
  bool empty() const { return text_.size() == written_ && body_.empty(); }
  // Enough is gathered: write before more is appended. Always true while a large body is queued, which is sent last.
  bool full() const;
  // The bytes to write next.
  std::string_view Front() const;
  void ConsumeFront(size_t count);

 private:
  std::string text_;
  std::string body_;    // goes after text_; empty when bodies are small
  size_t written_ = 0;  // of text_, or of body_ once text_ is empty
};

}  // namespace lapse::net
