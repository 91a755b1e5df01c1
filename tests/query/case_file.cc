#include "tests/query/case_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace lapse::query_tests {
namespace {

constexpr std::string_view kArrow = "=>";
constexpr std::string_view kExpressionBegin = "SELECT VALUE ";

std::string_view Trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

// Removes the word if the text begins with it.
bool TakeWord(std::string_view word, std::string_view* text) {
  if (!text->starts_with(word)) return false;
  if (text->size() > word.size() && (*text)[word.size()] != ' ') return false;
  *text = Trim(text->substr(word.size()));
  return true;
}

std::string_view FirstWord(std::string_view text) {
  return text.substr(0, text.find(' '));
}

std::string TakeFirstWord(std::string_view* text) {
  std::string word(FirstWord(*text));
  *text = Trim(text->substr(word.size()));
  return word;
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// `SC2001` or `2206`
bool IsCode(std::string_view word) {
  return IsNumber(word.starts_with("SC") ? word.substr(2) : word);
}

// `7-14`
bool IsLocation(std::string_view word) {
  const size_t dash = word.find('-');
  return dash != std::string_view::npos && IsNumber(word.substr(0, dash)) && IsNumber(word.substr(dash + 1));
}

bool BeginsWithSelect(std::string_view text) {
  constexpr std::string_view kSelect = "select";
  if (text.size() < kSelect.size()) return false;
  return std::equal(kSelect.begin(), kSelect.end(), text.begin(),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

std::string Moved(const std::string& location, size_t by) {
  size_t dash = location.find('-');
  return std::to_string(std::stoul(location.substr(0, dash)) + by) + "-" +
         std::to_string(std::stoul(location.substr(dash + 1)) + by);
}

void SetExpression(std::string_view expression, QueryCase* one) {
  one->query = std::string(kExpressionBegin) + std::string(expression) + " FROM c WHERE c." + kSubject;
  one->condition = expression;
}

class CaseReader {
 public:
  explicit CaseReader(const std::filesystem::path& path) : file_(path.string()), input_(path) {
    EXPECT_TRUE(input_) << file_;
  }

  std::vector<QueryCase> Read() {
    std::string line;
    while (std::getline(input_, line)) {
      ++line_;
      TakeLine(line);
    }
    EndCase();
    if (!query_.empty()) Fail("a query without a result");
    return std::move(cases_);
  }

 private:
  void TakeLine(const std::string& line) {
    std::string_view text = Trim(line);
    if (text.empty()) return EndCase();
    if (text.starts_with('#')) return;
    if (!query_.empty() || open_) return TakeLineOfCase(line, text);
    if (TakeWord("documents", &text)) {
      documents_ = text;
      container_.clear();
    } else if (TakeWord("container", &text)) {
      container_ = text;
    } else {
      TakeLineOfCase(line, text);
    }
  }

  // A case on one line is text, arrow, result. A longer one has lines of text, of parameters and of results.
  void TakeLineOfCase(const std::string& line, std::string_view text) {
    if (text.starts_with(kArrow)) return TakeResult(Trim(text.substr(kArrow.size())));
    if (open_ && cases_.back().errors.empty() && ResultGoesOn()) {
      cases_.back().results.append(text);
      return;
    }
    if (size_t arrow = line.rfind(" => "); arrow != std::string::npos && !IsParameter(text)) {
      EndCase();
      if (query_.empty()) first_line_ = line_;
      query_.append(query_.empty() ? "" : "\n").append(Trim(std::string_view(line).substr(0, arrow)));
      TakeResult(Trim(std::string_view(line).substr(arrow + 4)));
      return EndCase();
    }
    if (IsParameter(text)) return TakeParameter(text);
    EndCase();
    if (query_.empty()) first_line_ = line_;
    query_.append(query_.empty() ? "" : "\n").append(query_.empty() ? text : std::string_view(line));
  }

  // Results may continue over several lines, until the list is closed.
  bool ResultGoesOn() const {
    const std::string& results = cases_.back().results;
    return results.empty() || results.back() != ']';
  }

  static bool IsParameter(std::string_view text) { return text.starts_with('@') && text.find(" = ") != text.npos; }

  void TakeParameter(std::string_view text) {
    size_t equals = text.find(" = ");
    if (!parameters_.empty()) parameters_ += ',';
    parameters_.append(R"({"name":")").append(text.substr(0, equals)).append(R"(","value":)");
    parameters_.append(Trim(text.substr(equals + 3))).append("}");
  }

  void TakeResult(std::string_view text) {
    if (!open_) {
      if (query_.empty()) return Fail("a result without a query");
      OpenCase();
    }
    QueryCase& one = cases_.back();
    if (TakeWord("error", &text)) return TakeError(text);
    if (TakeWord("about", &text)) {
      one.comparison = Comparison::kAbout;
    } else if (TakeWord("in order", &text)) {
      one.comparison = Comparison::kInOrder;
    } else if (TakeWord("as created", &text)) {
      one.comparison = Comparison::kAsCreated;
    }
    if (one.condition.empty()) {
      one.results = text;
    } else {
      one.results = text == "undefined" ? "[]" : "[" + std::string(text) + "]";
    }
  }

  void OpenCase() {
    QueryCase one;
    one.file = file_;
    one.line = first_line_;
    one.documents = documents_;
    one.container = container_;
    std::string_view text = query_;
    if (TakeWord("query", &text) || BeginsWithSelect(text)) {
      one.query = text;
    } else {
      SetExpression(text, &one);
    }
    one.parameters = "[" + parameters_ + "]";
    cases_.push_back(std::move(one));
    open_ = true;
  }

  // `SC2001 7-14 text`; locations in an expression count from its start.
  void TakeError(std::string_view text) {
    ExpectedError error;
    if (IsCode(FirstWord(text))) error.code = TakeFirstWord(&text);
    if (!error.code.empty() && IsLocation(FirstWord(text))) error.location = TakeFirstWord(&text);
    error.message = text;
    QueryCase& one = cases_.back();
    if (!one.condition.empty() && !error.location.empty()) {
      error.location = Moved(error.location, kExpressionBegin.size());
    }
    one.errors.push_back(std::move(error));
  }

  void EndCase() {
    if (!open_) return;
    open_ = false;
    query_.clear();
    parameters_.clear();
  }

  void Fail(const std::string& why) { ADD_FAILURE_AT(file_.c_str(), line_) << why; }

  std::string file_;
  std::ifstream input_;
  int line_ = 0;
  int first_line_ = 0;
  std::string documents_;
  std::string container_;
  std::string query_;
  std::string parameters_;
  bool open_ = false;  // the case has a result, which may continue
  std::vector<QueryCase> cases_;
};

}  // namespace

std::vector<QueryCase> ReadCaseFile(const std::filesystem::path& path) {
  return CaseReader(path).Read();
}

std::vector<std::filesystem::path> CaseFiles() {
  std::vector<std::filesystem::path> files;
  std::error_code error;  // without a folder there are no files; a test counts the cases
  for (const auto& entry : std::filesystem::directory_iterator("tests/query/cases", error)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

QueryCase ExpressionCase(const std::string& expression, const std::string& result) {
  QueryCase one;
  SetExpression(expression, &one);
  one.parameters = "[]";
  one.results = result == "undefined" ? "[]" : "[" + result + "]";
  return one;
}

}  // namespace lapse::query_tests
