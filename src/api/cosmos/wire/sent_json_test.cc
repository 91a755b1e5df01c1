#include "api/cosmos/wire/sent_json.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace lapse::api::cosmos {
namespace {

TEST(SentJsonTest, GivesAValueAsItWasWritten) {
  struct Case {
    std::string_view json;
    std::string_view value;
  };
  for (const Case& c : {
           Case{R"({"ttl":1.50})", "1.50"},
           Case{R"( { "a" : [ 1 , {"ttl":2} ] , "ttl" : -1e400 , "b":3 } )", "-1e400"},
           Case{R"({"ttl" : null})", "null"},
           Case{R"({"ttl":"6\"}0"})", R"("6\"}0")"},
           Case{R"({"ttl":{"a":"}]","b":[{}]},"x":1})", R"({"a":"}]","b":[{}]})"},
           Case{R"({"a":"\"ttl\":5","ttl":7})", "7"},
           Case{R"({"a":"\\","ttl":[ 1, 2 ]})", "[ 1, 2 ]"},
       }) {
    EXPECT_EQ(SentMember(c.json, "ttl"), c.value) << c.json;
  }
}

TEST(SentJsonTest, GivesNothingWhereThereIsNoSuchMember) {
  for (std::string_view json : {"", "{}", "[]", R"({"a":{"ttl":1}})", R"({"ttl2":1,"tt":2})", R"({"\u0074tl":1})"}) {
    EXPECT_EQ(SentMember(json, "ttl"), "") << json;
  }
}

TEST(SentJsonTest, StaysWithinATextThatEndsAnywhere) {
  std::string json = R"({"a":["\\",{"b":"]"}],"ttl":{"c":"\"x"}})";
  for (size_t size = 0; size < json.size(); ++size) {
    std::string_view value = SentMember(std::string_view(json).substr(0, size), "ttl");
    EXPECT_LE(value.size(), size);
  }
  for (std::string_view broken : {"{\"ttl\"", "{\"ttl\":", "{\"ttl\":]", "{\"a\":}\"ttl\":1", "{\"a\":1 \"ttl\":2}"}) {
    EXPECT_EQ(SentMember(broken, "ttl"), "") << broken;
  }
}

}  // namespace
}  // namespace lapse::api::cosmos
