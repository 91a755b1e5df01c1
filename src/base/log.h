// Structured logs: an event and its fields, one line each, `time level event key=value ...`, to standard error.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace lapse {

enum class LogLevel { kTrace, kDebug, kInfo, kWarn, kError, kOff };

bool ParseLogLevel(std::string_view text, LogLevel* level);
void SetLogLevel(LogLevel level);

struct LogField {
  LogField(std::string_view field_key, std::string_view field_value) : key(field_key), value(field_value) {}
  LogField(std::string_view field_key, const char* field_value) : key(field_key), value(field_value) {}
  LogField(std::string_view field_key, bool field_value) : key(field_key), value(field_value ? "true" : "false") {}
  template <std::integral T>
  LogField(std::string_view field_key, T field_value) : key(field_key), value(std::to_string(field_value)) {}

  std::string_view key;
  std::string value;
};

void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});

}  // namespace lapse
