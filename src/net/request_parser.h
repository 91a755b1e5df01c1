// Parses one request at the front of a connection's buffer. Knows no socket: whenever more bytes arrive, the caller
// passes all bytes of the request so far, and the parser continues where it stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/chunked.h"
#include "net/framing_error.h"
#include "net/http.h"

namespace lapse::net {

struct ParserLimits {
  size_t header_bytes_max = 0;  // request line and headers together
  size_t headers_max = 0;
  size_t body_bytes_max = 0;
};

// Strict RFC 9112: rejects whatever could be framed in two ways, since a proxy in front may have chosen the other one.
// Threads: one.
class RequestParser {
 public:
  enum class Outcome { kNeedMore, kDone, kFailed };
  enum class Stage { kHead, kBody };

  explicit RequestParser(const ParserLimits& limits) : limits_(limits) {}

  // `bytes` begins with the request's first byte and includes all bytes of earlier calls, except those removed after
  // ReleaseDecoded(). The buffer may have moved. How the bytes are split over calls does not change the outcome. After
  // kDone or kFailed, call Reset() before the next request.
  // Fails: 400, 413, 414, 417, 431, 501, 505.
  Outcome Parse(std::string_view bytes);

  // Prepares for the next request, keeping its memory.
  void Reset();

  // After kDone. The views point into the bytes of the last Parse.
  Request& request() { return request_; }
  size_t request_bytes() const { return body_begin_ + body_raw_bytes_; }
  bool keep_alive() const { return head_.connection_keep_alive; }
  bool http_1_0() const { return head_.http_1_0; }

  // After kFailed.
  const FramingError& error() const { return error_; }

  // After kNeedMore, or before the first Parse:
  // Whether any part of a request has arrived. Empty lines before it do not count.
  bool begun() const { return head_.line_done || scanned_ > line_begin_; }
  Stage stage() const { return stage_; }
  // The client waits for "100 Continue" before sending the body.
  bool continue_expected() const { return stage_ == Stage::kBody && head_.expect_continue && !body_seen_; }
  // Number of further bytes that are sure to come, or 0 if unknown.
  size_t bytes_missing() const { return bytes_missing_; }
  // A chunked body is decoded into a separate buffer as it arrives. The caller must remove the returned number of bytes
  // from its own buffer, starting at head_bytes().
  size_t ReleaseDecoded();
  size_t head_bytes() const { return body_begin_; }
  // After kNeedMore in the stage kBody. Makes request() valid except for its body. `bytes` as for Parse.
  void ShowHead(std::string_view bytes) { RefreshViews(bytes); }
  // Memory of a decoded chunked body, outside the caller's buffer.
  size_t decoded_capacity() const { return decoded_.capacity(); }

 private:
  // The head's information about framing.
  struct Head {
    bool line_done = false;
    bool http_1_0 = false;
    bool connection_close = false;
    bool connection_keep_alive = false;
    bool expect_continue = false;
    bool has_host = false;
    std::string_view authority;  // of the target; empty if it has none
    bool has_length = false;
    bool chunked = false;
    uint64_t content_length = 0;
  };

  bool ParseHead(std::string_view bytes);
  bool ParseLine(std::string_view line);
  bool ParseField(std::string_view line);
  bool TakeFramingField(std::string_view name, std::string_view value);
  bool TakeHost(std::string_view value);
  bool TakeContentLength(std::string_view value);
  bool TakeTransferEncoding(std::string_view value);
  void TakeConnection(std::string_view value);
  bool TakeExpect(std::string_view value);
  bool EndHead();
  Outcome ParseBody(std::string_view bytes);
  Outcome ParseChunkedBody(std::string_view bytes);
  Outcome Finish(std::string_view bytes);
  void RefreshViews(std::string_view bytes);
  void ResetHead();
  bool Fail(int status, std::string_view reason);

  const ParserLimits limits_;
  Request request_;
  FramingError error_;
  Stage stage_ = Stage::kHead;

  Head head_;
  size_t line_begin_ = 0;            // start of the line not parsed yet
  size_t scanned_ = 0;               // [line_begin_, scanned_) has no line end
  const char* head_base_ = nullptr;  // address of the bytes when the first line was parsed
  bool head_moved_ = false;          // the bytes have moved since, so some views are stale

  size_t body_begin_ = 0;      // also the length of the head
  size_t body_raw_bytes_ = 0;  // of the body in the buffer, still encoded
  size_t bytes_missing_ = 0;
  bool body_seen_ = false;  // a byte of the body has arrived
  ChunkedDecoder decoder_;
  std::string decoded_;
};

}  // namespace lapse::net
