#include "doc/path.h"

namespace lapse::doc {
namespace {

Status Wrong(std::string_view text, std::string_view problem) {
  return {Code::kInvalidArgument, "the path '" + std::string(text) + "' " + std::string(problem)};
}

// Takes `"..."` off the front of `rest`; false when the quote is not closed or an escape is not known.
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

}  // namespace lapse::doc
