// Numbers about the running server, readable as Prometheus text. A metric is made once and kept by whoever counts; the
// registry only prints.
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

// One name with all its samples, made when somebody asks.
struct MetricFamily {
  struct Sample {
    std::string labels;  // the text between the braces, ready made (MetricLabel)
    double value = 0;
    std::string_view suffix = {};  // of the family's name: what the parts of a histogram are told apart by
  };

  std::string name;
  std::string help;
  MetricType type = MetricType::kGauge;
  std::vector<Sample> samples = {};
};

// `name="value"`, with whatever stands in the value escaped. The format has no escapes for control characters other
// than the end of a line: those are shown as JSON writes them (\\u001b), so that no terminal and no line is broken by a
// name.
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
  // `labels` is the text between the braces, ready made: `code="404"`.
  Counter& AddCounter(std::string_view name, std::string_view help, std::string_view labels = "");
  // Of durations, in seconds.
  Histogram& AddHistogram(std::string_view name, std::string_view help, std::string_view labels = "");
  // Counted elsewhere: asked for its value whenever the text is made, and must not block.
  void AddCounterOf(std::string_view name, std::string_view help, std::function<int64_t()> read);
  // Asked for its value whenever the text is made; must not block.
  void AddGauge(std::string_view name, std::string_view help, std::function<int64_t()> read,
                std::string_view labels = "");
  // Asked for whole families whenever the text is made: for what comes and goes, such as containers. No family may
  // have the name of another metric. May block, and runs on the thread that makes the text.
  using Collector = std::function<std::vector<MetricFamily>()>;
  void AddCollector(Collector collect);

  std::string PrometheusText() const;

 private:
  struct Entry {
    std::string name, help, labels;
    MetricType type = MetricType::kCounter;
    Counter counter;
    std::function<int64_t()> read;         // empty: `counter` has the value
    std::unique_ptr<Histogram> histogram;  // of that type alone
  };

  // The lock must be held.
  Entry& Add(MetricType type, std::string_view name, std::string_view help, std::string_view labels);

  // What is held here, without the collectors' families.
  void AppendEntries(std::vector<MetricFamily>* families) const;

  mutable std::mutex mutex_;
  std::deque<Entry> entries_;          // guarded by mutex_; a deque, so that counters stay where they are
  std::vector<Collector> collectors_;  // guarded by mutex_
};

}  // namespace lapse
