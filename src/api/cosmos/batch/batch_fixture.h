// For tests: batches and bulk requests, and their results.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {

class BatchFixture : public ApiFixture {
 protected:
  static Headers AtomicHeaders(const std::string& key = R"(["p"])") {
    return {{"x-ms-cosmos-is-batch-request", "True"},
            {"x-ms-cosmos-batch-atomic", "true"},
            {"x-ms-documentdb-partitionkey", key}};
  }
  static Headers BulkHeaders() {
    return {{"x-ms-cosmos-is-batch-request", "True"},
            {"x-ms-cosmos-batch-atomic", "false"},
            {"x-ms-documentdb-partitionkeyrangeid", "0"}};
  }

  Answer Batch(const std::string& body, Headers headers = AtomicHeaders()) {
    return Send("POST", "/dbs/db/colls/c/docs", body, std::move(headers));
  }
  Answer Bulk(const std::string& body, Headers headers = BulkHeaders()) {
    return Send("POST", "/dbs/db/colls/c/docs", body, std::move(headers));
  }

  // Returns a `Create` of an item with the partition key "p", for a batch.
  static std::string Creating(const std::string& id, const std::string& more = "") {
    return R"({"operationType":"Create","resourceBody":{"id":")" + id + R"(","pk":"p")" + more + "}}";
  }
  static std::string OnId(const std::string& type, const std::string& id, const std::string& more = "") {
    return R"({"operationType":")" + type + R"(","id":")" + id + "\"" + more + "}";
  }
  // The same with a key of its own, for bulk.
  static std::string WithKey(std::string operation, std::string_view key = R"([\"p\"])") {
    operation.pop_back();
    return operation + R"(,"partitionKey":")" + std::string(key) + "\"}";
  }
  static std::string List(const std::vector<std::string>& operations) {
    std::string list = "[";
    for (const std::string& one : operations) list += (list.size() > 1 ? "," : "") + one;
    return list + "]";
  }

  // Returns the value at a path of result number `at`, or an empty text if there is none.
  static std::string Of(const Answer& answer, size_t at, const std::string& path) {
    const Answer wrapped{answer.status, {}, R"({"results":)" + answer.body + "}"};
    return wrapped.At("/results/" + std::to_string(at) + path);
  }
  // Returns the statuses of all results: `201 409/1001 424`.
  static std::string Codes(const Answer& answer) {
    std::string codes;
    for (size_t i = 0;; ++i) {
      const std::string status = Of(answer, i, "/statusCode");
      if (status.empty() || status.starts_with("not JSON")) return codes.empty() ? answer.body : codes;
      const std::string substatus = Of(answer, i, "/subStatusCode");
      codes += (codes.empty() ? "" : " ") + status + (substatus.empty() ? "" : "/" + substatus);
    }
  }

  // Returns the number of items with the partition key "p".
  std::string CountItems() {
    return Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-documentdb-partitionkey", R"(["p"])"}}).At("/_count");
  }
};

}  // namespace lapse::api::cosmos
