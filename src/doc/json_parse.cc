// Parses JSON into BSON with simdjson's On-Demand interface. Its first stage checks the UTF-8 of the whole text, finds
// the ends of strings and rejects control characters in them. On-Demand checks only what it is asked for, so the
// traversal here visits every token.
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <memory>
#include <new>

#include "doc/duplicate_names.h"
#include "doc/json.h"
#include "doc/json_number.h"
#include "doc/json_string.h"
#include "doc/writer.h"

namespace lapse::doc {
namespace {

namespace ondemand = simdjson::ondemand;

// The traversal is recursive, and simdjson tracks up to 1024 levels. A caller's limit is reduced to this.
constexpr int kDepthCeiling = 1000;
// The densest JSON, an array of digits, grows less than eightfold in BSON, whose lengths are limited to 2 GiB.
constexpr size_t kBytesCeiling = size_t{256} << 20;
// Text size for which a thread keeps its buffers. The parser's own tables take about seven times as much.
constexpr size_t kRetainedTextMax = size_t{1} << 20;
constexpr size_t kCapacityMin = 16384;
// An array index as a name. Ten digits suffice below kBytesCeiling.
constexpr size_t kIndexSize = 10;

constexpr std::string_view kTextAfterEnd = "there is text after the end of the value";

// A thread's copy of the text, with the padding that simdjson reads past the end, and other reusable buffers.
class Workspace {
 public:
  char* text() { return text_.get(); }
  char* text_end() { return text_.get() + size_; }
  DuplicateNames& names() { return names_; }

  simdjson::error_code Parse(std::string_view json, ondemand::document* document) {
    if (json.size() > capacity_ || capacity_ == 0) Allocate(std::max(kCapacityMin, std::bit_ceil(json.size())));
    size_ = json.size();
    json.copy(text_.get(), size_);
    // The padding must not look like part of the text.
    std::memset(text_.get() + size_, 0, simdjson::SIMDJSON_PADDING);
    return parser_->iterate(text_.get(), size_, size_ + simdjson::SIMDJSON_PADDING).get(*document);
  }

  void Shrink() {
    names_.Clear();
    if (capacity_ <= kRetainedTextMax) return;
    parser_.reset();
    text_.reset();
    capacity_ = 0;
  }

 private:
  void Allocate(size_t capacity) {
    capacity_ = 0;
    text_.reset(new char[capacity + simdjson::SIMDJSON_PADDING]);
    parser_ = std::make_unique<ondemand::parser>();
    if (parser_->allocate(capacity) != simdjson::SUCCESS) throw std::bad_alloc();
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> text_;
  std::unique_ptr<ondemand::parser> parser_;
  size_t size_ = 0;
  size_t capacity_ = 0;
  DuplicateNames names_;
};

std::string_view Describe(simdjson::error_code error) {
  switch (error) {
    case simdjson::EMPTY: return "the text is empty";
    case simdjson::UTF8_ERROR: return "the text is not valid UTF-8";
    case simdjson::UNCLOSED_STRING: return "a string is not closed";
    case simdjson::UNESCAPED_CHARS: return "a string has a control character that is not escaped";
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT: return "an object or array is not closed";
    default: return "a comma, colon, name, value or bracket is missing or misplaced";
  }
}

std::string_view Trimmed(std::string_view token) {
  return token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
}

// Returns where text follows the end of the first object or array, or npos. For messages only: counts brackets without
// matching their kinds.
size_t TextAfterValue(std::string_view json) {
  int depth = 0;
  bool in_string = false;
  for (size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
      continue;
    }
    in_string = c == '"';
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth <= 0) return json.find_first_not_of(" \t\r\n", at + 1);
  }
  return std::string_view::npos;
}

// Converts one document into a writer. The functions return false after Fail.
class Converter {
 public:
  Converter(Workspace* workspace, int depth_max, std::string* bson)
      : workspace_(workspace), depth_max_(std::min(depth_max, kDepthCeiling)), writer_(bson) {}

  const Status& error() const { return error_; }

  bool ConvertRoot(ondemand::document* document, bool is_array) {
    mark_ = workspace_->text();
    writer_.BeginDocument();
    if (!ConvertRootContainer(document, is_array)) return false;
    writer_.End();
    if (document->current_location().get(mark_) == simdjson::OUT_OF_BOUNDS) return true;
    return Fail(kTextAfterEnd);
  }

 private:
  bool ConvertRootContainer(ondemand::document* document, bool is_array) {
    if (is_array) {
      ondemand::array array;
      if (auto error = document->get_array().get(array)) return FailRoot(error, "a JSON array is expected");
      return ConvertArray(array, 1);
    }
    ondemand::object object;
    if (auto error = document->get_object().get(object)) return FailRoot(error, "a JSON object is expected");
    return ConvertObject(object, 1);
  }

  bool ConvertObject(ondemand::object& object, int depth) {
    if (depth > depth_max_) return FailDepth();
    DuplicateNames& names = workspace_->names();
    size_t open = names.Open();
    for (auto member : object) {
      ondemand::field field;
      if (auto error = std::move(member).get(field)) return Fail(Describe(error));
      std::string_view name;
      if (!ReadName(field.key().raw(), &name)) return false;
      names.Add(name);
      if (!ConvertValue(name, field.value(), depth)) return false;
    }
    std::string_view twice;
    return !names.Close(open, &twice) || FailDuplicate(twice);
  }

  bool ConvertArray(ondemand::array& array, int depth) {
    if (depth > depth_max_) return FailDepth();
    char name[kIndexSize];
    uint32_t index = 0;
    for (auto element : array) {
      ondemand::value value;
      // NOLINTNEXTLINE(performance-move-const-arg): get() is for values that may be moved from
      if (auto error = std::move(element).get(value)) return Fail(Describe(error));
      char* end = std::to_chars(name, name + kIndexSize, index++).ptr;
      if (!ConvertValue({name, static_cast<size_t>(end - name)}, value, depth)) return false;
    }
    return true;
  }

  bool ConvertValue(std::string_view name, ondemand::value& value, int depth) {
    std::string_view token = value.raw_json_token();
    mark_ = token.data();
    switch (token[0]) {
      case '"': return ConvertString(name, value);
      case '{': return ConvertInnerObject(name, value, depth + 1);
      case '[': return ConvertInnerArray(name, value, depth + 1);
      case 't':
      case 'f': return ConvertBool(name, value);
      case 'n': return ConvertNull(name, value);
      case '-':
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9': return ConvertNumber(name, token);
      default: return Fail("a value is expected");
    }
  }

  bool ConvertInnerObject(std::string_view name, ondemand::value& value, int depth) {
    ondemand::object object;
    if (auto error = value.get_object().get(object)) return Fail(Describe(error));
    writer_.BeginObject(name);
    if (!ConvertObject(object, depth)) return false;
    writer_.End();
    return true;
  }

  bool ConvertInnerArray(std::string_view name, ondemand::value& value, int depth) {
    ondemand::array array;
    if (auto error = value.get_array().get(array)) return Fail(Describe(error));
    writer_.BeginArray(name);
    if (!ConvertArray(array, depth)) return false;
    writer_.End();
    return true;
  }

  bool ConvertString(std::string_view name, ondemand::value& value) {
    ondemand::raw_json_string raw;
    std::string_view text;
    if (auto error = value.get_raw_json_string().get(raw)) return Fail(Describe(error));
    if (!Read(raw.raw(), &text)) return false;
    writer_.AppendString(name, text);
    return true;
  }

  bool ConvertBool(std::string_view name, ondemand::value& value) {
    bool truth;
    if (value.get_bool().get(truth)) return Fail("a value is expected");
    writer_.AppendBool(name, truth);
    return true;
  }

  bool ConvertNull(std::string_view name, ondemand::value& value) {
    bool is_null;
    if (value.is_null().get(is_null) || !is_null) return Fail("a value is expected");
    writer_.AppendNull(name);
    return true;
  }

  // Parsed here, because simdjson gets long fractions wrong (its issue 2099). simdjson considers the token unread and
  // skips it.
  bool ConvertNumber(std::string_view name, std::string_view token) {
    JsonNumber number = ReadNumber(Trimmed(token));
    switch (number.kind) {
      case JsonNumber::Kind::kInteger: writer_.AppendInteger(name, number.integer); return true;
      case JsonNumber::Kind::kDouble: writer_.AppendDouble(name, number.real); return true;
      case JsonNumber::Kind::kTooBig: return Fail("a number is beyond the range of a double");
      case JsonNumber::Kind::kMalformed: break;
    }
    return Fail("a number is malformed");
  }

  bool ReadName(const char* raw, std::string_view* name) {
    mark_ = raw;
    if (!Read(raw, name)) return false;
    return name->find('\0') == std::string_view::npos || Fail("a name has a NUL character");
  }

  // The text is in our own buffer and simdjson is past it, so it may be decoded in place.
  bool Read(const char* raw, std::string_view* text) {
    char* at = workspace_->text() + (raw - workspace_->text());
    const char* problem = ReadString(at, workspace_->text_end(), text);
    return problem == nullptr || Fail(problem);
  }

  // simdjson checks the last byte first, and reports text that does not end in a bracket as incomplete.
  bool FailRoot(simdjson::error_code error, std::string_view expected) {
    if (error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT) {
      const std::string_view text(workspace_->text(), static_cast<size_t>(workspace_->text_end() - workspace_->text()));
      const size_t after = TextAfterValue(text);
      if (after != std::string_view::npos) {
        mark_ = text.data() + after;
        return Fail(kTextAfterEnd);
      }
    }
    return Fail(error == simdjson::INCORRECT_TYPE ? expected : Describe(error));
  }

  bool FailDepth() { return Fail("objects and arrays are nested deeper than " + std::to_string(depth_max_)); }

  bool FailDuplicate(std::string_view name) {
    constexpr size_t kShownMax = 64;
    mark_ = nullptr;
    std::string quoted;
    StringToJson(name.substr(0, kShownMax), &quoted);
    return Fail("an object has the name " + quoted + " twice");
  }

  bool Fail(std::string_view problem) {
    std::string message = "invalid JSON";
    if (mark_ != nullptr) message += " near byte " + std::to_string(mark_ - workspace_->text());
    error_ = {Code::kInvalidArgument, message.append(": ").append(problem)};
    return false;
  }

  Workspace* workspace_;
  int depth_max_;
  Writer writer_;
  const char* mark_ = nullptr;  // the last name or value visited, for messages
  Status error_;
};

Status ConvertText(std::string_view json, const JsonLimits& limits, bool is_array, Workspace* workspace,
                   std::string* bson) {
  ondemand::document document;
  if (auto error = workspace->Parse(json, &document)) {
    return {Code::kInvalidArgument, "invalid JSON: " + std::string(Describe(error))};
  }
  bson->reserve(bson->size() + json.size() + json.size() / 8);
  Converter converter(workspace, limits.depth_max, bson);
  if (!converter.ConvertRoot(&document, is_array)) return converter.error();
  return Status::Ok();
}

Status Convert(std::string_view json, const JsonLimits& limits, bool is_array, std::string* bson) {
  size_t bytes_max = std::min(limits.bytes_max, kBytesCeiling);
  if (json.size() > bytes_max) {
    return {Code::kTooLarge, "the JSON text has " + std::to_string(json.size()) + " bytes, more than the " +
                                 std::to_string(bytes_max) + " allowed"};
  }
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (json.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    return {Code::kInvalidArgument, "invalid JSON: the text starts with a byte order mark"};
  }
  thread_local Workspace workspace;
  size_t size_before = bson->size();
  Status status = ConvertText(json, limits, is_array, &workspace, bson);
  if (!status.ok()) bson->resize(size_before);
  workspace.Shrink();
  return status;
}

}  // namespace

Status JsonToBson(std::string_view json, const JsonLimits& limits, std::string* bson) {
  return Convert(json, limits, /*is_array=*/false, bson);
}

Status JsonArrayToBson(std::string_view json, const JsonLimits& limits, std::string* bson) {
  return Convert(json, limits, /*is_array=*/true, bson);
}

}  // namespace lapse::doc
