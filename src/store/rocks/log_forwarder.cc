#include "store/rocks/log_forwarder.h"

#include <rocksdb/env.h>

#include <cstdarg>
#include <cstdio>
#include <string_view>

#include "base/log.h"

namespace lapse::store {
namespace {

class LogForwarder : public rocksdb::Logger {
 public:
  LogForwarder() : Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}

  // Drops the list of all options, logged at every open.
  void LogHeader(const char*, va_list) override {}

  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < GetInfoLogLevel()) return;
    const bool error = level >= rocksdb::InfoLogLevel::ERROR_LEVEL;
    Forward(error ? LogLevel::kError : LogLevel::kWarn, format, arguments);
  }

  void Logv(const char* format, va_list arguments) override { Forward(LogLevel::kWarn, format, arguments); }

 private:
  static void Forward(LogLevel level, const char* format, va_list arguments) {
    char text[1024];
    if (std::vsnprintf(text, sizeof(text), format, arguments) < 0) return;
    std::string_view line = text;
    if (line.ends_with('\n')) line.remove_suffix(1);
    Log(level, "rocksdb", {{"text", line}});
  }
};

}  // namespace

std::shared_ptr<rocksdb::Logger> NewLogForwarder() {
  return std::make_shared<LogForwarder>();
}

}  // namespace lapse::store
