// Takes the chunked transfer coding off a body, in whatever pieces it arrives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/framing_error.h"

namespace lapse::net {

// Threads: one. Chunk extensions and trailers are read, bounded and dropped.
class ChunkedDecoder {
 public:
  enum class Outcome { kNeedMore, kDone, kFailed };

  void Reset() { *this = ChunkedDecoder(); }

  // Goes on with the bytes that follow those of earlier calls. Appends data to `body` and sets `taken` to how many of
  // `bytes` are used up: all of them, unless the body ended before. The body never grows beyond `body_bytes_max`, and
  // never by more than came in.
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
  uint64_t size_ = 0;  // of the chunk; counts down while its data comes
  int digits_ = 0;
  size_t extension_bytes_ = 0;  // of all chunks together
  size_t trailer_bytes_ = 0;
  FramingError error_;
};

}  // namespace lapse::net
