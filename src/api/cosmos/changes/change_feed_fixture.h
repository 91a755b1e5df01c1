// Reads a change feed through the API, in either mode.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {

class ChangeFeedFixture : public ApiFixture {
 protected:
  // Reads one page of the container `c`.
  Answer Changes(Headers headers) {
    for (const auto& [name, value] : ModeHeaders()) headers.emplace(name, value);
    return Send("GET", "/dbs/db/colls/c/docs", "", std::move(headers));
  }

  // Reads all changes up to "not modified", and leaves `headers` at that position.
  std::vector<std::string> ReadOn(Headers* headers) {
    std::vector<std::string> changes;
    for (int page = 0; page < 100; ++page) {
      Answer answer = Changes(*headers);
      (*headers)["If-None-Match"] = answer.headers["etag"];
      if (answer.status == 304) return changes;
      EXPECT_EQ(answer.status, 200) << answer.body;
      if (answer.status != 200) return changes;
      for (std::string& change : ChangesOf(answer)) changes.push_back(std::move(change));
    }
    ADD_FAILURE() << "no end";
    return changes;
  }
  std::vector<std::string> ReadOn(Headers headers) { return ReadOn(&headers); }

  std::vector<std::string> ChangesOf(Answer& page) const {
    std::vector<std::string> changes;
    const int count = std::stoi(page.headers["x-ms-item-count"]);
    for (int i = 0; i < count; ++i) changes.push_back(Describe(page, "/Documents/" + std::to_string(i)));
    return changes;
  }

 private:
  virtual Headers ModeHeaders() const = 0;
  // Describes one change, at this path of the page.
  virtual std::string Describe(const Answer& page, const std::string& record) const = 0;
};

}  // namespace lapse::api::cosmos
