#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <array>
#include <memory>

#include "base/ascii.h"
#include "base/hex.h"

namespace lapse {
namespace {

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace: return spdlog::level::trace;
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarn: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
    case LogLevel::kOff: return spdlog::level::off;
  }
  return spdlog::level::info;
}

spdlog::logger& Logger() {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    auto made = std::make_shared<spdlog::logger>("lapse", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    return made;
  }();
  return *logger;
}

bool NeedsQuotes(std::string_view text) {
  if (text.empty()) return true;
  for (const char c : text) {
    if (IsControl(c) || c == ' ' || c == '"' || c == '=') return true;
  }
  return false;
}

// Values may contain what a client sent. Its control characters must not forge a log line.
void AppendValue(std::string* line, std::string_view value) {
  if (!NeedsQuotes(value)) {
    line->append(value);
    return;
  }
  line->push_back('"');
  for (const char c : value) {
    if (IsControl(c)) {
      line->append("\\x").append({kLowerHexDigits[c >> 4], kLowerHexDigits[c & 15]});
      continue;
    }
    if (c == '"' || c == '\\') line->push_back('\\');
    line->push_back(c);
  }
  line->push_back('"');
}

}  // namespace

bool ParseLogLevel(std::string_view text, LogLevel* level) {
  constexpr std::array<std::pair<std::string_view, LogLevel>, 6> kNames = {{{"trace", LogLevel::kTrace},
                                                                            {"debug", LogLevel::kDebug},
                                                                            {"info", LogLevel::kInfo},
                                                                            {"warn", LogLevel::kWarn},
                                                                            {"error", LogLevel::kError},
                                                                            {"off", LogLevel::kOff}}};
  for (const auto& [name, value] : kNames) {
    if (name == text) {
      *level = value;
      return true;
    }
  }
  return false;
}

void SetLogLevel(LogLevel level) {
  Logger().set_level(ToSpdlog(level));
}

void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (!Logger().should_log(ToSpdlog(level))) return;
  std::string line(event);
  for (const LogField& field : fields) {
    line.push_back(' ');
    line.append(field.key);
    line.push_back('=');
    AppendValue(&line, field.value);
  }
  Logger().log(ToSpdlog(level), line);
}

}  // namespace lapse
