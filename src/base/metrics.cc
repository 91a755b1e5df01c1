#include "base/metrics.h"

#include <utility>

namespace lapse {

Counter& MetricsRegistry::AddCounter(std::string_view name, std::string_view help, std::string_view labels) {
  std::lock_guard lock(mutex_);
  Entry& entry = entries_.emplace_back();
  entry.name = name;
  entry.help = help;
  entry.labels = labels;
  return entry.counter;
}

void MetricsRegistry::AddGauge(std::string_view name, std::string_view help, std::function<int64_t()> read,
                               std::string_view labels) {
  std::lock_guard lock(mutex_);
  Entry& entry = entries_.emplace_back();
  entry.name = name;
  entry.help = help;
  entry.labels = labels;
  entry.read = std::move(read);
}

std::string MetricsRegistry::PrometheusText() const {
  std::lock_guard lock(mutex_);
  std::string text;
  std::string_view previous;
  for (const Entry& entry : entries_) {
    if (entry.name != previous) {
      text.append("# HELP ").append(entry.name).append(" ").append(entry.help).append("\n");
      text.append("# TYPE ").append(entry.name).append(entry.read ? " gauge\n" : " counter\n");
      previous = entry.name;
    }
    text.append(entry.name);
    if (!entry.labels.empty()) text.append("{").append(entry.labels).append("}");
    int64_t value = entry.read ? entry.read() : entry.counter.value();
    text.append(" ").append(std::to_string(value)).append("\n");
  }
  return text;
}

}  // namespace lapse
