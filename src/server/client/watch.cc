#include "server/client/watch.h"

#include <optional>
#include <string_view>
#include <utility>

#include "server/client/reports.h"
#include "server/client/views.h"

namespace lapse::server::client {
namespace {

constexpr std::string_view kClearScreen = "\x1b[2J";
constexpr std::string_view kHome = "\x1b[H";
constexpr std::string_view kClearToLineEnd = "\x1b[K";
constexpr std::string_view kClearBelow = "\x1b[J";

// Redraws in place, without the flash of an empty screen.
std::string DrawnOver(std::string_view text) {
  std::string drawn(kHome);
  for (char c : text) {
    if (c == '\n') drawn.append(kClearToLineEnd);
    drawn.push_back(c);
  }
  return drawn.append(kClearBelow);
}

// One kind of report: its parser and its two formats.
struct OneContainer {
  using Report = TtlReport;
  static Result<Report> Parse(std::string_view json) { return ParseTtlReport(json); }
  static std::string Block(const Report& report, const Report& earlier) { return ShowTtl(report, &earlier); }
  static std::string Lines(const Report& report, const Report& earlier) { return ShowLine(report, earlier); }
};

struct AllContainers {
  using Report = StatsReport;
  static Result<Report> Parse(std::string_view json) { return ParseStatsReport(json); }
  static std::string Block(const Report& report, const Report& earlier) { return ShowStats(report, &earlier); }
  static std::string Lines(const Report& report, const Report& earlier) { return ShowLines(report, earlier); }
};

template <typename Kind>
int WatchKind(const WatchOptions& options, const Console& console, Session* session) {
  std::optional<typename Kind::Report> earlier;
  for (int64_t round = 0; options.count == 0 || round < options.count; ++round) {
    if (round > 0 && console.wait) console.wait(options.interval_ms);
    int exit_code = kDone;
    std::optional<std::string> body = session->Get(options.path, &exit_code);
    if (!body) return exit_code;
    Result<typename Kind::Report> report = Kind::Parse(*body);
    if (!report.ok()) return session->Fail(report.status().message());
    // The first report is compared with itself: nothing was purged since.
    const typename Kind::Report& before = earlier ? *earlier : *report;
    if (console.is_terminal) {
      session->out() << (round == 0 ? kClearScreen : "") << DrawnOver(Kind::Block(*report, before));
    } else {
      session->out() << Kind::Lines(*report, before);
    }
    if (int written = session->CheckOutput(kDone); written != kDone) return written;
    earlier = *std::move(report);
  }
  return kDone;
}

}  // namespace

int Watch(const WatchOptions& options, const Console& console, Session* session) {
  return options.is_single ? WatchKind<OneContainer>(options, console, session)
                           : WatchKind<AllContainers>(options, console, session);
}

}  // namespace lapse::server::client
