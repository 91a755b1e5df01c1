#include "base/metrics.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace lapse {
namespace {

TEST(MetricsTest, EmptyRegistryHasNoText) {
  EXPECT_EQ(MetricsRegistry().PrometheusText(), "");
}

TEST(MetricsTest, PrintsCountersAndGauges) {
  MetricsRegistry registry;
  Counter& reads = registry.AddCounter("lapse_reads_total", "Point reads");
  int64_t items = 3;
  registry.AddGauge("lapse_items", "Items held", [&items] { return items; });
  reads.Add();
  reads.Add(4);
  items = -2;
  EXPECT_EQ(registry.PrometheusText(),
            "# HELP lapse_items Items held\n"
            "# TYPE lapse_items gauge\n"
            "lapse_items -2\n"
            "# HELP lapse_reads_total Point reads\n"
            "# TYPE lapse_reads_total counter\n"
            "lapse_reads_total 5\n");
}

TEST(MetricsTest, OneHeadForAllLabelsOfAName) {
  MetricsRegistry registry;
  registry.AddCounter("answers_total", "Answers", "code=\"200\"").Add(2);
  registry.AddCounter("answers_total", "Answers", "code=\"404\"");
  EXPECT_EQ(registry.PrometheusText(),
            "# HELP answers_total Answers\n"
            "# TYPE answers_total counter\n"
            "answers_total{code=\"200\"} 2\n"
            "answers_total{code=\"404\"} 0\n");
}

TEST(MetricsTest, CollectorsAreAskedEachTime) {
  MetricsRegistry registry;
  registry.AddCounter("b_total", "B").Add(2);
  double spent = 0.125;
  registry.AddCollector([&spent] {
    return std::vector<MetricFamily>{{.name = "c_total",
                                      .help = "C",
                                      .type = MetricType::kCounter,
                                      .samples = {{"of=\"x\"", spent}, {"of=\"y\"", 1e18}}},
                                     {.name = "a", .help = "A", .type = MetricType::kGauge, .samples = {{"", -3}}}};
  });
  const std::string first_part =
      "# HELP a A\n"
      "# TYPE a gauge\n"
      "a -3\n"
      "# HELP b_total B\n"
      "# TYPE b_total counter\n"
      "b_total 2\n"
      "# HELP c_total C\n"
      "# TYPE c_total counter\n";
  EXPECT_EQ(registry.PrometheusText(), first_part + "c_total{of=\"x\"} 0.125\nc_total{of=\"y\"} 1000000000000000000\n");
  spent = 7;
  EXPECT_EQ(registry.PrometheusText(), first_part + "c_total{of=\"x\"} 7\nc_total{of=\"y\"} 1000000000000000000\n");
}

TEST(MetricsTest, LabelsAreEscaped) {
  EXPECT_EQ(MetricLabel("database", "app"), "database=\"app\"");
  EXPECT_EQ(MetricLabel("name", "a\"b\\c\nd"), R"(name="a\"b\\c\nd")");
}

TEST(MetricsTest, ControlCharactersInLabelsAreShown) {
  EXPECT_EQ(MetricLabel("name", std::string_view("a\x1b[2J\r\t\x7f\0z", 10)),
            R"(name="a\\u001b[2J\\u000d\\u0009\\u007f\\u0000z")");
  EXPECT_EQ(MetricLabel("name",
                        "a\xC2\x9B"
                        "2J\xC2\x80\xC2\xA0\xC2"),
            "name=\"a\\\\u009b"
            "2J\\\\u0080\xC2\xA0\xC2\"");
  EXPECT_EQ(MetricLabel("name", "größe"), "name=\"größe\"");
}

TEST(MetricsTest, PrintsHistograms) {
  MetricsRegistry registry;
  Histogram& reads = registry.AddHistogram("took_seconds", "Took", "operation=\"read\"");
  registry.AddHistogram("took_seconds", "Took", "operation=\"write\"");
  reads.Record(200'000);
  reads.Record(1'500'000'000);
  const std::string text = registry.PrometheusText();
  EXPECT_EQ(text.find("# HELP took_seconds Took\n"
                      "# TYPE took_seconds histogram\n"
                      "took_seconds_bucket{operation=\"read\",le=\"0.0001\"} 0\n"
                      "took_seconds_bucket{operation=\"read\",le=\"0.00025\"} 1\n"),
            0U)
      << text;
  for (const char* line :
       {"took_seconds_bucket{operation=\"read\",le=\"1\"} 1\n",
        "took_seconds_bucket{operation=\"read\",le=\"2.5\"} 2\n",
        "took_seconds_bucket{operation=\"read\",le=\"10\"} 2\n",
        "took_seconds_bucket{operation=\"read\",le=\"+Inf\"} 2\n", "took_seconds_sum{operation=\"read\"} 1.5002\n",
        "took_seconds_count{operation=\"read\"} 2\n", "took_seconds_count{operation=\"write\"} 0\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
  EXPECT_EQ(text.find("# TYPE", text.find("# TYPE") + 1), std::string::npos);
}

TEST(MetricsTest, WhatIsCountedElsewhereIsACounter) {
  MetricsRegistry registry;
  registry.AddCounterOf("failures_total", "Failures", [] { return 4; });
  EXPECT_EQ(registry.PrometheusText(),
            "# HELP failures_total Failures\n# TYPE failures_total counter\nfailures_total 4\n");
}

TEST(MetricsTest, CountersStayWhereTheyAre) {
  MetricsRegistry registry;
  Counter& first = registry.AddCounter("first", "First");
  for (int i = 0; i < 1000; ++i) registry.AddCounter("other", "Other", "n=\"" + std::to_string(i) + "\"");
  first.Add(9);
  EXPECT_NE(registry.PrometheusText().find("\nfirst 9\n"), std::string::npos);
}

TEST(MetricsTest, CountsFromManyThreads) {
  Counter counter;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&counter] {
      for (int j = 0; j < 1000; ++j) counter.Add();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter.value(), 4000);
}

}  // namespace
}  // namespace lapse
