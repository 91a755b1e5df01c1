// Numbers about the running server, readable as Prometheus text. A metric is made once and kept by whoever counts; the
// registry only prints.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace lapse {

enum class MetricType { kCounter, kGauge };

// One name with all its samples, made when somebody asks.
struct MetricFamily {
  struct Sample {
    std::string labels;  // the text between the braces, ready made (MetricLabel)
    double value = 0;
  };

  std::string name;
  std::string help;
  MetricType type = MetricType::kGauge;
  std::vector<Sample> samples = {};
};

// `name="value"`, with whatever stands in the value escaped.
std::string MetricLabel(std::string_view name, std::string_view value);

// Threads: any.
class Counter {
 public:
  void Add(int64_t amount = 1) { value_.fetch_add(amount, std::memory_order_relaxed); }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

// Threads: any. Owns: its counters; they live as long as the registry.
class MetricsRegistry {
 public:
  // `labels` is the text between the braces, ready made: `code="404"`.
  Counter& AddCounter(std::string_view name, std::string_view help, std::string_view labels = "");
  // Asked for its value whenever the text is made.
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
    Counter counter;
    std::function<int64_t()> read;  // empty for counters
  };

  // What is held here, without the collectors' families.
  void AppendEntries(std::vector<MetricFamily>* families) const;

  mutable std::mutex mutex_;
  std::deque<Entry> entries_;          // guarded by mutex_; a deque, so that counters stay where they are
  std::vector<Collector> collectors_;  // guarded by mutex_
};

}  // namespace lapse
