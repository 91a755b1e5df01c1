#include "doc/path.h"

#include <algorithm>

namespace lapse::doc {
namespace {

Status Wrong(std::string_view text, std::string_view problem) {
  return {Code::kInvalidArgument, "the path '" + std::string(text) + "' " + std::string(problem)};
}

// Decodes a name of a JSON pointer. Returns false if it has an invalid `~`.
bool Unescape(std::string_view written, std::string* name) {
  for (size_t i = 0; i < written.size(); ++i) {
    char c = written[i];
    if (c == '~') {
      if (++i == written.size() || (written[i] != '0' && written[i] != '1')) return false;
      c = written[i] == '0' ? '~' : '/';
    }
    name->push_back(c);
  }
  return true;
}

// Takes `"..."` off the front of `rest`. Returns false if the quote is not closed or an escape is unknown.
bool TakeQuoted(std::string_view* rest, std::string* name) {
  rest->remove_prefix(1);
  while (!rest->empty()) {
    char c = rest->front();
    rest->remove_prefix(1);
    if (c == '"') return true;
    if (c == '\\') {
      if (rest->empty() || (rest->front() != '"' && rest->front() != '\\')) return false;
      c = rest->front();
      rest->remove_prefix(1);
    }
    name->push_back(c);
  }
  return false;
}

void TakePlain(std::string_view* rest, std::string* name) {
  *name = rest->substr(0, rest->find('/'));
  rest->remove_prefix(name->size());
}

}  // namespace

Result<Path> Path::FromSlashes(std::string_view text) {
  if (text.empty() || text[0] != '/') return Wrong(text, "does not start with a slash");
  if (text.find('\0') != std::string_view::npos) return Wrong(text, "has a NUL character");
  std::vector<std::string> names;
  std::string_view rest = text;
  while (!rest.empty()) {
    if (rest[0] != '/') return Wrong(text, "has text between a closing quote and the next slash");
    rest.remove_prefix(1);
    std::string& name = names.emplace_back();
    if (!rest.empty() && rest[0] == '"') {
      if (!TakeQuoted(&rest, &name)) return Wrong(text, "has a quote that is not closed or an unknown escape");
    } else {
      TakePlain(&rest, &name);
      if (name.empty()) return Wrong(text, "has an empty name");
    }
  }
  return Path(std::move(names));
}

Result<Path> Path::FromPointer(std::string_view text, size_t names_max) {
  if (text.empty()) return Path();
  // Messages do not repeat a pointer, which may be as long as a request.
  const auto wrong = [](std::string_view problem) {
    return Status(Code::kInvalidArgument, "the path " + std::string(problem));
  };
  if (text[0] != '/') return wrong("does not start with a slash");
  if (text.find('\0') != std::string_view::npos) return wrong("has a NUL character");
  if (static_cast<size_t>(std::count(text.begin(), text.end(), '/')) > names_max) return wrong("has too many names");
  std::vector<std::string> names;
  for (std::string_view rest = text; !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view written = rest.substr(0, rest.find('/'));
    if (!Unescape(written, &names.emplace_back())) return wrong("has a tilde that is neither ~0 nor ~1");
    rest.remove_prefix(written.size());
  }
  return Path(std::move(names));
}

std::string Path::ToPointer() const {
  std::string text;
  for (const std::string& name : names_) {
    text.push_back('/');
    for (const char c : name) {
      if (c == '~') {
        text.append("~0");
      } else if (c == '/') {
        text.append("~1");
      } else {
        text.push_back(c);
      }
    }
  }
  return text;
}

bool Path::IsWithin(const Path& other) const {
  return names_.size() >= other.names_.size() && std::equal(other.names_.begin(), other.names_.end(), names_.begin());
}

}  // namespace lapse::doc
