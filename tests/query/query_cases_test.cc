// Runs every case of tests/query/cases against all containers of the fixture.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "tests/query/case_file.h"
#include "tests/query/query_fixture.h"

namespace lapse::query_tests {
namespace {

class QueryCasesTest : public QueryFixture, public ::testing::WithParamInterface<std::filesystem::path> {};

TEST_P(QueryCasesTest, AnswerAsTheySay) {
  Check(ReadCaseFile(GetParam()));
}

std::string NameOf(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, QueryCasesTest, ::testing::ValuesIn(CaseFiles()), NameOf);

TEST(QueryCaseFilesTest, AreManyAndHaveResults) {
  size_t count = 0;
  for (const auto& file : CaseFiles()) {
    for (const QueryCase& one : ReadCaseFile(file)) {
      EXPECT_TRUE(!one.results.empty() || !one.errors.empty()) << one.file << ":" << one.line;
      ++count;
    }
  }
  EXPECT_GE(count, 1500u);
}

}  // namespace
}  // namespace lapse::query_tests
