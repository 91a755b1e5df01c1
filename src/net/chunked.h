// Decodes a body in the chunked transfer coding, in whatever pieces it arrives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/framing_error.h"

namespace lapse::net {

// Chunk extensions and trailers are read, limited in size, and dropped.
// Threads: one.
class ChunkedDecoder {
 public:
  enum class Outcome { kNeedMore, kDone, kFailed };

  void Reset() { *this = ChunkedDecoder(); }

  // Continues after the bytes of earlier calls. Appends data to `body`, and sets `taken` to the number of bytes
  // consumed, which is all of them unless the body ends before. The body never exceeds `body_bytes_max`, and never
  // grows by more than the bytes received.
  // Fails: 400 malformed, 413 too large, 431 trailers too large.
  Outcome Decode(std::string_view bytes, size_t body_bytes_max, std::string* body, size_t* taken);

  const FramingError& error() const { return error_; }

 private:
  enum class State {
    kSizeFirst,     // the first digit of a size
    kSize,          // further digits
    kExtension,     // after ';'
    kSizeLf,        // the LF that ends the size line
    kData,          //
    kDataCr,        // the CRLF after the data
    kDataLf,        //
    kTrailerFirst,  // the first byte of a trailer line, or of the empty line that ends the body
    kTrailer,       //
    kTrailerLf,     //
    kEndLf,         //
    kDone,
  };

  bool Step(char c, size_t body_bytes_max, size_t body_bytes);
  bool StepSize(char c);
  bool StepTrailer(char c);
  bool EndSizeLine(size_t body_bytes_max, size_t body_bytes);
  bool Expect(char c, char expected, State next);
  bool Fail(int status, std::string_view reason);

  State state_ = State::kSizeFirst;
  uint64_t size_ = 0;  // data bytes of the current chunk still to come
  int digits_ = 0;
  size_t extension_bytes_ = 0;  // total of all chunks
  size_t trailer_bytes_ = 0;
  FramingError error_;
};

}  // namespace lapse::net
