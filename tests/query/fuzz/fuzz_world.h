// A world for the query fuzzers: the same random documents in a container of one partition and in one of three, under a
// random indexing policy. Its history includes replaced, deleted and recreated documents and perhaps a change of the
// policy. About a third of the written items have expired.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/api_fixture.h"
#include "base/test_helpers.h"
#include "tests/query/fuzz/choices.h"
#include "tests/query/fuzz/random_policy.h"
#include "tests/query/fuzz/random_query.h"
#include "tests/query/reference/datum.h"

namespace lapse::query_tests {

// The part of a container that a query reads.
struct QueryScope {
  std::optional<std::string> key;  // one partition key, as JSON
  std::optional<int> range;        // one partition
};

struct FuzzedPage {
  int status = 0;
  std::string error;
  std::vector<Datum> results;
  std::string continuation;  // empty: the last page
};

class FuzzWorld : public api::cosmos::ApiFixture {
 public:
  static constexpr int kPartitionCounts[] = {1, 3};

  // Creates the world from the choices. `writes` is the approximate number of writes.
  FuzzWorld(Choices* choices, uint32_t writes);

  const Policy& policy() const { return policy_; }
  // Writes, deletes, lets some seconds pass, or runs the sweeper. About half of the writes change nothing.
  void Change(Choices* choices);
  // Returns the live items of a container in the order of partitions and creation. Fails the test if the item feed
  // differs from what was written.
  std::vector<Datum> Items(int partitions, const QueryScope& scope);
  // The partition of each item that Items returned last.
  const std::vector<int>& parts() const { return parts_; }
  FuzzedPage Ask(int partitions, const FuzzedQuery& query, const QueryScope& scope, int page_size,
                 const std::string& continuation);
  // Reads all pages.
  FuzzedPage AskAll(int partitions, const FuzzedQuery& query, const QueryScope& scope, int page_size);
  // How often queries so far skipped entries of dead items that earlier queries had learned of.
  uint64_t DeadRunsUsed();

 private:
  // The address of an item: its partition key as JSON, and its id.
  using Address = std::pair<std::string, std::string>;
  struct Written {
    std::string members;           // without id, key and ttl
    std::optional<int64_t> end_s;  // when it expires
    std::map<int, Datum> items;    // as each container returned it
  };

  void TestBody() override {}
  void MakeContainers(Choices* choices);
  void Write(Choices* choices, const Address& address, const std::string& members);
  void Delete(const Address& address);
  void Pass(int64_t seconds);
  void Sweep();
  bool Lives(const Written& one) const { return !one.end_s.has_value() || now_s_ < *one.end_s; }
  static std::string NameOf(int partitions) { return "c" + std::to_string(partitions); }
  static std::string PathOf(int partitions) { return "/dbs/db/colls/" + NameOf(partitions); }
  std::string Definition(int partitions) const;
  void ChoosePolicy(Choices* choices);

  Policy policy_;
  // Empty: nothing expires. Only then may there be no index.
  std::string default_ttl_ = "-1";
  TestHelpers helpers_;
  std::map<Address, Written> written_;
  std::vector<int> parts_;
  int64_t now_s_ = kStart_s;
};

}  // namespace lapse::query_tests
