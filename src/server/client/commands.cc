#include "server/client/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/calendar.h"
#include "base/clock.h"
#include "doc/json.h"
#include "doc/writer.h"
#include "server/client/check_directory.h"
#include "server/client/reports.h"
#include "server/client/reset_clock.h"
#include "server/client/session.h"
#include "server/client/ttl_path.h"
#include "server/client/views.h"
#include "server/spelling.h"
#include "server/usage_text.h"
#include "server/version.h"
#include "ttl/ttl_value.h"

namespace lapse::server::client {
namespace {

constexpr std::string_view kTryHelp = "\nTry 'lapse --help'.";
constexpr std::string_view kFooter =
    "A server with --tls auto has made its certificate itself. Fetch it on its own machine, or from its data "
    "directory\n"
    "(tls-cert.pem), and trust it:\n"
    "  curl -s http://127.0.0.1:8081/_explorer/emulator.pem > lapse.pem\n"
    "  lapse --endpoint https://127.0.0.1:8081 --ca lapse.pem health\n"
    "Programs in Node trust it with NODE_EXTRA_CA_CERTS=lapse.pem in their environment.\n";
constexpr int64_t kIntervalMin_ms = 100;
constexpr int64_t kIntervalMax_ms = 86'400'000;
constexpr int64_t kCountMax = 1'000'000'000;

struct Arguments {
  ServerAddress server;
  std::string database;
  std::string container;
  std::string what_if;
  std::string horizon;
  bool all = false;
  std::string query;
  bool json = false;
  std::string interval = "1s";
  int64_t count = 0;
  std::string advance;
  int64_t set_s = 0;
  std::string data_dir;
  bool yes = false;
};

std::string DateOf(int64_t unix_ms) {
  return Rfc1123Date(unix_ms / 1000);
}

// Describes what resetting the clock from one time to another does to the items.
std::string Consequence(std::optional<int64_t> from_ms, int64_t to_ms) {
  if (!from_ms) {
    return "the clock file is damaged and store time is lost, the wall clock says " + DateOf(to_ms) +
           ": going by it brings items back to life that expired later than that, if there are any";
  }
  int64_t back_s = (*from_ms - to_ms) / 1000;
  std::string text = "store time stands at " + DateOf(*from_ms) + ", the wall clock says " + DateOf(to_ms) + ": ";
  if (back_s > 0)
    return text + "going back " + std::to_string(back_s) + " s brings items that expired since back to life";
  return text + "going forward " + std::to_string(-back_s) + " s lets all items expire that were to expire by then";
}

int ResetClock(const Arguments& arguments, Session* session) {
  Result<OfflineClock> clock = OfflineClock::Open(arguments.data_dir);
  if (!clock.ok()) return session->Fail(clock.status().message());
  int64_t wall_ms = RealWallClock().NowMs();
  std::string consequence = Consequence(clock->now_ms(), wall_ms);
  if (!arguments.yes) return session->Misuse(consequence + ".\nNothing was changed. To do it, give --yes.");
  if (Status reset = clock->Reset(wall_ms); !reset.ok()) return session->Fail(reset.message());
  session->out() << consequence << "\nstore time starts from the wall clock again\n";
  return kDone;
}

template <typename Append>
std::string Document(const Append& append) {
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  append(&writer);
  writer.End();
  return document;
}

// Prints the response unchanged, or formatted by `show`.
template <typename Report>
int PrintReport(const std::string& path, bool as_json, Result<Report> (*parse)(std::string_view),
                std::string (*show)(const Report&, const Report*), Session* session) {
  if (as_json) return session->PrintGet(path);
  int exit_code = kDone;
  std::optional<std::string> body = session->Get(path, &exit_code);
  if (!body) return exit_code;
  Result<Report> report = parse(*body);
  if (!report.ok()) return session->Fail(report.status().message());
  session->out() << show(*report, nullptr);
  return kDone;
}

int PrintTtl(const Arguments& arguments, Session* session) {
  Result<std::string> path = TtlPath(arguments.database, arguments.container, arguments.what_if, arguments.horizon);
  if (!path.ok()) return session->Misuse(path.status().message());
  return PrintReport(*path, arguments.json, &ParseTtlReport, &ShowTtl, session);
}

// Prints all pages as one report. With --json, prints each page unchanged on a line of its own.
int PrintAllStats(const Arguments& arguments, Session* session) {
  StatsReport all;
  std::string after;
  do {
    int exit_code = kDone;
    std::optional<std::string> body = session->Get(StatsPath(after), &exit_code);
    if (!body) return exit_code;
    Result<StatsReport> page = ParseStatsReport(*body);
    if (!page.ok()) return session->Fail(page.status().message());
    if (page->next == after && !after.empty()) return session->Fail("the server gives the same page again and again");
    if (arguments.json) session->out() << *body << "\n";
    page->containers.insert(page->containers.begin(), all.containers.begin(), all.containers.end());
    all = *std::move(page);
    after = all.next;
  } while (!after.empty());
  if (!arguments.json) session->out() << ShowStats(all);
  return kDone;
}

int PrintExplanation(const Arguments& arguments, Session* session) {
  const std::string request = Document([&](doc::Writer* writer) {
    writer->AppendString("database", arguments.database);
    writer->AppendString("container", arguments.container);
    writer->AppendString("query", arguments.query);
  });
  if (arguments.json) return session->PrintPost("/_lapse/explain", request);
  int exit_code = kDone;
  const std::optional<std::string> body = session->Post("/_lapse/explain", request, &exit_code);
  if (!body) return exit_code;
  Result<ExplanationReport> report = ParseExplanation(*body);
  if (!report.ok()) return session->Fail(report.status().message());
  session->out() << ShowExplanation(*report);
  return kDone;
}

int PrintStats(const Arguments& arguments, Session* session) {
  if (arguments.all) return PrintAllStats(arguments, session);
  return PrintReport(StatsPath(), arguments.json, &ParseStatsReport, &ShowStats, session);
}

int WatchContainers(const Arguments& arguments, const Console& console, Session* session) {
  WatchOptions options;
  options.count = arguments.count;
  options.is_single = !arguments.database.empty();
  options.path = StatsPath();
  if (options.is_single) {
    Result<std::string> path = TtlPath(arguments.database, arguments.container, "");
    if (!path.ok()) return session->Misuse("name both the database and the container, or neither");
    options.path = *path;
  }
  Result<int64_t> interval_ms = ttl::ParseDurationMs(arguments.interval);
  if (!interval_ms.ok() || *interval_ms < kIntervalMin_ms || *interval_ms > kIntervalMax_ms) {
    return session->Misuse("--interval takes 100ms to 1d");
  }
  options.interval_ms = *interval_ms;
  return Watch(options, console, session);
}

std::string Switch(std::string_view name) {
  return Document([&](doc::Writer* writer) { writer->AppendBool(name, true); });
}

void DeclareReports(CLI::App* app, Arguments* arguments, const Console& console, Session* session, int* exit_code) {
  CLI::App* ttl = app->add_subcommand("ttl", "One container: what lives, what has expired, what will and what would");
  ttl->add_option("database", arguments->database, "The name of its database")->type_name("DB")->required();
  ttl->add_option("container", arguments->container, "Its name")->type_name("CONTAINER")->required();
  ttl->add_option("--what-if", arguments->what_if,
                  "How many items would expire at once with this default, and how many would have another deadline: "
                  "seconds, 30d, -1 or off. Changes nothing")
      ->type_name("TTL")
      ->check(CLI::Validator([](std::string& text) { return text.empty() ? "must not be empty" : ""; }, ""));
  ttl->add_option("--forecast", arguments->horizon, "When items will expire, in steps, within the next minute to month")
      ->type_name("HORIZON")
      ->check(CLI::IsMember({"minute", "hour", "day", "week", "month"}));
  ttl->add_flag("--json", arguments->json, "Print the server's answer as it is");
  ttl->callback([=] { *exit_code = PrintTtl(*arguments, session); });

  CLI::App* explain = app->add_subcommand("explain", "What the server would do for a query, and by which indexes");
  explain->add_option("database", arguments->database, "The name of its database")->type_name("DB")->required();
  explain->add_option("container", arguments->container, "Its name")->type_name("CONTAINER")->required();
  explain->add_option("query", arguments->query, "SELECT ..., without parameters")->type_name("QUERY")->required();
  explain->add_flag("--json", arguments->json, "Print the server's answer as it is");
  explain->callback([=] { *exit_code = PrintExplanation(*arguments, session); });

  CLI::App* stats = app->add_subcommand("stats", "All containers: live, expired and purged items");
  stats->add_flag("--all", arguments->all, "More than the first 500, page by page");
  stats->add_flag("--json", arguments->json, "Print the server's answer as it is");
  stats->callback([=] { *exit_code = PrintStats(*arguments, session); });

  CLI::App* watch = app->add_subcommand("watch", "The same again and again: all containers, or one");
  watch->add_option("database", arguments->database, "With a container: that one alone")->type_name("DB");
  watch->add_option("container", arguments->container, "Its name")->type_name("CONTAINER");
  watch->add_option("--interval", arguments->interval, "How long from one look to the next")
      ->type_name("DURATION")
      ->capture_default_str();
  watch->add_option("--count", arguments->count, "Look so many times; without it, until it is stopped")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, kCountMax));
  watch->callback([=, &console] { *exit_code = WatchContainers(*arguments, console, session); });
}

void DeclareClock(CLI::App* app, Arguments* arguments, Session* session, int* exit_code) {
  CLI::App* clock =
      app->add_subcommand("clock", "Store time: look, repair, and move it in tests")->require_subcommand(1);
  auto post = [=](const std::string& document) { *exit_code = session->PrintPost("/_lapse/clock", document); };

  clock->add_subcommand("show", "Print store time, and whether it is the test clock's")->callback([=] {
    *exit_code = session->PrintGet("/_lapse/clock");
  });
  clock->add_subcommand("accept", "Follow a wall clock that jumped ahead")->callback([=] {
    *exit_code = session->PrintPost("/_lapse/clock/accept", Document([](doc::Writer*) {}));
  });

  CLI::App* reset = clock->add_subcommand(
      "reset", "Set store time to the wall clock, in a directory no server uses. Going back revives expired items");
  reset->add_option("--data-dir", arguments->data_dir, "The server's data directory")->type_name("DIR")->required();
  reset->add_flag("--yes", arguments->yes, "Do it: without this, only say what it would do");
  reset->callback([=] { *exit_code = ResetClock(*arguments, session); });

  clock->add_subcommand("freeze", "Stop the test clock")->callback([=] { post(Switch("freeze")); });
  clock->add_subcommand("resume", "Let the test clock run")->callback([=] { post(Switch("resume")); });

  CLI::App* advance = clock->add_subcommand("advance", "Move the test clock forward");
  advance->add_option("duration", arguments->advance, "30d, 1h30m, 90s, or seconds")->required();
  advance->callback(
      [=] { post(Document([&](doc::Writer* writer) { writer->AppendString("advance", arguments->advance); })); });

  CLI::App* set = clock->add_subcommand("set", "Set the test clock; never back");
  set->add_option("unix", arguments->set_s, "Unix time in seconds")->required();
  set->callback([=] { post(Document([&](doc::Writer* writer) { writer->AppendInteger("set", arguments->set_s); })); });
}

void DeclareCheck(CLI::App* app, Arguments* arguments, Session* session, int* exit_code) {
  CLI::App* check = app->add_subcommand(
      "check", "Look at all records and index entries in a data directory no server uses. Changes nothing");
  check->add_option("directory", arguments->data_dir, "The server's data directory")->type_name("DIR")->required();
  check->callback([=] { *exit_code = CheckDirectory(arguments->data_dir, session); });
}

void DeclareKeys(CLI::App* app, Session* session, int* exit_code) {
  CLI::App* keys = app->add_subcommand("keys", "The account's keys")->require_subcommand(1);
  keys->add_subcommand("reload", "Let the server read its keys again, from its configuration file and its key files")
      ->callback([=] { *exit_code = session->PrintPost("/_lapse/keys/reload", Document([](doc::Writer*) {})); });
}

bool IsOption(const std::string& argument) {
  return argument.starts_with('-');
}

// Returns what is wrong with a word in the place of a command, or nothing if there is none.
std::string UnknownCommand(const CLI::App& app) {
  const std::vector<std::string> unknown = app.remaining();
  // Searches within the given command if it has commands of its own.
  const std::vector<CLI::App*> given = app.get_subcommands();
  const CLI::App& within = given.empty() ? app : *given.front();
  const std::vector<const CLI::App*> commands = within.get_subcommands([](const CLI::App*) { return true; });
  if (unknown.empty() || commands.empty() || !within.get_subcommands().empty()) return "";
  // The text after an unknown option may be its value.
  if (std::any_of(unknown.begin(), unknown.end(), IsOption)) return DescribeUnexpected(unknown);
  std::vector<std::string> known;
  for (const CLI::App* command : commands) {
    known.push_back(command->get_name());
  }
  return "there is no command " + QuotedUnlessKey(unknown.front()) + DidYouMean(unknown.front(), known);
}

// Names the missing argument, unless it is there but misspelt.
std::string DescribeMissing(const CLI::App& app, const CLI::RequiredError& error) {
  // A word that is not a command is wrong rather than missing.
  if (std::string unknown = UnknownCommand(app); !unknown.empty()) return unknown;
  const std::vector<std::string> unexpected = app.remaining(/*recurse=*/true);
  return unexpected.empty() ? error.what() : DescribeUnexpected(unexpected);
}

// How the server is reached.
void DeclareServer(CLI::App* app, ServerAddress* server) {
  app->add_option("--endpoint", server->endpoint, "The server, http:// or https://; also LAPSE_ENDPOINT")
      ->type_name("URL")
      ->capture_default_str();
  app->add_option("--key", server->key,
                  "An account key, for a server on another machine and for 'clock accept' and 'keys reload'; also "
                  "LAPSE_ACCOUNT_KEY")
      ->type_name("BASE64");
  app->add_option("--ca", server->ca_file,
                  "Certificates (PEM) to trust an https:// server by, instead of the system's; also LAPSE_CA")
      ->type_name("FILE");
  app->add_flag("--allow-plain-key", server->allow_plain_key,
                "Send the key to another machine without TLS: everybody on the way can read it");
}

void DeclareServerReports(CLI::App* app, Arguments* arguments, Session* session, int* exit_code) {
  CLI::App* health = app->add_subcommand("health", "Is the server serving? Exit code 0 says yes");
  health->add_flag("--json", arguments->json, "Print the server's answer as it is");
  health->callback(
      [=] { *exit_code = PrintReport("/_lapse/health", arguments->json, &ParseHealthReport, &ShowHealth, session); });
  CLI::App* overview = app->add_subcommand("overview", "The whole server: requests, request units, latency, memory");
  overview->add_flag("--json", arguments->json, "Print the server's answer as it is");
  overview->callback([=] {
    *exit_code = PrintReport("/_lapse/overview", arguments->json, &ParseOverviewReport, &ShowOverview, session);
  });
  app->add_subcommand("metrics", "Print the server's metrics")->callback([=] {
    *exit_code = session->PrintGet("/_lapse/metrics");
  });
}

}  // namespace

int RunCommand(int argc, const char* const* argv, const Environment& environment, std::ostream& out, std::ostream& err,
               const Console& console) {
  Arguments arguments;
  arguments.server.endpoint = environment("LAPSE_ENDPOINT").value_or("http://127.0.0.1:8081");
  arguments.server.ca_file = environment("LAPSE_CA").value_or("");
  // A server beyond loopback requires its key.
  arguments.server.key = environment("LAPSE_ACCOUNT_KEY").value_or(std::string(kWellKnownKey));
  int exit_code = 0;
  Session session(arguments.server, out, err);

  CLI::App app("Lapse: the client for those who run a server.", "lapse");
  app.set_version_flag("--version", "lapse " + std::string(kVersion), "Print the version and leave");
  app.set_help_flag("-h,--help", "Print this and leave");
  app.footer(std::string(kFooter));
  DeclareServer(&app, &arguments.server);
  app.fallthrough();
  app.require_subcommand(1);
  DeclareServerReports(&app, &arguments, &session, &exit_code);
  DeclareReports(&app, &arguments, console, &session, &exit_code);
  DeclareClock(&app, &arguments, &session, &exit_code);
  DeclareKeys(&app, &session, &exit_code);
  DeclareCheck(&app, &arguments, &session, &exit_code);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    // Printing help for a command that does not exist would suggest that it does.
    if (std::string unknown = UnknownCommand(app); !unknown.empty()) {
      return session.Misuse(unknown + std::string(kTryHelp));
    }
    out << app.help();
    return session.CheckOutput(kDone);
  } catch (const CLI::CallForVersion&) {
    out << app.version() << "\n";
    return 0;
  } catch (const CLI::RequiredError& error) {
    return session.Misuse(DescribeMissing(app, error) + std::string(kTryHelp));
  } catch (const CLI::ExtrasError&) {
    return session.Misuse(DescribeUnexpected(app.remaining(/*recurse=*/true)) + std::string(kTryHelp));
  } catch (const CLI::Error& error) {
    return session.Misuse(error.what() + std::string(kTryHelp));
  }
  return session.CheckOutput(exit_code);
}

}  // namespace lapse::server::client
