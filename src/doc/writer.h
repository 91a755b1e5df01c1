// Writes BSON straight into a byte string: open a document, append, close. Lengths are patched on closing, so one pass
// is enough. The caller keeps names free of NUL bytes (JSON input is checked on its way in).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "doc/value.h"

namespace lapse::doc {

// Threads: one. Owns nothing but the stack of open documents; `out` must outlive it.
class Writer {
 public:
  explicit Writer(std::string* out) : out_(out) {}

  void BeginDocument();                      // the outermost one
  void BeginObject(std::string_view name);
  void BeginArray(std::string_view name);
  void End();                                // closes the innermost open document

  void AppendDouble(std::string_view name, double value);
  void AppendString(std::string_view name, std::string_view value);
  void AppendBool(std::string_view name, bool value);
  void AppendNull(std::string_view name);
  void AppendInt32(std::string_view name, int32_t value);
  void AppendInt64(std::string_view name, int64_t value);
  void AppendInteger(std::string_view name, int64_t value);  // int32 when it fits
  void AppendDocument(std::string_view name, std::string_view document);
  void AppendArray(std::string_view name, std::string_view array);
  void AppendValue(std::string_view name, Value value);      // any type, bytes as they are

 private:
  std::string* out_;
  std::vector<size_t> open_;  // offsets of the length words still to be patched
};

}  // namespace lapse::doc
