#include "server/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "base/ascii.h"
#include "server/config_file.h"
#include "server/raw_options.h"
#include "server/resolve_options.h"
#include "server/spelling.h"
#include "server/usage_text.h"
#include "server/version.h"

namespace lapse::server {
namespace {

constexpr int kUsageExitCode = 2;
constexpr std::string_view kFooter =
    "Every option is also an environment variable (--data-dir is LAPSE_DATA_DIR, switches take true or false)\n"
    "and a line of the configuration file (data-dir = \"/var/lib/lapse\"). Flags take precedence over the\n"
    "environment, and the environment over the file. Keys in variables or files do not show in the list of\n"
    "processes. 'lapse keys reload' rereads the keys in files.\n";

constexpr std::string_view kVariablePrefix = "LAPSE_";
// Variables of the client `lapse`, which shares the server's environment.
constexpr std::array<std::string_view, 2> kClientVariables = {"LAPSE_ENDPOINT", "LAPSE_CA"};

std::string EnvironmentName(const std::string& long_name) {
  std::string name(kVariablePrefix);
  for (char c : long_name) name.push_back(c == '-' ? '_' : UpperAscii(c));
  return name;
}

// A list is not merged: one from the environment or the file adds nothing to one with higher precedence.
bool IsGivenList(std::string_view long_name, const std::vector<std::string>& given) {
  const std::string flag = "--" + std::string(long_name);
  if (flag != kHostNameFlag) return false;
  return std::any_of(given.begin(), given.end(),
                     [&](const std::string& one) { return one == flag || one.starts_with(flag + "="); });
}

// An empty variable counts as not set, unless it is for a key.
bool IsKey(std::string_view long_name) {
  return std::any_of(api::kAccountKeyNames.begin(), api::kAccountKeyNames.end(),
                     [&](const api::AccountKeyName& key) { return key.name == long_name; });
}

// Returns the environment as flags, to go before the real ones: the last one given counts.
std::vector<std::string> EnvironmentAsFlags(const CLI::App& app, const Environment& environment,
                                            const std::vector<std::string>& given) {
  std::vector<std::string> flags;
  for (const std::string& name : OptionNames(app)) {
    if (IsGivenList(name, given)) continue;
    std::optional<std::string> value = environment(EnvironmentName(name));
    if (!value) continue;
    if (!value->empty()) {
      flags.push_back("--" + name + "=" + *value);
    } else if (IsKey(name)) {
      flags.insert(flags.end(), {"--" + name, ""});
    }
  }
  return flags;
}

// A variable with our prefix that sets nothing is a mistake, which would otherwise go unnoticed.
Status CheckVariables(const CLI::App& app, const std::vector<std::string>& variables) {
  std::vector<std::string> known(kClientVariables.begin(), kClientVariables.end());
  for (const std::string& name : OptionNames(app)) known.push_back(EnvironmentName(name));
  for (const std::string& variable : variables) {
    if (std::find(known.begin(), known.end(), variable) != known.end()) continue;
    return WrongUsage("no option has the environment variable " + variable + DidYouMean(variable, known));
  }
  return Status::Ok();
}

ParsedOptions UsageError(const std::string& message) {
  return {std::nullopt, kUsageExitCode, "lapsed: " + message + "\nTry 'lapsed --help'.\n"};
}

// The options as the library parses them.
class CommandLine {
 public:
  CommandLine() : app_("Lapse: a document database with exact time to live.", "lapsed") {
    app_.set_version_flag("--version", "lapsed " + std::string(kVersion), "Print the version and exit");
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.footer(std::string(kFooter));
    app_.get_formatter()->column_width(38);
    DeclareOptions(&app_, &raw_);
  }

  const CLI::App& app() const { return app_; }
  const RawOptions& raw() const { return raw_; }

  // Returns what to print and the exit code if the program should exit. Call it once.
  std::optional<ParsedOptions> Parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // the library takes them from the back
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
      return ParsedOptions{std::nullopt, 0, app_.help()};
    } catch (const CLI::CallForVersion&) {
      return ParsedOptions{std::nullopt, 0, app_.version() + "\n"};
    } catch (const CLI::ExtrasError&) {
      return UsageError(DescribeUnexpected(app_.remaining()));
    } catch (const CLI::Error& error) {
      return UsageError(error.what());
    }
    return std::nullopt;
  }

 private:
  CLI::App app_;
  RawOptions raw_;
};

// An empty value must not swallow the next argument.
std::vector<std::string> AsFlag(const ConfigLine& line) {
  if (line.value.empty()) return {"--" + line.name, ""};
  return {"--" + line.name + "=" + line.value};
}

// Checks that each line is an option that takes such a value.
Status CheckConfig(const std::string& path, const std::vector<ConfigLine>& file) {
  for (const ConfigLine& line : file) {
    CommandLine alone;
    std::vector<std::string> known = OptionNames(alone.app());
    std::erase(known, "config");  // a file cannot name another one
    const std::string place = PlaceInFile(path, line.number);
    if (std::find(known.begin(), known.end(), line.name) == known.end()) {
      return WrongUsage(place + ": there is no option " + QuotedUnlessKey(line.name) + DidYouMean(line.name, known));
    }
    if (alone.Parse(AsFlag(line)))
      return WrongUsage(place + ": " + QuotedUnlessKey(line.value) + " is no value of " + line.name);
  }
  return Status::Ok();
}

// Returns the line of the file with the option that a message begins with, or nothing if flags or environment set it.
std::string PlaceOf(const std::string& message, const std::string& path, const std::vector<ConfigLine>& file,
                    const CLI::App& without_file) {
  for (const ConfigLine& line : file) {
    const std::string flag = "--" + line.name;
    const bool is_meant = message.starts_with(flag + " ") && without_file.count(flag) == 0;
    if (is_meant) return PlaceInFile(path, line.number) + ": ";
  }
  return "";
}

}  // namespace

Environment ProcessEnvironment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

Machine ThisMachine() {
  Machine machine;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    std::string_view entry = *variable;
    if (entry.starts_with(kVariablePrefix)) machine.variables.emplace_back(entry.substr(0, entry.find('=')));
  }
  const long pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0) {
    machine.memory_bytes = static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes);
  }
  return machine;
}

ParsedOptions ParseOptions(int argc, const char* const* argv, const Environment& environment, const Machine& machine) {
  CommandLine line;
  const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
  std::vector<std::string> arguments = EnvironmentAsFlags(line.app(), environment, given);
  arguments.insert(arguments.end(), given.begin(), given.end());
  if (std::optional<ParsedOptions> ended = line.Parse(arguments)) return *ended;
  if (Status known = CheckVariables(line.app(), machine.variables); !known.ok()) return UsageError(known.message());
  if (line.raw().config.empty()) {
    Result<ServerOptions> options = ResolveOptions(line.raw(), line.app(), machine.memory_bytes);
    return options.ok() ? ParsedOptions{*options, 0, ""} : UsageError(options.status().message());
  }

  const std::string path = line.raw().config;
  Result<std::vector<ConfigLine>> file = ReadConfigFile(path);
  if (!file.ok()) return UsageError(file.status().message());
  if (Status checked = CheckConfig(path, *file); !checked.ok()) return UsageError(checked.message());
  CommandLine all;
  std::vector<std::string> with_file;
  for (const ConfigLine& one : *file) {
    if (IsGivenList(one.name, arguments)) continue;
    const std::vector<std::string> flags = AsFlag(one);
    with_file.insert(with_file.end(), flags.begin(), flags.end());
  }
  with_file.insert(with_file.end(), arguments.begin(), arguments.end());
  if (std::optional<ParsedOptions> ended = all.Parse(with_file)) return *ended;
  Result<ServerOptions> options = ResolveOptions(all.raw(), all.app(), machine.memory_bytes);
  if (options.ok()) return {*options, 0, ""};
  return UsageError(PlaceOf(options.status().message(), path, *file, line.app()) + options.status().message());
}

}  // namespace lapse::server
