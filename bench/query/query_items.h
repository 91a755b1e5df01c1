// The items of the query benchmark: 1 KB, twelve values beside a long text. Item n is the same for every product.
#pragma once

#include <cstdint>
#include <string>

#include "base/random.h"
#include "bench/measure/items.h"

namespace lapse::bench {

constexpr uint64_t kCategories = 100;
constexpr uint64_t kStates = 50;
constexpr uint64_t kGroups = 1000;
// Items that are written together share a partition key.
constexpr uint64_t kItemsOfKey = 100;
constexpr uint64_t kQueryKeys = 500;

inline std::string QueryItemKey(uint64_t number) {
  return "tenant-" + std::to_string(number / kItemsOfKey % kQueryKeys);
}

// Maps each number below `items` to a different rank, in an order unrelated to that of the items.
inline uint64_t RankOf(uint64_t number, uint64_t items) {
  constexpr uint64_t kPrime = 2'147'483'647;
  return (number % items) * (kPrime % items) % items;
}

// `items` must not be a multiple of kPrime above; two of the fields together pick one item in 5,000.
inline std::string QueryItemJson(uint64_t number, uint64_t items) {
  const uint64_t rank = RankOf(number, items);
  const auto text = [](const char* prefix, uint64_t value) { return '"' + (prefix + std::to_string(value)) + '"'; };
  std::string json = R"({"id":")" + ItemId(number) + R"(","pk":")" + QueryItemKey(number) + '"';
  json += R"(,"rank":)" + std::to_string(rank);
  // As doubles, halves among them.
  json += R"(,"total":)" + std::to_string(rank / 2) + (rank % 2 == 0 ? ".0" : ".5");
  json += R"(,"category":)" + text("category-", rank % kCategories);
  json += R"(,"state":)" + text("state-", rank / kCategories % kStates);
  json += R"(,"group":)" + text("group-", Mix64(number) % kGroups);
  json += R"(,"quantity":)" + std::to_string(1 + rank % 9);
  json += R"(,"paid":)" + std::string(rank % 2 == 0 ? "true" : "false");
  json += R"(,"tags":["new","eu-west"],"address":{"city":"Zurich","zip":"8005"},"text":")";
  AppendText(number * 31, kItemBytes - json.size() - 2, &json);
  return json + R"("})";
}

}  // namespace lapse::bench
