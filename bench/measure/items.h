// The items of every benchmark: number n always has the same id, partition key and text, so that separate programs
// agree on them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/random.h"

namespace lapse::bench {

constexpr size_t kItemBytes = 1024;
constexpr uint64_t kPartitionKeys = 1000;

inline std::string ItemId(uint64_t number) {
  char id[32];
  std::snprintf(id, sizeof(id), "item-%012llu", static_cast<unsigned long long>(number));
  return id;
}

inline std::string ItemPartitionKey(uint64_t number) {
  return "tenant-" + std::to_string(number % kPartitionKeys);
}

// Letters that compress about as well as real text: words of a small alphabet.
inline void AppendText(uint64_t seed, size_t bytes, std::string* out) {
  for (size_t i = 0; i < bytes; ++i) {
    if (i % 8 == 7) {
      out->push_back(' ');
    } else {
      out->push_back(static_cast<char>('a' + (Mix64(seed * 1024 + i) >> 40) % 26));
    }
  }
}

constexpr size_t kItemBytesMin = 256;

// JSON of exactly `bytes` bytes, at least kItemBytesMin; `revision` changes the text and nothing else.
inline std::string ItemJson(uint64_t number, uint64_t revision, size_t bytes = kItemBytes) {
  std::string json = R"({"id":")" + ItemId(number) + R"(","pk":")" + ItemPartitionKey(number) +
                     R"(","kind":"order","total":129.95,"count":3,"paid":true,"created":1731628800123,)"
                     R"("tags":["new","priority","eu-west"],"address":{"city":"Zurich","zip":"8005"},)"
                     R"("revision":)" +
                     std::to_string(revision) + R"(,"text":")";
  AppendText(number * 31 + revision, bytes - json.size() - 2, &json);
  return json + R"("})";
}

}  // namespace lapse::bench
