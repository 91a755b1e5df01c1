#include "query/sql/error_list.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "doc/json.h"
#include "query/functions/text.h"

namespace lapse::query::sql {
namespace {

constexpr size_t kQuotedMax = 200;

// Returns the number of UTF-16 units in the first `bytes` of the text. A four-byte character is two units.
size_t Utf16Units(std::string_view text, size_t bytes) {
  size_t units = 0;
  for (char c : text.substr(0, bytes)) {
    if (IsContinuation(c)) continue;
    units += static_cast<unsigned char>(c) >= 0xF0 ? 2 : 1;
  }
  return units;
}

}  // namespace

void ErrorList::Add(std::string_view code, std::string message, Span location) {
  if (errors_.size() < kErrorsMax) errors_.push_back({code, std::move(message), location});
}

void ErrorList::Add(std::string_view code, std::string message) {
  if (errors_.size() < kErrorsMax) errors_.push_back({code, std::move(message), std::nullopt});
}

Status ErrorList::ToStatus(std::string_view text) const {
  std::vector<const Error*> sorted;
  for (const Error& error : errors_) sorted.push_back(&error);
  auto begin_of = [](const Error* error) { return error->location ? error->location->begin : 0; };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Error* a, const Error* b) { return begin_of(a) < begin_of(b); });
  std::string json = R"({"errors":[)";
  for (const Error* error : sorted) {
    if (error != sorted.front()) json += ',';
    json += R"({"severity":"Error",)";
    if (error->location) {
      json += R"("location":{"start":)" + std::to_string(Utf16Units(text, error->location->begin));
      json += R"(,"end":)" + std::to_string(Utf16Units(text, error->location->end)) + "},";
    }
    json += R"("code":)";
    bool is_number = IsDigit(error->code.front());
    if (is_number) {
      json += error->code;
    } else {
      doc::StringToJson(error->code, &json);
    }
    json += R"(,"message":)";
    doc::StringToJson(error->message, &json);
    json += '}';
  }
  json += "]}";
  return {Code::kInvalidArgument, std::move(json)};
}

Status PlainError(std::string_view message) {
  std::string json = R"({"Errors":[)";
  doc::StringToJson(message, &json);
  json += "]}";
  return {Code::kInvalidArgument, std::move(json)};
}

std::string Quoted(std::string_view piece) {
  if (piece.size() > kQuotedMax) {
    size_t end = kQuotedMax;
    while (end > 0 && IsContinuation(piece[end])) --end;
    return "'" + std::string(piece.substr(0, end)) + "...'";
  }
  return "'" + std::string(piece) + "'";
}

}  // namespace lapse::query::sql
