#include "net/chunked.h"

#include <algorithm>

#include "base/hex.h"
#include "net/ascii.h"

namespace lapse::net {
namespace {

// No known client needs either. The limits only keep a peer from sending them without end.
constexpr size_t kExtensionBytesMax = 4096;
constexpr size_t kTrailerBytesMax = 8192;
constexpr int kSizeDigitsMax = 16;  // enough for 64 bits

}  // namespace

ChunkedDecoder::Outcome ChunkedDecoder::Decode(std::string_view bytes, size_t body_bytes_max, std::string* body,
                                               size_t* taken) {
  size_t i = 0;
  while (state_ != State::kDone && error_.status == 0 && i < bytes.size()) {
    if (state_ == State::kData) {
      const size_t count = std::min<uint64_t>(size_, bytes.size() - i);
      body->append(bytes.substr(i, count));
      i += count;
      size_ -= count;
      if (size_ == 0) state_ = State::kDataCr;
    } else if (Step(bytes[i], body_bytes_max, body->size())) {
      ++i;
    }
  }
  *taken = i;
  if (error_.status != 0) return Outcome::kFailed;
  return state_ == State::kDone ? Outcome::kDone : Outcome::kNeedMore;
}

bool ChunkedDecoder::Step(char c, size_t body_bytes_max, size_t body_bytes) {
  switch (state_) {
    case State::kSizeFirst:
    case State::kSize: return StepSize(c);
    case State::kExtension:
      if (c == '\r') {
        state_ = State::kSizeLf;
        return true;
      }
      if (IsControl(c) && c != '\t') return Fail(400, "A chunk extension holds a control character.");
      return ++extension_bytes_ <= kExtensionBytesMax || Fail(400, "The chunk extensions are too large.");
    case State::kSizeLf:
      if (c != '\n') return Fail(400, "A chunk size line does not end in CRLF.");
      return EndSizeLine(body_bytes_max, body_bytes);
    case State::kDataCr: return Expect(c, '\r', State::kDataLf);
    case State::kDataLf: return Expect(c, '\n', State::kSizeFirst);
    case State::kTrailerFirst:
    case State::kTrailer:
    case State::kTrailerLf: return StepTrailer(c);
    case State::kEndLf: return Expect(c, '\n', State::kDone);
    case State::kData:
    case State::kDone: break;
  }
  return Fail(400, "The chunked body is malformed.");
}

bool ChunkedDecoder::StepSize(char c) {
  if (const int digit = HexDigit(c); digit >= 0) {
    if (state_ == State::kSizeFirst) {
      size_ = 0;
      digits_ = 0;
      state_ = State::kSize;
    }
    if (++digits_ > kSizeDigitsMax) return Fail(400, "A chunk size has too many digits.");
    size_ = size_ << 4 | static_cast<uint64_t>(digit);
    return true;
  }
  if (state_ == State::kSizeFirst) return Fail(400, "A chunk does not begin with its size.");
  if (c == ';') {
    state_ = State::kExtension;
    return true;
  }
  return Expect(c, '\r', State::kSizeLf);
}

bool ChunkedDecoder::EndSizeLine(size_t body_bytes_max, size_t body_bytes) {
  if (size_ == 0) {
    state_ = State::kTrailerFirst;
    return true;
  }
  if (size_ > body_bytes_max - body_bytes) return Fail(413, "The body is too large.");
  state_ = State::kData;
  return true;
}

bool ChunkedDecoder::StepTrailer(char c) {
  if (++trailer_bytes_ > kTrailerBytesMax) return Fail(431, "The trailers are too large.");
  if (state_ == State::kTrailerLf) return Expect(c, '\n', State::kTrailerFirst);
  if (c == '\r') {
    state_ = state_ == State::kTrailerFirst ? State::kEndLf : State::kTrailerLf;
    return true;
  }
  const bool allowed = state_ == State::kTrailerFirst ? IsTokenChar(c) : !IsControl(c) || c == '\t';
  if (!allowed) return Fail(400, "A trailer line is malformed.");
  state_ = State::kTrailer;
  return true;
}

bool ChunkedDecoder::Expect(char c, char expected, State next) {
  if (c != expected) return Fail(400, "The chunked body is malformed.");
  state_ = next;
  return true;
}

bool ChunkedDecoder::Fail(int status, std::string_view reason) {
  error_ = {status, reason};
  return false;
}

}  // namespace lapse::net
