#include "base/metrics.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "base/ascii.h"
#include "base/hex.h"
#include "base/utf8.h"

namespace lapse {
namespace {

constexpr double kSecond_us = 1e6;

// Writes whole numbers without a point, and never an exponent.
void AppendNumber(double value, std::string* text) {
  char buffer[512];  // the longest double without an exponent has 309 digits before its point
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::fixed);
  text->append(buffer, error == std::errc() ? end : buffer);
}

std::string_view TypeName(MetricType type) {
  switch (type) {
    case MetricType::kCounter: return "counter";
    case MetricType::kGauge: return "gauge";
    case MetricType::kHistogram: return "histogram";
  }
  return "untyped";
}

std::string WithBound(const std::string& labels, std::string_view bound) {
  std::string all = labels;
  if (!all.empty()) all.push_back(',');
  return all.append("le=\"").append(bound).append("\"");
}

void AppendHistogram(const std::string& labels, const Histogram& histogram,
                     std::vector<MetricFamily::Sample>* samples) {
  const Histogram::Reading reading = histogram.Read();
  for (size_t step = 0; step < reading.up_to.size(); ++step) {
    std::string bound_s;
    AppendNumber(static_cast<double>(Histogram::kBounds_us[step]) / kSecond_us, &bound_s);
    samples->push_back({WithBound(labels, bound_s), static_cast<double>(reading.up_to[step]), "_bucket"});
  }
  samples->push_back({WithBound(labels, "+Inf"), static_cast<double>(reading.count), "_bucket"});
  samples->push_back({labels, reading.sum_s, "_sum"});
  samples->push_back({labels, static_cast<double>(reading.count), "_count"});
}

void AppendFamily(const MetricFamily& family, std::string* text) {
  text->append("# HELP ").append(family.name).append(" ").append(family.help).append("\n");
  text->append("# TYPE ").append(family.name).append(" ").append(TypeName(family.type)).append("\n");
  for (const MetricFamily::Sample& sample : family.samples) {
    text->append(family.name).append(sample.suffix);
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
  const auto show = [&label](char control) {
    const auto code = static_cast<unsigned char>(control);
    label.append("\\\\u00").append(1, kLowerHexDigits[code >> 4]).append(1, kLowerHexDigits[code & 0xF]);
  };
  for (size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == '\\' || c == '"') label.push_back('\\');
    if (c == '\n') {
      label.append("\\n");
    } else if (IsControl(c)) {
      show(c);
    } else if (BeginsHighControl(value.substr(i))) {
      show(value[++i]);
    } else {
      label.push_back(c);
    }
  }
  return label.append("\"");
}

MetricsRegistry::Entry& MetricsRegistry::Add(MetricType type, std::string_view name, std::string_view help,
                                             std::string_view labels) {
  Entry& entry = entries_.emplace_back();
  entry.name = name;
  entry.help = help;
  entry.labels = labels;
  entry.type = type;
  return entry;
}

Counter& MetricsRegistry::AddCounter(std::string_view name, std::string_view help, std::string_view labels) {
  std::lock_guard lock(mutex_);
  return Add(MetricType::kCounter, name, help, labels).counter;
}

Histogram& MetricsRegistry::AddHistogram(std::string_view name, std::string_view help, std::string_view labels) {
  std::lock_guard lock(mutex_);
  Entry& entry = Add(MetricType::kHistogram, name, help, labels);
  entry.histogram = std::make_unique<Histogram>();
  return *entry.histogram;
}

void MetricsRegistry::AddCounterOf(std::string_view name, std::string_view help, std::function<int64_t()> read) {
  std::lock_guard lock(mutex_);
  Add(MetricType::kCounter, name, help, "").read = std::move(read);
}

void MetricsRegistry::AddGauge(std::string_view name, std::string_view help, std::function<int64_t()> read,
                               std::string_view labels) {
  std::lock_guard lock(mutex_);
  Add(MetricType::kGauge, name, help, labels).read = std::move(read);
}

void MetricsRegistry::AddCollector(Collector collect) {
  std::lock_guard lock(mutex_);
  collectors_.push_back(std::move(collect));
}

// All samples of a name must be adjacent, whatever the order in which they were added.
void MetricsRegistry::AppendEntries(std::vector<MetricFamily>* families) const {
  std::lock_guard lock(mutex_);
  std::map<std::string_view, size_t> places;
  for (const Entry& entry : entries_) {
    auto [place, is_new] = places.emplace(entry.name, families->size());
    if (is_new) {
      families->push_back({.name = entry.name, .help = entry.help, .type = entry.type});
    }
    if (entry.histogram != nullptr) {
      AppendHistogram(entry.labels, *entry.histogram, &(*families)[place->second].samples);
      continue;
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
  // Not under the lock: a collector may be slow.
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
