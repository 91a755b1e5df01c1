#include "api/cosmos/wire/credentials/authorization_header.h"

#include "base/escape.h"

namespace lapse::api::cosmos {
namespace {

Status Malformed() {
  return Status(Code::kUnauthenticated,
                "Authorization header doesn't confirm to the required format. Please verify and try again.");
}

Status TooLong() {
  return Status(Code::kInvalidArgument, "Request header too large: the authorization header is too long.");
}

std::string_view TakeField(std::string_view* rest) {
  size_t end = rest->find('&');
  std::string_view field = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  return field;
}

}  // namespace

bool AuthorizationHeader::Decode(std::string_view header) {
  // Use local variables: a write through a char pointer could alias any member.
  char* const begin = decoded_.data();
  char* const end = begin + decoded_.size();
  char* at = begin;
  bool cut = false;
  for (size_t i = 0; i < header.size(); ++i) {
    char c = header[i];
    if (c == '%') {
      const int byte = PercentEscape(header.substr(i));
      if (byte < 0) return false;
      c = static_cast<char>(byte);
      i += 2;
    }
    if (at == end) {
      cut = true;
      break;
    }
    *at++ = c;
  }
  size_ = static_cast<size_t>(at - begin);
  cut_ = cut;
  return true;
}

Status AuthorizationHeader::Parse(std::string_view header) {
  if (header.empty()) {
    return Status(Code::kUnauthenticated,
                  "Required Header authorization is missing. Ensure a valid Authorization token is passed.");
  }
  if (!Decode(header)) return Malformed();
  std::string_view rest(decoded_.data(), size_);
  const std::string_view type = TakeField(&rest);
  if (type == "type=aad") {
    if (header.size() > kEntraHeaderBytesMax) return TooLong();  // only its beginning was decoded
    return Status(Code::kUnauthenticated,
                  "Microsoft Entra ID tokens (type=aad) are not supported. Use an account key (type=master), or a "
                  "resource token (type=resource), which a permission of a user gives.");
  }
  const bool is_key = type == "type=master";
  if (!is_key && type != "type=resource") return Malformed();
  if (cut_ || (is_key && size_ > kKeyHeaderBytesMax)) return TooLong();
  const std::string_view version = TakeField(&rest);
  const std::string_view proof = TakeField(&rest);
  if (version != "ver=1.0" || !proof.starts_with("sig=") || !rest.empty()) return Malformed();
  type_ = is_key ? Type::kKey : Type::kResourceToken;
  proof_ = proof.substr(4);
  return Status::Ok();
}

}  // namespace lapse::api::cosmos
