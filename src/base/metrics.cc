#include "base/metrics.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace lapse {
namespace {

// Whole numbers without a point, and never an exponent: as people read them.
void AppendNumber(double value, std::string* text) {
  char buffer[512];  // the longest double without an exponent has 309 digits before its point
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::fixed);
  text->append(buffer, error == std::errc() ? end : buffer);
}

void AppendFamily(const MetricFamily& family, std::string* text) {
  text->append("# HELP ").append(family.name).append(" ").append(family.help).append("\n");
  text->append("# TYPE ").append(family.name);
  text->append(family.type == MetricType::kCounter ? " counter\n" : " gauge\n");
  for (const MetricFamily::Sample& sample : family.samples) {
    text->append(family.name);
    if (!sample.labels.empty()) text->append("{").append(sample.labels).append("}");
    text->append(" ");
    AppendNumber(sample.value, text);
    text->append("\n");
  }
}

}  // namespace

std::string MetricLabel(std::string_view name, std::string_view value) {
  std::string label(name);
  label.append("=\"");
  for (char c : value) {
    if (c == '\\' || c == '"') label.push_back('\\');
    if (c == '\n') {
      label.append("\\n");
    } else {
      label.push_back(c);
    }
  }
  return label.append("\"");
}

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

void MetricsRegistry::AddCollector(Collector collect) {
  std::lock_guard lock(mutex_);
  collectors_.push_back(std::move(collect));
}

// All samples of a name stand together, in whatever order they were added.
void MetricsRegistry::AppendEntries(std::vector<MetricFamily>* families) const {
  std::lock_guard lock(mutex_);
  std::map<std::string_view, size_t> places;
  for (const Entry& entry : entries_) {
    auto [place, is_new] = places.emplace(entry.name, families->size());
    if (is_new) {
      families->push_back(
          {.name = entry.name, .help = entry.help, .type = entry.read ? MetricType::kGauge : MetricType::kCounter});
    }
    int64_t value = entry.read ? entry.read() : entry.counter.value();
    (*families)[place->second].samples.push_back({entry.labels, static_cast<double>(value)});
  }
}

std::string MetricsRegistry::PrometheusText() const {
  std::vector<MetricFamily> families;
  AppendEntries(&families);
  std::vector<Collector> collectors;
  {
    std::lock_guard lock(mutex_);
    collectors = collectors_;
  }
  // Without the lock: a collector may take its time.
  for (const Collector& collect : collectors) {
    for (MetricFamily& family : collect()) families.push_back(std::move(family));
  }
  std::sort(families.begin(), families.end(),
            [](const MetricFamily& a, const MetricFamily& b) { return a.name < b.name; });
  std::string text;
  for (const MetricFamily& family : families) AppendFamily(family, &text);
  return text;
}

}  // namespace lapse
