// Requests of the load generator, ready to send, each with a signature of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/cosmos/wire/credentials/authenticator.h"
#include "base/calendar.h"
#include "base/clock.h"
#include "bench/measure/items.h"

namespace lapse::bench {

// What a request asks for, and the status that means success.
struct Operation {
  std::string_view name;
  std::string_view verb;
  int expected_status;
};

constexpr Operation kRead{"read", "GET", 200};
constexpr Operation kCreate{"create", "POST", 201};
constexpr Operation kReplace{"replace", "PUT", 200};
// Each creates kItemsPerBatch items.
constexpr Operation kBatch{"batch", "POST", 200};  // of one partition key, all or none
constexpr Operation kBulk{"bulk", "POST", 200};    // of many partition keys, each independent
constexpr uint64_t kItemsPerBatch = 100;

constexpr std::string_view kDatabaseName = "bench";
constexpr std::string_view kContainerName = "items";

// Makes requests of one account. A signature covers verb, link and date, so the same request with another date has a
// signature that no server has seen.
class RequestMaker {
 public:
  RequestMaker(api::cosmos::Authenticator signer, int64_t now_s) : signer_(std::move(signer)), now_s_(now_s) {}

  // `age_s` dates the request that many seconds back.
  std::string Make(const Operation& operation, uint64_t number, uint64_t revision, int64_t age_s) const {
    bool one_item = operation.verb != kCreate.verb;
    std::string parent = "dbs/" + std::string(kDatabaseName) + "/colls/" + std::string(kContainerName);
    std::string item = parent + "/docs/" + ItemId(number);
    std::string body = operation.verb == kRead.verb ? "" : ItemJson(number, revision);
    std::string key = R"(x-ms-documentdb-partitionkey: [")" + ItemPartitionKey(number) + "\"]\r\n";
    return Assemble({operation.verb, "docs", one_item ? item : parent}, "/" + (one_item ? item : parent + "/docs"), key,
                    body, age_s);
  }

  // Makes the batch of that number. No two batches share an item.
  std::string MakeBatch(const Operation& operation, uint64_t number, int64_t age_s) const {
    const bool atomic = operation.name == kBatch.name;
    const uint64_t key = number % kPartitionKeys, turn = number / kPartitionKeys;
    std::string body = "[";
    for (uint64_t i = 0; i < kItemsPerBatch; ++i) {
      const uint64_t item = atomic ? key + kPartitionKeys * (turn * kItemsPerBatch + i) : number * kItemsPerBatch + i;
      body += i == 0 ? "" : ",";
      body += R"({"operationType":"Create",)";
      if (!atomic) body += R"("partitionKey":"[\")" + ItemPartitionKey(item) + R"(\"]",)";
      body += R"("resourceBody":)" + ItemJson(item, 0) + "}";
    }
    std::string headers = "x-ms-cosmos-is-batch-request: True\r\nprefer: return=minimal\r\n";
    headers += atomic ? "x-ms-cosmos-batch-atomic: True\r\nx-ms-documentdb-partitionkey: [\"" + ItemPartitionKey(key) +
                            "\"]\r\n"
                      : "x-ms-cosmos-batch-atomic: False\r\nx-ms-documentdb-partitionkeyrangeid: 0\r\n";
    std::string parent = "dbs/" + std::string(kDatabaseName) + "/colls/" + std::string(kContainerName);
    return Assemble({operation.verb, "docs", parent}, "/" + parent + "/docs", headers, body + "]", age_s);
  }

  // Makes the head of a create. The caller may send the body or not.
  std::string MakeCreateHead(size_t body_bytes) const {
    std::string parent = "dbs/" + std::string(kDatabaseName) + "/colls/" + std::string(kContainerName);
    return Assemble({"POST", "docs", parent}, "/" + parent + "/docs",
                    "content-length: " + std::to_string(body_bytes) + "\r\n", "", 0);
  }

  std::string MakeCreateDatabase() const {
    return Assemble({"POST", "dbs", ""}, "/dbs", "", R"({"id":")" + std::string(kDatabaseName) + R"("})", 0);
  }

  // With a unique key on that path, or without one; with the default index on every path, or with none.
  std::string MakeCreateContainer(std::string_view name = kContainerName, std::string_view unique_path = "",
                                  bool indexed = true) const {
    std::string database = "dbs/" + std::string(kDatabaseName);
    std::string body = R"({"id":")" + std::string(name) + R"(","partitionKey":{"paths":["/pk"]})";
    if (!indexed) body.append(R"(,"indexingPolicy":{"indexingMode":"none","automatic":false})");
    if (!unique_path.empty()) {
      body.append(R"(,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":[")").append(unique_path).append(R"("]}]})");
    }
    return Assemble({"POST", "colls", database}, "/" + database + "/colls", "", body + "}", 0);
  }

  std::string MakeReplaceContainer(std::string_view name, int64_t default_ttl) const {
    std::string container = "dbs/" + std::string(kDatabaseName) + "/colls/" + std::string(name);
    std::string body = R"({"id":")" + std::string(name) + R"(","partitionKey":{"paths":["/pk"]},"defaultTtl":)";
    return Assemble({"PUT", "colls", container}, "/" + container, "", body + std::to_string(default_ttl) + "}", 0);
  }

  // Makes a create of a document of any size, in any container.
  std::string MakeCreateIn(std::string_view name, uint64_t number, size_t document_bytes) const {
    std::string container = "dbs/" + std::string(kDatabaseName) + "/colls/" + std::string(name);
    std::string key = R"(x-ms-documentdb-partitionkey: [")" + ItemPartitionKey(number) + "\"]\r\n";
    return Assemble({"POST", "docs", container}, "/" + container + "/docs", key, ItemJson(number, 0, document_bytes),
                    0);
  }

  // Everything is indexed except one path. `partitions` is the number of physical partitions.
  std::string MakeIndexedContainer(std::string_view name, std::string_view excluded_path, int partitions) const {
    std::string database = "dbs/" + std::string(kDatabaseName);
    std::string body = R"({"id":")" + std::string(name) + R"(","partitionKey":{"paths":["/pk"]},"indexingPolicy":)";
    body.append(R"({"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":")").append(excluded_path);
    body.append(R"("}]}})");
    std::string throughput;
    if (partitions > 1) throughput = "x-ms-offer-throughput: " + std::to_string(6'000 * partitions) + "\r\n";
    return Assemble({"POST", "colls", database}, "/" + database + "/colls", throughput, body, 0);
  }

  // Makes a batch that creates documents of one partition key, all or none.
  std::string MakeCreateBatch(std::string_view name, std::string_view key,
                              const std::vector<std::string>& documents) const {
    std::string container = "dbs/" + std::string(kDatabaseName) + "/colls/" + std::string(name);
    std::string body = "[";
    for (const std::string& document : documents) {
      body.append(body.size() > 1 ? "," : "").append(R"({"operationType":"Create","resourceBody":)");
      body.append(document).append("}");
    }
    std::string headers = "x-ms-cosmos-is-batch-request: True\r\nprefer: return=minimal\r\n";
    headers.append("x-ms-cosmos-batch-atomic: True\r\nx-ms-documentdb-partitionkey: [\"").append(key);
    headers.append("\"]\r\n");
    return Assemble({"POST", "docs", container}, "/" + container + "/docs", headers, body + "]", 0);
  }

  // The head of all cross-partition queries of a container. The lines that depend on the page follow it.
  std::string MakeQueryHead(std::string_view name) const {
    std::string container = "dbs/" + std::string(kDatabaseName) + "/colls/" + std::string(name);
    std::string headers = "x-ms-documentdb-isquery: True\r\nx-ms-max-item-count: 1000\r\n";
    headers += "x-ms-documentdb-query-enablecrosspartition: True\r\ncontent-type: application/query+json\r\n";
    return AssembleHead({"POST", "docs", container}, "/" + container + "/docs", headers, 0);
  }

 private:
  std::string Assemble(const api::cosmos::SignedParts& parts, const std::string& path, std::string_view extra_headers,
                       std::string_view body, int64_t age_s) const {
    std::string request = AssembleHead(parts, path, extra_headers, age_s);
    if (!body.empty()) {
      request.append("content-type: application/json\r\ncontent-length: ");
      request.append(std::to_string(body.size())).append("\r\n");
    }
    return request.append("\r\n").append(body);
  }

  // Without the empty line at its end.
  std::string AssembleHead(const api::cosmos::SignedParts& parts, const std::string& path,
                           std::string_view extra_headers, int64_t age_s) const {
    std::string date = Rfc1123Date(now_s_ - age_s);
    std::string head;
    head.append(parts.verb).append(" ").append(path).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    head.append("authorization: ").append(Authorization(signer_.Sign(parts, date))).append("\r\n");
    head.append("x-ms-date: ").append(date).append("\r\nx-ms-version: 2020-07-15\r\n").append(extra_headers);
    return head.append("accept: application/json\r\nuser-agent: lapse-bench\r\n");
  }

  // encodeURIComponent of the token: base64 has only three characters that need it.
  static std::string Authorization(std::string_view signature) {
    std::string header = "type%3Dmaster%26ver%3D1.0%26sig%3D";
    for (char c : signature) {
      switch (c) {
        case '+': header += "%2B"; break;
        case '/': header += "%2F"; break;
        case '=': header += "%3D"; break;
        default: header.push_back(c);
      }
    }
    return header;
  }

  const api::cosmos::Authenticator signer_;
  const int64_t now_s_;
};

}  // namespace lapse::bench
