#include "net/http.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "net/ascii.h"

namespace lapse::net {
namespace {

const HeaderField* FindHeader(const std::vector<HeaderField>& headers, std::string_view name) {
  for (const HeaderField& field : headers) {
    if (EqualsIgnoreCase(field.name, name)) return &field;
  }
  return nullptr;
}

// An answer's body keeps up to this much memory for the next answer. A rare larger one is freed.
constexpr size_t kKeptAnswerBodyBytes = 16 * 1024;

// A sink that leaves the answer in place.
class IntoResponse final : public Responder::Sink {
 public:
  explicit IntoResponse(Response* response) : response_(response) {}
  Response& response() override { return *response_; }
  void Send() override {}

 private:
  Response* const response_;
};

}  // namespace

std::string_view Request::Header(std::string_view name) const {
  const HeaderField* field = FindHeader(headers, name);
  return field == nullptr ? std::string_view() : field->value;
}

bool Request::HasHeader(std::string_view name) const {
  return FindHeader(headers, name) != nullptr;
}

std::string_view Request::RepeatedHeader(bool (*has_one_value)(std::string_view name)) const {
  // Compares every pair: there are a dozen headers, and most differ in length or in their first letters.
  for (size_t i = 0; i < headers.size(); ++i) {
    for (size_t j = i + 1; j < headers.size(); ++j) {
      if (SameIgnoringCase(headers[i].name, headers[j].name) && has_one_value(headers[j].name)) return headers[j].name;
    }
  }
  return {};
}

void Response::Reset() {
  status_ = 200;
  safe_ = false;
  header_lines_.clear();
  body_.clear();
  if (body_.capacity() > kKeptAnswerBodyBytes) body_.shrink_to_fit();
}

void Response::AddHeader(std::string_view name, std::string_view value) {
  // Grown once and filled in place, because an answer has a dozen headers and four appends for each add up.
  const size_t begin = header_lines_.size();
  header_lines_.resize(begin + name.size() + value.size() + 4);
  char* out = header_lines_.data() + begin;
  out = std::copy(name.begin(), name.end(), out);
  *out++ = ':';
  *out++ = ' ';
  if (!HasControl(value)) {
    out = std::copy(value.begin(), value.end(), out);
  } else {
    // A line break in a value could end the header section (response splitting).
    out = std::copy_if(value.begin(), value.end(), out, [](char c) { return c != '\r' && c != '\n'; });
  }
  *out++ = '\r';
  *out++ = '\n';
  header_lines_.resize(static_cast<size_t>(out - header_lines_.data()));
}

void Response::AddHeader(std::string_view name, int64_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  AddHeader(name, std::string_view(digits, static_cast<size_t>(end - digits)));
}

void Responder::Sink::Abandon() {
  Response& answer = response();
  answer.Reset();
  answer.set_status(500);
  Send();
}

Responder Responder::Into(Response* response) {
  return Responder(std::make_shared<IntoResponse>(response));
}

Responder::~Responder() {
  if (sink_ != nullptr) sink_->Abandon();
}

void Responder::Send() {
  const std::shared_ptr<Sink> sink = std::move(sink_);
  sink->Send();
}

std::function<void()> Responder::SendOneOfMany() {
  const std::shared_ptr<Sink> sink = std::move(sink_);
  return sink->SendOneOfMany();
}

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 100: return "Continue";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 207: return "Multi-Status";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Content";
    case 423: return "Locked";
    case 424: return "Failed Dependency";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 449: return "Retry With";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    case 507: return "Insufficient Storage";
    default: return "Unknown";
  }
}

}  // namespace lapse::net
