#include "api/cosmos/containers/definition/index_path.h"

#include <cstdint>
#include <utility>

#include "api/cosmos/wire/sent_json.h"
#include "engine/records/index/indexing_definition.h"

namespace lapse::api::cosmos {
namespace {

bool IsLabelByte(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool beyond_ascii = static_cast<unsigned char>(c) >= 0x80;
  return letter || beyond_ascii || (c >= '0' && c <= '9') || c == '_';
}

class PathReader {
 public:
  enum class End : uint8_t { kNone, kOneValue, kEverything };

  explicit PathReader(std::string_view text) : text_(text) {}

  // Returns false if the path is invalid; position() is then where.
  bool Read() {
    if (text_.empty() || text_.find('\0') != std::string_view::npos) return false;
    while (at_ < text_.size()) {
      if (text_[at_] != '/' || end_ != End::kNone || names_.size() > kIndexPathNamesMax) return false;
      ++at_;
      if (!Step()) return false;
    }
    return names_.size() <= kIndexPathNamesMax;
  }

  std::vector<std::string>& names() { return names_; }
  End end() const { return end_; }
  bool has_elements() const { return has_elements_; }

  Status Refusal() const {
    return {Code::kInvalidArgument, "The indexing path '" + std::string(text_.substr(0, kQuotedBytesMax)) +
                                        "' could not be accepted, failed near position '" + std::to_string(at_) +
                                        "'. Please ensure that the path is a valid path. Common errors include "
                                        "invalid characters or absence of quotes around labels."};
  }

 private:
  bool Step() {
    if (at_ == text_.size()) return false;
    switch (text_[at_]) {
      case '?': return TakeEnd(End::kOneValue);
      case '*': return TakeEnd(End::kEverything);
      case '[': return TakeElements();
      case '"': return TakeQuoted();
      default: return TakeLabel();
    }
  }

  bool TakeEnd(End end) {
    end_ = end;
    ++at_;
    return true;
  }

  bool TakeElements() {
    if (!text_.substr(at_).starts_with(engine::IndexingDefinition::kElement)) return false;
    at_ += engine::IndexingDefinition::kElement.size();
    names_.emplace_back(engine::IndexingDefinition::kElement);
    has_elements_ = true;
    return true;
  }

  bool TakeLabel() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsLabelByte(text_[at_])) ++at_;
    names_.emplace_back(text_.substr(begin, at_ - begin));
    return at_ > begin;
  }

  // Handles `\"` and `\\` inside quotes. A quoted name that looks like an array step is indistinguishable from it.
  bool TakeQuoted() {
    std::string& name = names_.emplace_back();
    for (++at_; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == '"') {
        ++at_;
        return name != engine::IndexingDefinition::kElement;
      }
      if (c == '\\') {
        if (++at_ == text_.size() || (text_[at_] != '"' && text_[at_] != '\\')) return false;
        c = text_[at_];
      }
      name.push_back(c);
    }
    return false;
  }

  const std::string_view text_;
  size_t at_ = 0;
  std::vector<std::string> names_;
  End end_ = End::kNone;
  bool has_elements_ = false;
};

}  // namespace

Result<IndexPath> ReadIndexPath(std::string_view text) {
  // The whole document, as older clients write it.
  if (text == "/") return IndexPath{};
  PathReader reader(text);
  const bool read = reader.Read();
  const bool one_value = reader.end() == PathReader::End::kOneValue;
  // The whole document has no single value.
  const bool nothing = one_value && reader.names().empty();
  if (!read || nothing || reader.end() == PathReader::End::kNone) return reader.Refusal();
  return IndexPath{std::move(reader.names()), one_value};
}

Result<std::vector<std::string>> ReadCompositePath(std::string_view text) {
  PathReader reader(text);
  const bool read = reader.Read();
  if (!read || reader.end() == PathReader::End::kEverything || reader.has_elements() || reader.names().empty()) {
    return reader.Refusal();
  }
  return std::move(reader.names());
}

}  // namespace lapse::api::cosmos
