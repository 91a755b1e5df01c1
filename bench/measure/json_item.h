// One item as clients send it: about 1 KB of JSON with ten properties, most of it one text.
#pragma once

#include <string>

namespace lapse::bench {

inline std::string JsonItem() {
  std::string text(760, 'x');
  for (size_t i = 7; i < text.size(); i += 8) text[i] = ' ';
  return R"({"id":"5f1f2c9e-8d3b-4a5e-9a61-0c6d1f0b7a11","tenant":"contoso","kind":"order","total":129.95,"count":3,)"
         R"("paid":true,"created":1731628800123,"tags":["new","priority","eu-west"],)"
         R"("address":{"city":"Zürich","zip":"8005"},"text":")" +
         text + R"("})";
}

}  // namespace lapse::bench
