#include "api/admin/stats_report.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "api/admin/parameters.h"
#include "api/admin/stats_json.h"
#include "api/invalid.h"
#include "doc/writer.h"
#include "engine/catalog/counts/census.h"

namespace lapse::api::admin {
namespace {

constexpr std::string_view kStatsParameters[] = {"max", "after", "database"};
constexpr int64_t kMinute_ms = 60'000;
constexpr int64_t kHour_ms = 60 * kMinute_ms;

// Names contain no slash.
std::string PlaceText(const NamedContainer& named) {
  return named.database->name + "/" + named.name;
}

Result<StatsQuestion::Place> ParsePlace(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return Invalid("after must be what 'next' of the page before said");
  return StatsQuestion::Place{text.substr(0, slash), text.substr(slash + 1)};
}

bool IsBehind(const NamedContainer& named, const StatsQuestion::Place& place) {
  return std::tie(named.database->name, named.name) > std::tie(place.database, place.container);
}

Status AppendOutlook(const engine::Census& census, doc::Writer* writer) {
  writer->BeginObject("expiring");
  LAPSE_ASSIGN_OR_RETURN(const engine::Count minute, census.ExpiringUntil(census.now_ms() + kMinute_ms));
  LAPSE_ASSIGN_OR_RETURN(const engine::Count hour, census.ExpiringUntil(census.now_ms() + kHour_ms));
  AppendCount("minute", minute, writer);
  AppendCount("hour", hour, writer);
  writer->End();
  return AppendNextExpiry(census, writer);
}

// Returns the document of one container.
Result<std::string> DescribeContainer(const NamedContainer& named) {
  const engine::Census census = engine::Census(*named.container);
  LAPSE_ASSIGN_OR_RETURN(const NamedStats of, ReadNamedStats(named, census));
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  writer.AppendString("database", of.database);
  writer.AppendString("container", of.container);
  AppendDefaultTtl(of.default_ttl, &writer);
  AppendStats(of.stats, &writer);
  LAPSE_RETURN_IF_ERROR(AppendOutlook(census, &writer));
  AppendRequestUnits(of.request_units, &writer);
  writer.End();
  return document;
}

}  // namespace

Result<StatsQuestion> ParseStatsQuestion(std::string_view query) {
  LAPSE_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Parse(query, kStatsParameters));
  StatsQuestion question;
  if (const auto max = parameters.Find("max")) {
    const std::optional<int64_t> number = ParseWholeNumber(*max);
    if (!number || *number < 1 || *number > static_cast<int64_t>(kReportedContainersMax)) {
      return Invalid("max must be 1 to " + std::to_string(kReportedContainersMax));
    }
    question.containers_max = static_cast<size_t>(*number);
  }
  if (const auto after = parameters.Find("after")) {
    LAPSE_ASSIGN_OR_RETURN(question.after, ParsePlace(*after));
  }
  question.database = parameters.Find("database");
  return question;
}

Result<std::string> ReportStats(const StatsQuestion& question, const ReportMoment& moment,
                                const engine::CatalogView* catalog) {
  if (question.database) LAPSE_RETURN_IF_ERROR(catalog->FindDatabase(*question.database).status());
  std::vector<NamedContainer> all = ListContainers(catalog);
  std::erase_if(all, [&](const NamedContainer& named) {
    return question.database && named.database->name != *question.database;
  });
  const size_t existing = all.size();
  std::erase_if(all, [&](const NamedContainer& named) { return question.after && !IsBehind(named, *question.after); });
  const size_t taken = std::min(all.size(), question.containers_max);

  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  AppendMoment(moment, &writer);
  writer.AppendBool("clock_held", moment.clock_held);
  writer.BeginArray("containers");
  int number = 0;
  for (size_t i = 0; i < taken; ++i) {
    // A container that cannot be read now, or was dropped meanwhile, is left out.
    if (Result<std::string> one = DescribeContainer(all[i]); one.ok()) {
      writer.AppendDocument(std::to_string(number++), *one);
    }
  }
  writer.End();
  writer.AppendInteger("left_out", static_cast<int64_t>(all.size()) - number);
  writer.AppendInteger("existing", static_cast<int64_t>(existing));
  if (taken < all.size()) {
    writer.AppendString("next", PlaceText(all[taken - 1]));
  } else {
    writer.AppendNull("next");
  }
  writer.End();
  return document;
}

}  // namespace lapse::api::admin
