// For tests: documents written as JSON.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "doc/json.h"

namespace lapse::doc {

inline std::string Bson(std::string_view json) {
  std::string bson;
  const Status status = JsonToBson(json, {}, &bson);
  EXPECT_TRUE(status.ok()) << json << ": " << status.ToString();
  return bson;
}

}  // namespace lapse::doc
