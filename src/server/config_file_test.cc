#include "server/config_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace lapse::server {
namespace {

using ::testing::HasSubstr;

std::string Shown(std::string_view text) {
  Result<std::vector<ConfigLine>> lines = ParseConfig("f", text);
  if (!lines.ok()) return lines.status().message();
  std::string shown;
  for (const ConfigLine& line : *lines) {
    shown += std::to_string(line.number) + ":" + line.name + "=[" + line.value + "]";
  }
  return shown;
}

TEST(ConfigFileTest, TakesNamesAndValues) {
  EXPECT_EQ(Shown(""), "");
  EXPECT_EQ(Shown("port = 7001\n"), "1:port=[7001]");
  EXPECT_EQ(Shown("# of the house\n\n; too\n  port=7001 # here\r\nhost = \"::1\""), "4:port=[7001]5:host=[::1]");
  EXPECT_EQ(Shown("data-dir = '/a #1' # odd\nkey = YWJj=="), "1:data-dir=[/a #1]2:key=[YWJj==]");
  EXPECT_EQ(Shown("account-key = \"\"\ntls ="), "1:account-key=[]2:tls=[]");
}

TEST(ConfigFileTest, SaysWhichLineIsWrong) {
  EXPECT_EQ(Shown("port = 1\nnonsense\n"), "f line 2: an option is written as 'name = value'");
  EXPECT_EQ(Shown("\n\n= 5"), "f line 3: an option is written as 'name = value'");
  EXPECT_EQ(Shown("host: h=\n"), "f line 1: an option is written as 'name = value'");
  EXPECT_EQ(Shown("[server]\n"), "f line 1: an option is written as 'name = value'");
  EXPECT_EQ(Shown("host = \"::1\n"), "f line 1: the quote is not closed");
  EXPECT_EQ(Shown("host = \"::1\" x\n"), "f line 1: there is text after the closing quote");
  EXPECT_EQ(Shown("port = 1\nhost = h\nport = 2\n"), "f line 3: 'port' is given again, after line 1");
}

TEST(ConfigFileTest, ShowsNoKey) {
  const std::string key = "c2VjcmV0IHNlY3JldCBzZWNyZXQ=";
  for (const std::string& text : {"account-key " + key, "account-key: " + key, key + "\n" + key,
                                  "account-key = \"" + key, "account-key = '" + key + "' " + key}) {
    const std::string shown = Shown(text);
    EXPECT_TRUE(shown.starts_with("f line ")) << shown;
    EXPECT_EQ(shown.find("c2Vj"), std::string::npos) << shown;
  }
}

TEST(ConfigFileTest, AFileThatCannotBeReadIsNamed) {
  EXPECT_THAT(ReadConfigFile("/no/such/file").status().message(), HasSubstr("/no/such/file: No such file"));
  EXPECT_THAT(ReadConfigFile("/").status().message(), HasSubstr("cannot read the configuration file /"));
  const std::string path = testing::TempDir() + "lapse-large.conf";
  std::ofstream(path) << std::string((1 << 20) + 1, '#');
  EXPECT_THAT(ReadConfigFile(path).status().message(), HasSubstr("larger than 1 MB"));
  std::remove(path.c_str());
}

}  // namespace
}  // namespace lapse::server
