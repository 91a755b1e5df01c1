#include "base/metrics.h"

#include <map>
#include <utility>
#include <vector>

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

// All samples of a name stand together under one HELP and TYPE, in whatever order they were added.
std::string MetricsRegistry::PrometheusText() const {
  std::lock_guard lock(mutex_);
  std::map<std::string_view, std::vector<const Entry*>> by_name;
  for (const Entry& entry : entries_) by_name[entry.name].push_back(&entry);
  std::string text;
  for (const auto& [name, entries] : by_name) {
    text.append("# HELP ").append(name).append(" ").append(entries.front()->help).append("\n");
    text.append("# TYPE ").append(name).append(entries.front()->read ? " gauge\n" : " counter\n");
    for (const Entry* entry : entries) {
      text.append(name);
      if (!entry->labels.empty()) text.append("{").append(entry->labels).append("}");
      int64_t value = entry->read ? entry->read() : entry->counter.value();
      text.append(" ").append(std::to_string(value)).append("\n");
    }
  }
  return text;
}

}  // namespace lapse
