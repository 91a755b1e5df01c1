// tools/embed-explorer: what is in a folder is in the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "api/explorer/explorer_file.h"

namespace lapse::api::explorer {

// Made by the build from tests/data/explorer.
ExplorerFiles PageForTests();

namespace {

using ::testing::ElementsAre;

std::string ReadFile(const std::string& name) {
  std::ifstream file("tests/data/explorer/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(EmbeddedPageTest, HasEveryFileButSourceMaps) {
  std::vector<std::string> paths;
  for (const ExplorerFile& file : PageForTests()) paths.emplace_back(file.path);
  EXPECT_THAT(paths, ElementsAre("assets/page-1a2b3c.js", "index.html"));
}

TEST(EmbeddedPageTest, TheBytesAreThoseOfTheFiles) {
  const ExplorerFile& script = PageForTests()[0];
  EXPECT_EQ(script.content_type, "text/javascript; charset=utf-8");
  EXPECT_FALSE(script.plain.empty());
  EXPECT_EQ(script.plain, ReadFile("assets/page-1a2b3c.js"));
  EXPECT_EQ(script.gzip, ReadFile("assets/page-1a2b3c.js.gz"));
  EXPECT_EQ(script.brotli, ReadFile("assets/page-1a2b3c.js.br"));
  const ExplorerFile& index = PageForTests()[1];
  EXPECT_EQ(index.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(index.plain, ReadFile("index.html"));
  EXPECT_EQ(index.gzip, "");
  EXPECT_EQ(index.brotli, "");
}

TEST(EmbeddedPageTest, TheHashTellsFilesApart) {
  EXPECT_EQ(PageForTests()[0].hash.size(), 32);
  EXPECT_NE(PageForTests()[0].hash, PageForTests()[1].hash);
}

}  // namespace
}  // namespace lapse::api::explorer
