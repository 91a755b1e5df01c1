// Finds one request at the front of a connection's buffer. Knows no socket: it is shown all bytes that have come of the
// request so far, as often as more have come, and remembers how far it got.
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

// Strict RFC 9112: what could be framed in two ways is refused rather than guessed, since a proxy before us may have
// guessed the other. Threads: one.
class RequestParser {
 public:
  enum class Outcome { kNeedMore, kDone, kFailed };
  enum class Stage { kHead, kBody };

  explicit RequestParser(const ParserLimits& limits) : limits_(limits) {}

  // `bytes` begins with the request's first byte and holds all that earlier calls were shown, less what
  // ReleaseDecoded() gave back; it may lie elsewhere in memory than before. How the bytes are split over calls does not
  // change the outcome. After kDone or kFailed, call Reset() before the next request.
  // Fails: 400, 413, 414, 417, 431, 501, 505.
  Outcome Parse(std::string_view bytes);

  // Makes ready for the next request; keeps memory.
  void Reset();

  // After kDone. Views into the bytes last shown.
  Request& request() { return request_; }
  size_t request_bytes() const { return body_begin_ + body_raw_bytes_; }
  bool keep_alive() const { return head_.connection_keep_alive; }
  bool http_1_0() const { return head_.http_1_0; }

  // After kFailed.
  const FramingError& error() const { return error_; }

  // After kNeedMore, or before any byte was shown.
  // Anything of a request has come; empty lines before it do not count.
  bool begun() const { return head_.line_done || scanned_ > line_begin_; }
  Stage stage() const { return stage_; }
  // The client waits for "100 Continue" before it sends the body.
  bool continue_expected() const { return stage_ == Stage::kBody && head_.expect_continue && !body_seen_; }
  // How many more bytes are sure to come; 0 when not known.
  size_t bytes_missing() const { return bytes_missing_; }
  // A chunked body is copied out as it comes, so its raw bytes need not be kept: the caller must cut the returned
  // number of bytes out of its buffer, from head_bytes() on.
  size_t ReleaseDecoded();
  size_t head_bytes() const { return body_begin_; }
  // After kNeedMore in the stage kBody: makes request() good for use, but for its body. `bytes` as for Parse.
  void ShowHead(std::string_view bytes) { RefreshViews(bytes); }
  // What the bytes of a chunked body take beside the caller's buffer.
  size_t decoded_capacity() const { return decoded_.capacity(); }

 private:
  // What the head says about framing.
  struct Head {
    bool line_done = false;
    bool http_1_0 = false;
    bool connection_close = false;
    bool connection_keep_alive = false;
    bool expect_continue = false;
    bool has_host = false;
    std::string_view authority;  // of the target; empty: it has none
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
  size_t line_begin_ = 0;            // of the line not parsed yet
  size_t scanned_ = 0;               // no line end before it, from line_begin_ on
  const char* head_base_ = nullptr;  // where the bytes lay when the first line was parsed
  bool head_moved_ = false;          // they have lain elsewhere since: some views are stale

  size_t body_begin_ = 0;      // also the length of the head
  size_t body_raw_bytes_ = 0;  // of the body as it lies in the buffer
  size_t bytes_missing_ = 0;
  bool body_seen_ = false;  // a byte of it has come
  ChunkedDecoder decoder_;
  std::string decoded_;
};

}  // namespace lapse::net
