#include "server/client/commands.h"

#include <CLI/CLI.hpp>
#include <string>

#include "base/clock.h"
#include "doc/json.h"
#include "doc/writer.h"
#include "net/http_date.h"
#include "server/client/http_client.h"
#include "server/client/reset_clock.h"
#include "server/version.h"

namespace lapse::server::client {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

struct Arguments {
  std::string endpoint;
  std::string key;
  std::string advance;
  int64_t set_s = 0;
  std::string data_dir;
  bool yes = false;
};

std::string DateOf(int64_t unix_ms) {
  return net::HttpDate(unix_ms / 1000);
}

// What a reset from one time to another does to the items, for people.
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

// Called when its command is the one given; returns the exit code.
class Session {
 public:
  Session(const Arguments& arguments, std::ostream& out, std::ostream& err)
      : arguments_(arguments), out_(out), err_(err) {}

  int Get(const std::string& path) { return Call({.method = "GET", .path = path, .bearer = "", .json = ""}); }

  int Post(const std::string& path, const std::string& document) {
    std::string json;
    doc::ObjectToJson(document, &json);
    return Call({.method = "POST", .path = path, .bearer = "", .json = json});
  }

  int Reset() {
    Result<OfflineClock> clock = OfflineClock::Open(arguments_.data_dir);
    if (!clock.ok()) return Fail(clock.status().message());
    int64_t wall_ms = RealWallClock().NowMs();
    std::string consequence = Consequence(clock->now_ms(), wall_ms);
    if (!arguments_.yes) {
      err_ << "lapse: " << consequence << ".\nNothing was changed. To do it, give --yes.\n";
      return kBadUsage;
    }
    if (Status reset = clock->Reset(wall_ms); !reset.ok()) return Fail(reset.message());
    out_ << consequence << "\nstore time starts from the wall clock again\n";
    return 0;
  }

 private:
  int Call(HttpCall call) {
    Result<Endpoint> endpoint = ParseEndpoint(arguments_.endpoint);
    if (!endpoint.ok()) {
      err_ << "lapse: " << endpoint.status().message() << "\n";
      return kBadUsage;
    }
    call.bearer = arguments_.key;
    Result<HttpReply> reply = Send(*endpoint, call);
    if (!reply.ok()) return Fail(reply.status().message());
    bool good = reply->status == 200;
    (good ? out_ : err_) << reply->body << (reply->body.ends_with('\n') ? "" : "\n");
    return good ? 0 : kFailed;
  }

  int Fail(const std::string& message) {
    err_ << "lapse: " << message << "\n";
    return kFailed;
  }

  const Arguments& arguments_;
  std::ostream& out_;
  std::ostream& err_;
};

template <typename Append>
std::string Document(const Append& append) {
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  append(&writer);
  writer.End();
  return document;
}

std::string Switch(std::string_view name) {
  return Document([&](doc::Writer* writer) { writer->AppendBool(name, true); });
}

void DeclareClock(CLI::App* app, Arguments* arguments, Session* session, int* exit_code) {
  CLI::App* clock =
      app->add_subcommand("clock", "Store time: look, repair, and move it in tests")->require_subcommand(1);
  auto post = [=](const std::string& document) { *exit_code = session->Post("/_lapse/clock", document); };

  clock->add_subcommand("show", "Print the test clock")->callback([=] { *exit_code = session->Get("/_lapse/clock"); });
  clock->add_subcommand("accept", "Follow a wall clock that jumped ahead")->callback([=] {
    *exit_code = session->Post("/_lapse/clock/accept", Document([](doc::Writer*) {}));
  });

  CLI::App* reset = clock->add_subcommand(
      "reset", "Set store time to the wall clock, in a directory no server uses. Going back revives expired items");
  reset->add_option("--data-dir", arguments->data_dir, "The server's data directory")->type_name("DIR")->required();
  reset->add_flag("--yes", arguments->yes, "Do it: without this, only say what it would do");
  reset->callback([=] { *exit_code = session->Reset(); });

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

}  // namespace

int RunCommand(int argc, const char* const* argv, const Environment& environment, std::ostream& out,
               std::ostream& err) {
  Arguments arguments;
  arguments.endpoint = environment("LAPSE_ENDPOINT").value_or("http://127.0.0.1:8081");
  // A server beyond loopback wants its key; the well-known one costs nothing to show.
  arguments.key = environment("LAPSE_ACCOUNT_KEY").value_or(std::string(kWellKnownKey));
  int exit_code = 0;
  Session session(arguments, out, err);

  CLI::App app("Lapse: the client for those who run a server.", "lapse");
  app.set_version_flag("--version", "lapse " + std::string(kVersion), "Print the version and leave");
  app.set_help_flag("-h,--help", "Print this and leave");
  app.add_option("--endpoint", arguments.endpoint, "The server; also LAPSE_ENDPOINT")->type_name("URL");
  app.add_option("--key", arguments.key, "The account key, for a server on another machine; also LAPSE_ACCOUNT_KEY")
      ->type_name("BASE64");
  app.fallthrough();
  app.require_subcommand(1);
  app.add_subcommand("health", "Is the server serving? Exit code 0 says yes")->callback([&] {
    exit_code = session.Get("/_lapse/health");
  });
  app.add_subcommand("metrics", "Print the server's metrics")->callback([&] {
    exit_code = session.Get("/_lapse/metrics");
  });
  DeclareClock(&app, &arguments, &session, &exit_code);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return 0;
  } catch (const CLI::CallForVersion&) {
    out << app.version() << "\n";
    return 0;
  } catch (const CLI::Error& error) {
    err << "lapse: " << error.what() << "\nTry 'lapse --help'.\n";
    return kBadUsage;
  }
  return exit_code;
}

}  // namespace lapse::server::client
