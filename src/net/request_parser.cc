#include "net/request_parser.h"

#include <cstring>

#include "base/ascii.h"
#include "net/ascii.h"
#include "net/request_line.h"

namespace lapse::net {
namespace {

// A decoded body keeps up to this much memory for the next request.
constexpr size_t kKeptDecodedBytes = 8 * 1024;

bool IsHostChar(char c) {
  return !IsControl(c) && static_cast<unsigned char>(c) < 0x80 &&
         std::string_view(" \t/?#@\\\"<>").find(c) == std::string_view::npos;
}

}  // namespace

RequestParser::Outcome RequestParser::Parse(std::string_view bytes) {
  if (line_begin_ == 0) head_base_ = bytes.data();
  head_moved_ |= bytes.data() != head_base_;
  if (stage_ == Stage::kHead && !ParseHead(bytes)) {
    return error_.status != 0 ? Outcome::kFailed : Outcome::kNeedMore;
  }
  return ParseBody(bytes);
}

void RequestParser::Reset() {
  ResetHead();
  error_ = {};
  stage_ = Stage::kHead;
  head_moved_ = false;
  body_begin_ = 0;
  body_raw_bytes_ = 0;
  bytes_missing_ = 0;
  body_seen_ = false;
  decoder_.Reset();
  decoded_.clear();
  if (decoded_.capacity() > kKeptDecodedBytes) decoded_.shrink_to_fit();
}

void RequestParser::ResetHead() {
  head_ = {};
  request_.headers.clear();
  request_.body = {};
  line_begin_ = 0;
  scanned_ = 0;
}

size_t RequestParser::ReleaseDecoded() {
  if (!head_.chunked || stage_ != Stage::kBody) return 0;
  const size_t released = body_raw_bytes_;
  body_raw_bytes_ = 0;
  return released;
}

// Returns true at the end of the head, and false if it failed or needs more bytes.
bool RequestParser::ParseHead(std::string_view bytes) {
  while (true) {
    // Fails at once, so that a client of another protocol need not wait for a time limit.
    if (!head_.line_done && line_begin_ < bytes.size() && !IsTokenChar(bytes[line_begin_]) &&
        bytes[line_begin_] != '\r') {
      return Fail(400, "The request does not begin with a method.");
    }
    const void* found =
        scanned_ < bytes.size() ? std::memchr(bytes.data() + scanned_, '\n', bytes.size() - scanned_) : nullptr;
    const size_t line_end =
        found == nullptr ? bytes.size() : static_cast<size_t>(static_cast<const char*>(found) - bytes.data()) + 1;
    if (line_end > limits_.header_bytes_max) {
      return head_.line_done ? Fail(431, "The headers are too large.") : Fail(414, "The request line is too long.");
    }
    if (found == nullptr) {
      scanned_ = bytes.size();
      return false;
    }
    const std::string_view line = bytes.substr(line_begin_, line_end - line_begin_);
    if (line.size() < 2 || line[line.size() - 2] != '\r') return Fail(400, "A line does not end in CRLF.");
    line_begin_ = line_end;
    scanned_ = line_end;
    if (line.size() == 2 && head_.line_done) return EndHead();
    // Skips empty lines before the request line: RFC 9112, section 2.2.
    if (line.size() > 2 && !ParseLine(line.substr(0, line.size() - 2))) return false;
  }
}

bool RequestParser::ParseLine(std::string_view line) {
  if (head_.line_done) return ParseField(line);
  RequestLine parsed;
  error_ = ParseRequestLine(line, &parsed);
  if (error_.status != 0) return false;
  request_.method = parsed.method;
  request_.path = parsed.path;
  request_.query = parsed.query;
  head_.http_1_0 = parsed.http_1_0;
  head_.authority = parsed.authority;
  for (char c : parsed.authority) {
    if (!IsHostChar(c)) return Fail(400, "The host of the request target is malformed.");
  }
  head_.line_done = true;
  return true;
}

bool RequestParser::ParseField(std::string_view line) {
  if (line.front() == ' ' || line.front() == '\t') return Fail(400, "Folded header lines are not accepted.");
  size_t name_end = 0;
  while (name_end < line.size() && IsTokenChar(line[name_end])) ++name_end;
  if (name_end == 0 || name_end == line.size() || line[name_end] != ':') {
    return Fail(400, "A header line is not `name: value`.");
  }
  const std::string_view name = line.substr(0, name_end);
  const std::string_view value = TrimBlanks(line.substr(name_end + 1));
  if (HasControl(value)) return Fail(400, "A header value holds a control character.");
  if (request_.headers.size() == limits_.headers_max) return Fail(431, "There are too many headers.");
  // An absolute target overrides the header: RFC 9112, section 3.2.2.
  const bool overruled = !head_.authority.empty() && EqualsIgnoreCase(name, "host");
  request_.headers.push_back({name, overruled ? head_.authority : value});
  return TakeFramingField(name, value);
}

// The length alone distinguishes most fields from the five that matter here.
bool RequestParser::TakeFramingField(std::string_view name, std::string_view value) {
  switch (name.size()) {
    case 4: return !EqualsIgnoreCase(name, "host") || TakeHost(value);
    case 6: return !EqualsIgnoreCase(name, "expect") || TakeExpect(value);
    case 10:
      if (EqualsIgnoreCase(name, "connection")) TakeConnection(value);
      return true;
    case 14: return !EqualsIgnoreCase(name, "content-length") || TakeContentLength(value);
    case 17: return !EqualsIgnoreCase(name, "transfer-encoding") || TakeTransferEncoding(value);
    default: return true;
  }
}

bool RequestParser::TakeHost(std::string_view value) {
  if (head_.has_host) return Fail(400, "There is more than one Host header.");
  head_.has_host = true;
  for (char c : value) {
    if (!IsHostChar(c)) return Fail(400, "The Host header is malformed.");
  }
  return true;
}

bool RequestParser::TakeContentLength(std::string_view value) {
  if (head_.has_length) return Fail(400, "There is more than one Content-Length header.");
  head_.has_length = true;
  if (value.empty()) return Fail(400, "Content-Length is not a number.");
  uint64_t length = 0;
  for (char c : value) {
    if (!IsDigit(c)) return Fail(400, "Content-Length is not a number.");
    if (__builtin_mul_overflow(length, uint64_t{10}, &length) ||
        __builtin_add_overflow(length, static_cast<uint64_t>(c - '0'), &length)) {
      return Fail(400, "Content-Length is out of range.");
    }
  }
  head_.content_length = length;
  return true;
}

bool RequestParser::TakeTransferEncoding(std::string_view value) {
  if (head_.chunked) return Fail(400, "There is more than one Transfer-Encoding header.");
  if (!EqualsIgnoreCase(value, "chunked")) return Fail(501, "Only the chunked transfer coding is known.");
  head_.chunked = true;
  return true;
}

void RequestParser::TakeConnection(std::string_view value) {
  while (!value.empty()) {
    const size_t comma = value.find(',');
    const std::string_view option = TrimBlanks(value.substr(0, comma));
    head_.connection_close |= EqualsIgnoreCase(option, "close");
    head_.connection_keep_alive |= EqualsIgnoreCase(option, "keep-alive");
    value.remove_prefix(comma == std::string_view::npos ? value.size() : comma + 1);
  }
}

bool RequestParser::TakeExpect(std::string_view value) {
  if (!EqualsIgnoreCase(value, "100-continue")) return Fail(417, "Only `Expect: 100-continue` is known.");
  // An HTTP/1.0 client would take the interim answer for the final one.
  head_.expect_continue = !head_.http_1_0;
  return true;
}

bool RequestParser::EndHead() {
  if (!head_.has_host && !head_.http_1_0) return Fail(400, "The Host header is missing.");
  if (!head_.has_host && !head_.authority.empty()) request_.headers.push_back({"host", head_.authority});
  if (head_.chunked && head_.has_length) {
    return Fail(400, "Content-Length and Transfer-Encoding exclude each other.");
  }
  if (head_.chunked && head_.http_1_0) return Fail(400, "HTTP/1.0 knows no Transfer-Encoding.");
  if (head_.content_length > limits_.body_bytes_max) return Fail(413, "The body is too large.");
  head_.connection_keep_alive = !head_.connection_close && (!head_.http_1_0 || head_.connection_keep_alive);
  body_begin_ = line_begin_;
  stage_ = Stage::kBody;
  return true;
}

RequestParser::Outcome RequestParser::ParseBody(std::string_view bytes) {
  const size_t come = bytes.size() - body_begin_;
  body_seen_ |= come > 0;
  if (head_.chunked) return ParseChunkedBody(bytes);
  if (come < head_.content_length) {
    bytes_missing_ = head_.content_length - come;
    return Outcome::kNeedMore;
  }
  body_raw_bytes_ = head_.content_length;
  return Finish(bytes);
}

RequestParser::Outcome RequestParser::ParseChunkedBody(std::string_view bytes) {
  size_t taken = 0;
  const ChunkedDecoder::Outcome outcome =
      decoder_.Decode(bytes.substr(body_begin_ + body_raw_bytes_), limits_.body_bytes_max, &decoded_, &taken);
  body_raw_bytes_ += taken;
  if (outcome == ChunkedDecoder::Outcome::kNeedMore) return Outcome::kNeedMore;
  if (outcome == ChunkedDecoder::Outcome::kDone) return Finish(bytes);
  error_ = decoder_.error();
  return Outcome::kFailed;
}

RequestParser::Outcome RequestParser::Finish(std::string_view bytes) {
  RefreshViews(bytes);
  request_.body = head_.chunked ? std::string_view(decoded_) : bytes.substr(body_begin_, body_raw_bytes_);
  return Outcome::kDone;
}

// A buffer that grew while the request arrived has moved, which invalidates the views. The head is known to be valid
// and is parsed again. A request that arrived in one piece, as most do, is parsed only once.
void RequestParser::RefreshViews(std::string_view bytes) {
  if (!head_moved_) return;
  ResetHead();
  ParseHead(bytes.substr(0, body_begin_));
  head_base_ = bytes.data();
  head_moved_ = false;
}

bool RequestParser::Fail(int status, std::string_view reason) {
  error_ = {status, reason};
  return false;
}

}  // namespace lapse::net
