// For tests: sets of documents in containers of every kind that must give the same answers, and cases run against all
// of them.
//
// Each set is in containers with one and with three partitions. Of each there is one that only ever had these
// documents. In the other, a third of what was written has expired: copies of every other document, which match the
// same queries.
#pragma once

#include <string>
#include <vector>

#include "api/cosmos/api_fixture.h"
#include "base/test_helpers.h"
#include "tests/query/case_file.h"

namespace lapse::query_tests {

class QueryFixture : public api::cosmos::ApiFixture {
 protected:
  // The lifetime of the copies. All cases run once it has passed, so this is the time that they see.
  static constexpr int kCopiesLive_s = 10;

  QueryFixture();

  // Creates the containers of all sets that the cases name, and runs all cases against them. Runs them again without
  // indexes, and once more after the sweeper has purged what has expired.
  void Check(const std::vector<QueryCase>& cases);

 private:
  enum class Expired { kNone, kAThird };

  struct Outcome {
    int status = 0;
    std::string code;                  // of the error's body
    std::string error;                 // the message
    std::vector<std::string> results;  // as JSON
  };

  static std::string ContainerName(const QueryCase& one, int partitions, Expired expired);
  void MakeContainers(const QueryCase& one);
  void MakeContainer(const std::string& name, const QueryCase& one, int partitions, Expired expired);
  void AddDocument(const std::string& container, const std::string& json);
  void AddCopy(const std::string& container, const std::string& json);
  int PartitionsWithItems(const std::string& container);
  void Sweep();

  // Queries page by page.
  Outcome Ask(const std::string& container, const std::string& query, const std::string& parameters, int page_size);
  // Returns what is wrong with the answers; empty if nothing is.
  std::string Difference(const QueryCase& one, int partitions, Expired expired, const std::vector<int>& page_sizes);
  static std::string DifferenceOf(const QueryCase& one, const Outcome& outcome, int partitions);
  std::string ConditionDifference(const QueryCase& one, const std::string& container);
  void CheckShared(const std::vector<const QueryCase*>& cases);
  static void Report(const QueryCase& one, const std::string& difference);

  std::vector<std::string> made_;
  TestHelpers helpers_;
};

}  // namespace lapse::query_tests
