// Metrics of the running server as Prometheus text. The component that counts creates its metrics once and keeps them.
// The registry only prints them.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/histogram.h"

namespace lapse {

enum class MetricType { kCounter, kGauge, kHistogram };

// One metric name with all its samples, created on demand.
struct MetricFamily {
  struct Sample {
    std::string labels;  // the text between the braces, already formatted (MetricLabel)
    double value = 0;
    std::string_view suffix = {};  // appended to the family's name, for the parts of a histogram
  };

  std::string name;
  std::string help;
  MetricType type = MetricType::kGauge;
  std::vector<Sample> samples = {};
};

// Returns `name="value"` with the value escaped. The format has no escapes for control characters other than newline.
// Those are written as in JSON (\\u001b), so that a name can break neither a terminal nor a line.
std::string MetricLabel(std::string_view name, std::string_view value);

// Threads: any.
class Counter {
 public:
  void Add(int64_t amount = 1) { value_.fetch_add(amount, std::memory_order_relaxed); }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

// Threads: any. Owns: its counters and histograms; they live as long as the registry.
class MetricsRegistry {
 public:
  // `labels` is the text between the braces, already formatted: `code="404"`.
  Counter& AddCounter(std::string_view name, std::string_view help, std::string_view labels = "");
  // A histogram of durations, in seconds.
  Histogram& AddHistogram(std::string_view name, std::string_view help, std::string_view labels = "");
  // A counter kept elsewhere. `read` is called for each rendering and must not block.
  void AddCounterOf(std::string_view name, std::string_view help, std::function<int64_t()> read);
  // `read` is called for each rendering and must not block.
  void AddGauge(std::string_view name, std::string_view help, std::function<int64_t()> read,
                std::string_view labels = "");
  // Returns whole families for each rendering, for metrics that come and go, such as those of containers. No family may
  // share the name of another metric. A collector may block, and runs on the rendering thread.
  using Collector = std::function<std::vector<MetricFamily>()>;
  void AddCollector(Collector collect);

  std::string PrometheusText() const;

 private:
  struct Entry {
    std::string name, help, labels;
    MetricType type = MetricType::kCounter;
    Counter counter;
    std::function<int64_t()> read;         // empty: the value is in `counter`
    std::unique_ptr<Histogram> histogram;  // for histograms only
  };

  // Requires mutex_.
  Entry& Add(MetricType type, std::string_view name, std::string_view help, std::string_view labels);

  // Appends the registry's own metrics, without the collectors' families.
  void AppendEntries(std::vector<MetricFamily>* families) const;

  mutable std::mutex mutex_;
  std::deque<Entry> entries_;          // guarded by mutex_; a deque, so that counters do not move
  std::vector<Collector> collectors_;  // guarded by mutex_
};

}  // namespace lapse
