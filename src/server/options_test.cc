#include "server/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <vector>

namespace lapse::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Variables = std::map<std::string, std::string>;

ParsedOptions Parse(std::vector<const char*> arguments, const Variables& variables = {}) {
  Machine machine{.variables = {}, .memory_bytes = uint64_t{8} << 30};
  for (const auto& [name, value] : variables) machine.variables.push_back(name);
  arguments.insert(arguments.begin(), "lapsed");
  return ParseOptions(
      static_cast<int>(arguments.size()), arguments.data(),
      [&](const std::string& name) -> std::optional<std::string> {
        auto found = variables.find(name);
        if (found == variables.end()) return std::nullopt;
        return found->second;
      },
      machine);
}

ServerOptions Good(std::vector<const char*> arguments, const Variables& variables = {}) {
  ParsedOptions parsed = Parse(std::move(arguments), variables);
  EXPECT_TRUE(parsed.options.has_value()) << parsed.text;
  return parsed.options.value_or(ServerOptions());
}

std::string Refused(std::vector<const char*> arguments, const Variables& variables = {}) {
  ParsedOptions parsed = Parse(std::move(arguments), variables);
  EXPECT_FALSE(parsed.options.has_value());
  EXPECT_EQ(parsed.exit_code, 2);
  return parsed.text;
}

class ConfigFile {
 public:
  explicit ConfigFile(const std::string& text)
      : path_(testing::TempDir() + "lapse-options-" + std::to_string(getpid()) + ".conf") {
    std::ofstream(path_) << text;
  }
  ~ConfigFile() { std::remove(path_.c_str()); }
  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

TEST(OptionsTest, Defaults) {
  ServerOptions options = Good({});
  EXPECT_EQ(options.data_dir, "./lapse-data");
  EXPECT_FALSE(options.in_memory);
  EXPECT_EQ(options.durability, store::Durability::kSync);
  EXPECT_EQ(options.host, "127.0.0.1");
  EXPECT_EQ(options.port, 8081);
  EXPECT_EQ(options.keys.primary, kWellKnownKey);
  EXPECT_EQ(options.keys.read_only, "");
  EXPECT_EQ(options.tls, Tls::kOff);
  EXPECT_FALSE(options.test_clock);
  EXPECT_EQ(options.clock_limits.jump_max_ms, 3'600'000);
  EXPECT_EQ(options.clock_limits.start_jump_max_ms, 30LL * 24 * 3'600'000);
  EXPECT_EQ(options.cache_bytes, 256U << 20);
  EXPECT_EQ(options.disk_reserve_bytes, 512U << 20);
  EXPECT_EQ(options.sweep_share_percent, 10);
  EXPECT_EQ(options.request_memory_bytes, 256U << 20);
  EXPECT_TRUE(options.check_host_names);
  EXPECT_TRUE(options.host_names.empty());
  EXPECT_GE(options.threads, 1);
  EXPECT_LE(options.threads, 4);
}

TEST(OptionsTest, EveryFlagIsTaken) {
  ServerOptions options = Good({"--data-dir",
                                "/d",
                                "--durability=relaxed",
                                "--host",
                                "::1",
                                "--port",
                                "0",
                                "--account-key",
                                "YWJj",
                                "--read-only-key",
                                "ZGVm",
                                "--tls-cert",
                                "c.pem",
                                "--tls-key",
                                "k.pem",
                                "--test-clock",
                                "--clock-jump-max",
                                "90s",
                                "--clock-jump-max-start",
                                "2d",
                                "--cache-size",
                                "1G",
                                "--disk-reserve",
                                "0",
                                "--sweep-share",
                                "50",
                                "--threads",
                                "7",
                                "--request-memory",
                                "1G",
                                "--host-name",
                                "lapse",
                                "--log-level",
                                "debug"});
  EXPECT_EQ(options.data_dir, "/d");
  EXPECT_EQ(options.durability, store::Durability::kRelaxed);
  EXPECT_EQ(options.host, "::1");
  EXPECT_EQ(options.port, 0);
  EXPECT_EQ(options.keys.primary, "YWJj");
  EXPECT_EQ(options.keys.read_only, "ZGVm");
  EXPECT_EQ(options.tls, Tls::kFiles);
  EXPECT_EQ(options.tls_cert_file, "c.pem");
  EXPECT_EQ(options.tls_key_file, "k.pem");
  EXPECT_TRUE(options.test_clock);
  EXPECT_EQ(options.clock_limits.jump_max_ms, 90'000);
  EXPECT_EQ(options.clock_limits.start_jump_max_ms, 2LL * 24 * 3'600'000);
  EXPECT_EQ(options.cache_bytes, 1U << 30);
  EXPECT_EQ(options.disk_reserve_bytes, 0U);
  EXPECT_EQ(options.sweep_share_percent, 50);
  EXPECT_EQ(options.threads, 7);
  EXPECT_EQ(options.request_memory_bytes, 1U << 30);
  EXPECT_EQ(options.host_names, std::vector<std::string>{"lapse"});
  EXPECT_EQ(options.log_level, LogLevel::kDebug);
}

TEST(OptionsTest, TheEnvironmentSetsWhatNoFlagSets) {
  Variables variables = {{"LAPSE_PORT", "9000"}, {"LAPSE_THREADS", "3"}, {"LAPSE_TEST_CLOCK", "true"}};
  ServerOptions options = Good({"--port", "9001"}, variables);
  EXPECT_EQ(options.port, 9001);
  EXPECT_EQ(options.threads, 3);
  EXPECT_TRUE(options.test_clock);
}

TEST(OptionsTest, SwitchesInTheEnvironmentCanBeOffOrEmpty) {
  EXPECT_FALSE(Good({}, {{"LAPSE_TEST_CLOCK", "false"}}).test_clock);
  EXPECT_FALSE(Good({}, {{"LAPSE_TEST_CLOCK", ""}}).test_clock);
  EXPECT_TRUE(Good({"--test-clock"}, {{"LAPSE_TEST_CLOCK", "false"}}).test_clock);
}

TEST(OptionsTest, FlagThenEnvironmentThenFileThenDefault) {
  ConfigFile file("port = 7001\nthreads = 5\ndata-dir = \"/from/file\"\ntest-clock = true\naccount-key = \"YQ==\"\n");
  ServerOptions options =
      Good({"--config", file.path(), "--port", "7003"}, {{"LAPSE_THREADS", "6"}, {"LAPSE_PORT", "7002"}});
  EXPECT_EQ(options.port, 7003);
  EXPECT_EQ(options.threads, 6);
  EXPECT_EQ(options.data_dir, "/from/file");
  EXPECT_TRUE(options.test_clock);
  EXPECT_EQ(options.keys.primary, "YQ==");
  EXPECT_EQ(options.host, "127.0.0.1");
}

TEST(OptionsTest, TheFileCanBeNamedInTheEnvironment) {
  ConfigFile file("port = 7001\n");
  EXPECT_EQ(Good({}, {{"LAPSE_CONFIG", file.path()}}).port, 7001);
}

TEST(OptionsTest, AFileIsCheckedLikeFlags) {
  EXPECT_THAT(Refused({"--config", "/no/such/file"}), HasSubstr("/no/such/file"));
  ConfigFile unknown("colour = red\n");
  EXPECT_THAT(Refused({"--config", unknown.path()}), HasSubstr("colour"));
  ConfigFile wrong("port = much\n");
  EXPECT_THAT(Refused({"--config", wrong.path()}), HasSubstr("--port"));
}

TEST(OptionsTest, AMistakeInTheFileIsSaidWithItsLine) {
  ConfigFile unknown("port = 7001\n\ndatadir = /d\n");
  EXPECT_THAT(
      Refused({"--config", unknown.path()}),
      HasSubstr(std::string(unknown.path()) + " line 3: there is no option 'datadir'; did you mean 'data-dir'?"));
  ConfigFile wrong("# mine\nport = much\n");
  EXPECT_THAT(Refused({"--config", wrong.path()}),
              HasSubstr(std::string(wrong.path()) + " line 2: --port must be a number from 0 to 65535, not 'much'"));
  EXPECT_EQ(Good({"--config", wrong.path(), "--port", "0"}).port, 0) << "the flag has set it";
  EXPECT_THAT(Refused({"--config", wrong.path(), "--port", "more"}), Not(HasSubstr(" line 2")));
  ConfigFile neither("test-clock = perhaps\n");
  EXPECT_THAT(Refused({"--config", neither.path()}), HasSubstr(" line 1: 'perhaps' is no value of test-clock"));
  ConfigFile malformed("port = 7001\nin-memory\n");
  EXPECT_THAT(Refused({"--config", malformed.path()}), HasSubstr(" line 2: an option is written as 'name = value'"));
  ConfigFile other("config = x\n");
  EXPECT_THAT(Refused({"--config", other.path()}), HasSubstr(" line 1: there is no option 'config'"));
}

TEST(OptionsTest, AVariableThatNoOptionHasIsRefused) {
  EXPECT_THAT(Refused({}, {{"LAPSE_DATADIR", "/d"}}),
              HasSubstr("no option has the environment variable LAPSE_DATADIR; did you mean 'LAPSE_DATA_DIR'?"));
  EXPECT_THAT(Refused({}, {{"LAPSE_ACCOUNT_KEYS", "YWJj"}}), HasSubstr("'LAPSE_ACCOUNT_KEY'"));
  EXPECT_THAT(Refused({}, {{"LAPSE_data_dir", ""}}), HasSubstr("LAPSE_data_dir"));
  EXPECT_EQ(Good({}, {{"LAPSE_ENDPOINT", "http://h"}, {"LAPSE_CA", "f"}, {"LAPSE_PORT", "1"}}).port, 1);
  EXPECT_EQ(Parse({"--help"}, {{"LAPSE_NONSENSE", ""}}).exit_code, 0);
}

TEST(OptionsTest, ImpossibleSizesAreRefusedWithTheReason) {
  for (const char* flag : {"--cache-size", "--disk-reserve", "--request-memory"}) {
    auto refused = [&](const char* value) { return Refused({(std::string(flag) + "=" + value).c_str()}); };
    EXPECT_THAT(refused("-1"), HasSubstr("'-1' is negative"));
    EXPECT_THAT(refused("1X"), HasSubstr("'1X' has an unknown unit; the units are K, M, G and T"));
    EXPECT_THAT(refused("1GB"), HasSubstr("'1GB' has an unknown unit"));
    EXPECT_THAT(refused("1.5G"), HasSubstr("'1.5G' has an unknown unit"));
    EXPECT_THAT(refused("much"), HasSubstr("'much' is not a number"));
    EXPECT_THAT(refused("99999999999999999999"), HasSubstr("is more than a computer can count"));
    EXPECT_THAT(refused("16777216T"), HasSubstr("is more than a computer can count"));
  }
  EXPECT_THAT(Refused({"--cache-size", "0"}), HasSubstr("--cache-size must be a size of at least 1M"));
  EXPECT_THAT(Refused({"--cache-size", "9G"}),
              HasSubstr("--cache-size must fit into the memory of this machine, which has 8589934592 bytes: '9G'"));
  EXPECT_THAT(Refused({"--request-memory", "9G"}), HasSubstr("--request-memory must fit into the memory"));
  EXPECT_EQ(Good({"--cache-size", "8G"}).cache_bytes, size_t{8} << 30);
}

TEST(OptionsTest, WrongValuesAreNamed) {
  EXPECT_THAT(Refused({"--port", "65536"}), HasSubstr("--port must be a number from 0 to 65535, not '65536'"));
  EXPECT_THAT(Refused({"--port", "80x"}), HasSubstr("--port"));
  EXPECT_THAT(Refused({"--port=-1"}), HasSubstr("--port"));
  EXPECT_THAT(Refused({"--threads", "0"}), HasSubstr("--threads"));
  EXPECT_THAT(Refused({"--threads", "257"}), HasSubstr("--threads"));
  EXPECT_THAT(Refused({"--durability", "maybe"}), HasSubstr("sync or relaxed"));
  EXPECT_THAT(Refused({"--cache-size", "12"}), HasSubstr("--cache-size"));
  EXPECT_THAT(Refused({"--cache-size", "1X"}), HasSubstr("--cache-size"));
  EXPECT_THAT(Refused({"--disk-reserve", "-1"}), HasSubstr("--disk-reserve"));
  EXPECT_THAT(Refused({"--disk-reserve", "much"}), HasSubstr("--disk-reserve"));
  EXPECT_THAT(Refused({"--disk-reserve", "255M"}), HasSubstr("at least 256M"));
  EXPECT_THAT(Refused({"--sweep-share", "0"}), HasSubstr("--sweep-share"));
  EXPECT_THAT(Refused({"--sweep-share", "101"}), HasSubstr("--sweep-share"));
  EXPECT_THAT(Refused({"--clock-jump-max", "soon"}), HasSubstr("--clock-jump-max"));
  EXPECT_THAT(Refused({"--clock-jump-max", "0"}), HasSubstr("--clock-jump-max"));
  EXPECT_THAT(Refused({"--log-level", "loud"}), HasSubstr("--log-level"));
  EXPECT_THAT(Refused({"--tls", "yes"}), HasSubstr("auto or off"));
  EXPECT_THAT(Refused({"--nonsense"}), HasSubstr("--nonsense"));
  EXPECT_THAT(Refused({"stray"}), HasSubstr("stray"));
}

TEST(OptionsTest, KeysAreBase64AndNeverPrinted) {
  std::string text = Refused({"--account-key", "not base64!"});
  EXPECT_THAT(text, HasSubstr("--account-key must be base64"));
  EXPECT_THAT(text, Not(HasSubstr("not base64!")));
  EXPECT_THAT(Refused({"--read-only-key", "%%%%"}), HasSubstr("--read-only-key"));
  EXPECT_THAT(Refused({"--account-key", "YWJj", "--read-only-key", "YWJj"}), HasSubstr("must differ"));
}

TEST(OptionsTest, AKeyBehindAMistakeIsNotPrinted) {
  const char* key = "c2VjcmV0IHNlY3JldCBzZWNyZXQ=";
  const std::string inside_option = "--acount-key=" + std::string(key);
  for (const std::vector<const char*>& arguments : std::vector<std::vector<const char*>>{
           {"--acount-key", key}, {inside_option.c_str()}, {key}, {"--account-key", "YWJj", key}}) {
    EXPECT_THAT(Refused(arguments), Not(HasSubstr("c2Vj")));
  }
  EXPECT_THAT(Refused({"--acount-key", key}), HasSubstr("--acount-key"));
  const std::string line_end = std::string(key) + "\n";
  for (const std::string& line : {"acount-key = \"" + std::string(key) + "\"\n", "account-key " + line_end, line_end,
                                  "acount-key: " + line_end, "test-clock = " + line_end}) {
    ConfigFile file(line);
    EXPECT_THAT(Refused({"--config", file.path()}), Not(HasSubstr("c2Vj"))) << line;
  }
}

TEST(OptionsTest, AnEmptyKeyIsNotTheWellKnownOne) {
  EXPECT_THAT(Refused({"--account-key", ""}), HasSubstr("--account-key must not be empty"));
  EXPECT_THAT(Refused({"--read-only-key", ""}), HasSubstr("--read-only-key must not be empty"));
  EXPECT_THAT(Refused({}, {{"LAPSE_ACCOUNT_KEY", ""}}), HasSubstr("--account-key must not be empty"));
  EXPECT_THAT(Refused({}, {{"LAPSE_READ_ONLY_KEY", ""}}), HasSubstr("--read-only-key must not be empty"));
  ConfigFile file("account-key = \"\"\n");
  EXPECT_THAT(Refused({"--config", file.path()}), HasSubstr("--account-key must not be empty"));
  EXPECT_FALSE(Parse({"--account-key=", "--port", "0"}).options.has_value());
  EXPECT_EQ(Good({"--account-key", "YWJj"}, {{"LAPSE_ACCOUNT_KEY", ""}}).keys.primary, "YWJj");
}

TEST(OptionsTest, ShortKeysStayOnLoopback) {
  const std::string key_31 = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MA==";
  const std::string key_32 = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
  EXPECT_EQ(Good({"--account-key", "YWJj", "--read-only-key", "ZGVm"}).keys.primary, "YWJj");
  std::string text = Refused({"--host", "0.0.0.0", "--account-key", "YWJj"});
  EXPECT_THAT(text, HasSubstr("--account-key has 3 bytes"));
  EXPECT_THAT(text, HasSubstr("to listen on 0.0.0.0 it needs at least 32"));
  EXPECT_THAT(text, Not(HasSubstr("YWJj")));
  EXPECT_THAT(Refused({"--host", "::", "--account-key", key_31.c_str()}), HasSubstr("--account-key has 31 bytes"));
  EXPECT_THAT(Refused({"--host", "::", "--account-key", key_32.c_str(), "--read-only-key", "YWJj"}),
              HasSubstr("--read-only-key has 3 bytes"));
  EXPECT_EQ(Good({"--host", "::", "--account-key", key_32.c_str()}).keys.primary, key_32);
}

TEST(OptionsTest, ConflictsAreRefused) {
  EXPECT_THAT(Refused({"--in-memory", "--data-dir", "/d"}), HasSubstr("--in-memory"));
  EXPECT_THAT(Refused({"--tls-cert", "c.pem"}), HasSubstr("--tls-key"));
  EXPECT_THAT(Refused({"--tls", "auto", "--tls-cert", "c.pem", "--tls-key", "k.pem"}), HasSubstr("--tls auto"));
  EXPECT_TRUE(Good({"--in-memory"}).in_memory);
  EXPECT_EQ(Good({"--tls", "auto"}).tls, Tls::kAuto);
}

TEST(OptionsTest, TheWellKnownKeyStaysOnLoopback) {
  EXPECT_THAT(Refused({"--host", "0.0.0.0"}), HasSubstr("--allow-well-known-key"));
  EXPECT_THAT(Refused({"--host", "::"}), HasSubstr("--account-key"));
  EXPECT_EQ(Good({"--host", "0.0.0.0", "--allow-well-known-key"}).host, "0.0.0.0");
  const char* key = "b25seSB0aGUgcGVvcGxlIGhlcmUgc2hhbGwga25vdyB0aGlz";
  EXPECT_EQ(Good({"--host", "0.0.0.0", "--account-key", key}).host, "0.0.0.0");
  EXPECT_THAT(
      Refused({"--host", "0.0.0.0", "--account-key", key, "--read-only-key", std::string(kWellKnownKey).c_str()}),
      HasSubstr("--allow-well-known-key"));
}

TEST(OptionsTest, HostNamesAreChecked) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(Good({"--host-name", "lapse", "--host-name", "Db.Test,other"}).host_names,
            (Names{"lapse", "db.test", "other"}));
  EXPECT_EQ(Good({}, {{"LAPSE_HOST_NAME", "a,b"}}).host_names, (Names{"a", "b"}));
  EXPECT_EQ(Good({"--host-name=c"}, {{"LAPSE_HOST_NAME", "a,b"}}).host_names, Names{"c"}) << "a flag wins";
  ConfigFile file("host-name = a, b\n");
  EXPECT_EQ(Good({"--config", file.path()}).host_names, (Names{"a", "b"}));
  EXPECT_EQ(Good({"--config", file.path()}, {{"LAPSE_HOST_NAME", "d"}}).host_names, Names{"d"});
  EXPECT_EQ(Good({"--config", file.path(), "--host-name", "c"}).host_names, Names{"c"});
  for (const char* name : {"", "a,", ",a", "a:8081", "http://a", "a b", "[::1]"}) {
    EXPECT_THAT(Refused({"--host-name", name}), HasSubstr("--host-name")) << name;
  }
  ConfigFile wrong("port = 0\nhost-name = a:8081\n");
  EXPECT_THAT(Refused({"--config", wrong.path()}), HasSubstr(" line 2: --host-name must be a host name"));
  EXPECT_THAT(Refused({"--host-name", std::string(254, 'a').c_str()}), HasSubstr("--host-name"));
}

TEST(OptionsTest, NamesAreCheckedOnlyWithTheWellKnownKey) {
  EXPECT_TRUE(Good({}).check_host_names);
  EXPECT_FALSE(Good({"--allow-well-known-key"}).check_host_names);
  EXPECT_FALSE(Good({"--account-key", "YWJj"}).check_host_names);
  const std::string well_known(kWellKnownKey);
  EXPECT_TRUE(Good({"--account-key", "YWJj", "--read-only-key", well_known.c_str()}).check_host_names);
}

TEST(OptionsTest, QueryMemoryHasALeast) {
  EXPECT_EQ(Good({}).query_memory_bytes, 256U << 20);
  EXPECT_EQ(Good({"--query-memory", "64M"}).query_memory_bytes, 64U << 20);
  for (const char* size : {"0", "63M", "much", ""}) {
    EXPECT_THAT(Refused({"--query-memory", size}), HasSubstr("--query-memory must be a size of at least 64M"));
  }
}

TEST(OptionsTest, RequestMemoryHasALeast) {
  EXPECT_EQ(Good({"--request-memory", "16M"}).request_memory_bytes, 16U << 20);
  for (const char* size : {"0", "15M", "much", ""}) {
    EXPECT_THAT(Refused({"--request-memory", size}), HasSubstr("--request-memory must be a size of at least 16M"));
  }
}

TEST(OptionsTest, KeysComeFromFilesToo) {
  ConfigFile file("  c2Vjb25kYXJ5\n");
  const api::AccountKeys keys =
      Good({"--secondary-account-key-file", file.path(), "--secondary-read-only-key", "YWJj"}).keys;
  EXPECT_EQ(keys.primary, kWellKnownKey);
  EXPECT_EQ(keys.secondary, "c2Vjb25kYXJ5");
  EXPECT_EQ(keys.secondary_read_only, "YWJj");
  EXPECT_EQ(Good({}, {{"LAPSE_ACCOUNT_KEY_FILE", file.path()}}).keys.primary, "c2Vjb25kYXJ5");
}

TEST(OptionsTest, AKeyFileThatIsNoneIsRefusedAndNotShown) {
  EXPECT_THAT(Refused({"--account-key-file", "/nowhere/key"}), HasSubstr("cannot read the key file /nowhere/key"));
  EXPECT_THAT(Refused({"--account-key-file", ""}), HasSubstr("cannot read the key file"));
  for (const std::string& text :
       {std::string("\n \n"), std::string("c2VjcmV0\nc2VjcmV0\n"), std::string("c2Vjcm,V0"), std::string(5000, 'A')}) {
    ConfigFile file(text);
    const std::string refused = Refused({"--account-key-file", file.path()});
    EXPECT_THAT(refused, HasSubstr("--account-key-file"));
    EXPECT_THAT(refused, Not(HasSubstr("c2V")));
  }
  ConfigFile good("YWJj\n");
  EXPECT_THAT(Refused({"--account-key-file", good.path(), "--account-key", "ZGVm"}), HasSubstr("cannot go together"));
  EXPECT_THAT(Refused({"--host", "::", "--account-key-file", good.path()}),
              HasSubstr("--account-key-file has 3 bytes"));
}

TEST(OptionsTest, AllKeysDiffer) {
  EXPECT_THAT(Refused({"--account-key", "YWJj", "--secondary-account-key", "YWJj"}), HasSubstr("must differ"));
  EXPECT_THAT(Refused({"--secondary-account-key", "YWJj", "--secondary-read-only-key", "YWJj"}),
              HasSubstr("--secondary-read-only-key must differ from --secondary-account-key"));
  const std::string well_known(kWellKnownKey);
  EXPECT_TRUE(Good({"--account-key", "YWJj", "--secondary-account-key", well_known.c_str()}).check_host_names);
}

TEST(OptionsTest, LoopbackAddresses) {
  for (const char* host : {"127.0.0.1", "127.8.9.10", "localhost", "::1"}) EXPECT_TRUE(IsLoopbackAddress(host)) << host;
  for (const char* host : {"0.0.0.0", "::", "10.0.0.1", "127.example.org", "127.0.0.1.evil.org", ""}) {
    EXPECT_FALSE(IsLoopbackAddress(host)) << host;
  }
}

TEST(OptionsTest, HelpAndVersionGoToStandardOutput) {
  ParsedOptions help = Parse({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* flag : {"--data-dir",       "--in-memory",
                           "--durability",     "--host",
                           "--port",           "--account-key",
                           "--read-only-key",  "--tls",
                           "--tls-cert",       "--tls-key",
                           "--test-clock",     "--clock-jump-max",
                           "--cache-size",     "--disk-reserve",
                           "--sweep-share",    "--threads",
                           "--request-memory", "--host-name",
                           "--log-level",      "--config",
                           "LAPSE_DATA_DIR",   "--secondary-account-key-file"}) {
    EXPECT_THAT(help.text, HasSubstr(flag));
  }
  ParsedOptions version = Parse({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.text, HasSubstr("lapsed 0."));
}

TEST(OptionsTest, ByteSizes) {
  EXPECT_EQ(*ParseByteSize("4096"), 4096U);
  EXPECT_EQ(*ParseByteSize("64k"), 64U << 10);
  EXPECT_EQ(*ParseByteSize("3M"), 3U << 20);
  EXPECT_EQ(*ParseByteSize("2T"), 2ULL << 40);
  for (const char* text : {"", "M", "-1", "1MB", "1.5G", "16777216T", "99999999999999999999"}) {
    EXPECT_FALSE(ParseByteSize(text).ok()) << text;
  }
}

TEST(OptionsTest, LimitsOnTheNumberOfResources) {
  EXPECT_EQ(Good({}).limits.resources_max, 0U);
  EXPECT_EQ(Good({"--resources-max", "500"}).limits.resources_max, 500U);
  EXPECT_EQ(Good({}, {{"LAPSE_SHARING_CONTAINERS_MAX", "25"}}).limits.sharing_containers_max, 25U);
  EXPECT_THAT(Refused({"--resources-max", "-1"}), HasSubstr("--resources-max must be a number from 0"));
}

TEST(OptionsTest, SizeOfALogicalPartition) {
  EXPECT_EQ(Good({}).logical_partition_bytes_max, int64_t{20} << 30);
  EXPECT_EQ(Good({"--logical-partition-max", "64K"}).logical_partition_bytes_max, 64 << 10);
  EXPECT_EQ(Good({}, {{"LAPSE_LOGICAL_PARTITION_MAX", "0"}}).logical_partition_bytes_max, 0);
  EXPECT_EQ(Good({"--logical-partition-max", "8T"}).logical_partition_bytes_max, int64_t{8} << 40);
  for (const char* text : {"", "-1", "much", "9T"}) {
    EXPECT_THAT(Refused({"--logical-partition-max", text}),
                HasSubstr("--logical-partition-max must be a size up to 8T"));
  }
}

TEST(OptionsTest, ConsistencyOfTheAccount) {
  using api::cosmos::Consistency;
  EXPECT_EQ(Good({}).consistency, Consistency::kSession);
  EXPECT_EQ(Good({"--consistency", "strong"}).consistency, Consistency::kStrong);
  EXPECT_EQ(Good({}, {{"LAPSE_CONSISTENCY", "bounded"}}).consistency, Consistency::kBoundedStaleness);
  EXPECT_THAT(Refused({"--consistency", "Strong"}), HasSubstr("--consistency must be strong, bounded"));
}

TEST(OptionsTest, RateLimiting) {
  using engine::RateLimiting;
  EXPECT_EQ(Good({}).rate_limiting, RateLimiting::kExplicit);
  EXPECT_EQ(Good({"--in-memory"}).rate_limiting, RateLimiting::kOff);
  EXPECT_EQ(Good({"--in-memory", "--rate-limiting", "explicit"}).rate_limiting, RateLimiting::kExplicit);
  EXPECT_EQ(Good({"--rate-limiting", "off"}).rate_limiting, RateLimiting::kOff);
  EXPECT_EQ(Good({}, {{"LAPSE_RATE_LIMITING", "on"}}).rate_limiting, RateLimiting::kOn);
  EXPECT_THAT(Refused({"--rate-limiting", "some"}), HasSubstr("--rate-limiting must be on, off or explicit"));
}

}  // namespace
}  // namespace lapse::server
