#include "net/output_queue.h"

#include <cassert>
#include <charconv>

namespace lapse::net {
namespace {

constexpr size_t kGatheredBytesMax = 64 * 1024;
// From this size on, a second write costs less than copying the body.
constexpr size_t kLargeBodyBytes = 32 * 1024;
constexpr size_t kKeptOutputBytes = 16 * 1024;

void AppendNumber(std::string* out, size_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  out->append(digits, static_cast<size_t>(end - digits));
}

void AppendStatusLine(std::string* out, int status) {
  if (status == 200) {
    out->append("HTTP/1.1 200 OK\r\n");
    return;
  }
  out->append("HTTP/1.1 ");
  AppendNumber(out, static_cast<size_t>(status));
  out->push_back(' ');
  out->append(ReasonPhrase(status));
  out->append("\r\n");
}

// Such answers end after their headers, whatever these say, so the client would read a body as the next answer.
bool NeverHasBody(int status) {
  return status < 200 || status == 204 || status == 304;
}

}  // namespace

void OutputQueue::AppendAnswer(Response& response, const AnswerFraming& framing) {
  assert(body_.empty());
  AppendStatusLine(&text_, response.status());
  text_.append(framing.date_line);
  if (framing.close) {
    text_.append("Connection: close\r\n");
  } else if (framing.http_1_0) {
    text_.append("Connection: keep-alive\r\n");
  }
  text_.append(response.header_lines());
  if (NeverHasBody(response.status())) {
    text_.append("\r\n");
    return;
  }
  text_.append("Content-Length: ");
  AppendNumber(&text_, response.body().size());
  text_.append("\r\n\r\n");
  if (framing.head_only) return;
  if (response.body().size() < kLargeBodyBytes) {
    text_.append(response.body());
  } else {
    body_.swap(response.body());
  }
}

bool OutputQueue::full() const {
  return !body_.empty() || text_.size() >= kGatheredBytesMax;
}

std::string_view OutputQueue::Front() const {
  return std::string_view(text_.empty() ? body_ : text_).substr(written_);
}

void OutputQueue::ConsumeFront(size_t count) {
  std::string& front = text_.empty() ? body_ : text_;
  written_ += count;
  if (written_ < front.size()) return;
  written_ = 0;
  front.clear();
  if (front.capacity() > kKeptOutputBytes) front.shrink_to_fit();
}

}  // namespace lapse::net
