// The result of a benchmark program: one line of JSON on standard output, read by bench/driver. Text for people goes to
// standard error.
#pragma once

#include <cinttypes>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace lapse::bench {

class Report {
 public:
  // Names and values are fixed, and none needs escaping.
  Report& Add(std::string_view name, std::string_view value) { return Member(name, "\"" + std::string(value) + "\""); }
  Report& Add(std::string_view name, const char* value) { return Add(name, std::string_view(value)); }
  Report& Add(std::string_view name, std::integral auto value) { return Member(name, std::to_string(value)); }
  Report& Add(std::string_view name, double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", value);
    return Member(name, text);
  }

  void Print() const {
    std::printf("{%s}\n", members_.c_str());
    std::fflush(stdout);
  }

 private:
  Report& Member(std::string_view name, std::string_view value) {
    if (!members_.empty()) members_ += ", ";
    members_.append("\"").append(name).append("\": ").append(value);
    return *this;
  }

  std::string members_;
};

// Ends the program: a benchmark that fails has measured nothing.
[[noreturn]] inline void Fail(std::string_view what) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::exit(1);
}

}  // namespace lapse::bench
