// Writes BSON directly into a byte string: open a document, append, close. Lengths are filled in on closing, so one
// pass is enough. The caller must keep names free of NUL bytes (JSON parsing checks that) and documents below 2 GiB,
// the limit of their length field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "doc/value.h"

namespace lapse::doc {

// Threads: one.
// Owns: nothing, and allocates nothing of its own. `out` must outlive it, and nothing else may write to it between the
// outermost document's begin and end.
class Writer {
 public:
  explicit Writer(std::string* out) : out_(out) {}

  void BeginDocument();  // the outermost one
  void BeginObject(std::string_view name);
  void BeginArray(std::string_view name);
  void End();  // closes the innermost open document

  void AppendDouble(std::string_view name, double value);
  void AppendString(std::string_view name, std::string_view value);
  void AppendBool(std::string_view name, bool value);
  void AppendNull(std::string_view name);
  void AppendInt32(std::string_view name, int32_t value);
  void AppendInt64(std::string_view name, int64_t value);
  void AppendInteger(std::string_view name, int64_t value);  // an int32 if it fits
  void AppendDocument(std::string_view name, std::string_view document);
  void AppendValue(std::string_view name, Value value);  // any type, bytes unchanged

 private:
  void Open();
  char* AppendElement(Type type, std::string_view name, size_t value_size);

  std::string* out_;
  // Offset of the innermost open document. Its length field, not known yet, holds the distance back to its parent (0
  // for the outermost one), so the output itself stores the stack of open documents.
  size_t open_ = 0;
};

}  // namespace lapse::doc
