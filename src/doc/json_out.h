// An output buffer for JSON text: a string that is grown ahead and trimmed at the end, so that each piece costs only a
// bounds check and a copy. Private to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapse::doc {

// Threads: one.
// Owns: nothing. `text` must outlive it and must not be used meanwhile.
class JsonOut {
 public:
  // Appends to `text`. `expected` is a guess of the output's size.
  JsonOut(std::string* text, size_t expected) : text_(text) {
    size_t size = text->size();
    text->resize(size + expected);
    SetRoom(size);
  }
  ~JsonOut() { text_->resize(Size()); }
  JsonOut(const JsonOut&) = delete;
  JsonOut& operator=(const JsonOut&) = delete;

  void Put(char c) {
    Need(1);
    *at_++ = c;
  }
  void Put(std::string_view plain) {
    Need(plain.size());
    at_ += plain.copy(at_, plain.size());
  }
  void PutInteger(int64_t number);
  void PutDouble(double number);
  // Writes quotes around the text and escapes where JSON needs them.
  void PutString(std::string_view text);
  void PutHex(std::string_view bytes);

 private:
  size_t Size() const { return static_cast<size_t>(at_ - text_->data()); }
  void Need(size_t count) {
    if (static_cast<size_t>(end_ - at_) < count) Grow(count);
  }
  void Grow(size_t count);
  void SetRoom(size_t used) {
    at_ = text_->data() + used;
    end_ = text_->data() + text_->size();
  }
  void PutEscaped(char c);

  std::string* text_;
  char* at_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace lapse::doc
