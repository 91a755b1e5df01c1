// Flags of the benchmark programs: `--items 1000`, every one with a default. An unknown flag, or a flag that needs a
// number and has none, ends the program with its usage.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace lapse::bench {

class Flags {
 public:
  Flags(int argc, char** argv, std::initializer_list<std::pair<const std::string, std::string>> defaults)
      : program_(argv[0]), values_(defaults) {
    for (int i = 1; i < argc; i += 2) {
      std::string_view flag = argv[i];
      auto known = flag.starts_with("--") ? values_.find(std::string(flag.substr(2))) : values_.end();
      if (known == values_.end() || i + 1 == argc) Usage();
      known->second = argv[i + 1];
    }
  }

  const std::string& Text(const std::string& name) const { return values_.at(name); }

  int64_t Number(const std::string& name) const {
    const std::string& text = values_.at(name);
    int64_t number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0) Usage();
    return number;
  }

 private:
  [[noreturn]] void Usage() const {
    std::fprintf(stderr, "usage: %s", program_.c_str());
    for (const auto& [name, value] : values_) std::fprintf(stderr, " [--%s %s]", name.c_str(), value.c_str());
    std::fprintf(stderr, "\n");
    std::exit(2);
  }

  const std::string program_;
  std::map<std::string, std::string> values_;
};

}  // namespace lapse::bench
