#include "api/admin/access.h"

#include <gtest/gtest.h>

#include <string>

namespace lapse::api::admin {
namespace {

const AccountKeys kKeys = {
    .primary = "YWNjb3VudCBrZXk=", .secondary = "c2Vjb25kYXJ5", .read_only = "cmVhZGluZw==", .secondary_read_only = ""};

net::Request MakeRequest(std::string_view method, bool peer_loopback, std::vector<net::HeaderField> headers) {
  net::Request request;
  request.method = method;
  request.path = "/_lapse/health";
  request.headers = std::move(headers);
  request.peer_loopback = peer_loopback;
  return request;
}

Code Check(std::string_view method, bool peer_loopback, std::vector<net::HeaderField> headers,
           KeyRule rule = KeyRule::kElsewhere) {
  return CheckAccess(MakeRequest(method, peer_loopback, std::move(headers)), kKeys, {}, rule).code();
}

TEST(LoopbackHostTest, KnowsTheLoopbackNames) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:8081", "localhost", "LocalHost:1", "[::1]", "[::1]:8081"}) {
    EXPECT_TRUE(IsLoopbackHost(host)) << host;
  }
}

TEST(LoopbackHostTest, IsNotFooledByLookalikes) {
  for (const char* host : {"", "evil.org", "localhost.evil.org", "127.0.0.1.evil.org", "127.0.0.1:80:evil.org", "::1",
                           "[::1].evil.org", "localhost:8081@evil.org", "xlocalhost", "10.0.0.1"}) {
    EXPECT_FALSE(IsLoopbackHost(host)) << host;
  }
}

TEST(JsonContentTypeTest, TakesParametersAndAnyCase) {
  for (const char* type :
       {"application/json", "Application/JSON", "application/json; charset=utf-8", "application/json ;x"}) {
    EXPECT_TRUE(IsJsonContentType(type)) << type;
  }
  for (const char* type :
       {"", "text/plain", "application/jsonp", "text/plain; application/json", "application/x-www-form-urlencoded"}) {
    EXPECT_FALSE(IsJsonContentType(type)) << type;
  }
}

TEST(AccessTest, LoopbackIsOpenUnderALoopbackName) {
  EXPECT_EQ(Check("GET", true, {{"Host", "127.0.0.1:8081"}}), Code::kOk);
  EXPECT_EQ(Check("POST", true, {{"Host", "localhost"}}), Code::kOk);
}

TEST(AccessTest, LoopbackUnderAForeignNameNeedsTheKeyToRead) {
  EXPECT_EQ(Check("GET", true, {{"Host", "evil.org"}}), Code::kUnauthenticated);
  EXPECT_EQ(Check("GET", true, {}), Code::kUnauthenticated);
  EXPECT_EQ(Check("GET", true, {{"Host", "proxy.example"}, {"Authorization", "Bearer YWNjb3VudCBrZXk="}}), Code::kOk);
}

TEST(AccessTest, LoopbackUnderAForeignNameNeverPosts) {
  EXPECT_EQ(Check("POST", true, {{"Host", "evil.org"}}), Code::kForbidden);
  EXPECT_EQ(Check("POST", true, {{"Host", "evil.org"}, {"Authorization", "Bearer YWNjb3VudCBrZXk="}}),
            Code::kForbidden);
}

TEST(AccessTest, OtherMachinesNeedTheKeyWhateverTheyCallUs) {
  EXPECT_EQ(Check("GET", false, {{"Host", "127.0.0.1"}}), Code::kUnauthenticated);
  EXPECT_EQ(Check("POST", false, {{"Host", "localhost"}}), Code::kUnauthenticated);
  EXPECT_EQ(Check("GET", false, {{"Host", "db"}, {"Authorization", "Bearer YWNjb3VudCBrZXk="}}), Code::kOk);
  EXPECT_EQ(Check("POST", false, {{"Host", "db"}, {"Authorization", "bearer  YWNjb3VudCBrZXk= "}}), Code::kOk);
}

TEST(AccessTest, WhereTheKeyIsAlwaysNeededLoopbackShowsItToo) {
  const net::HeaderField key = {"Authorization", "Bearer YWNjb3VudCBrZXk="};
  const net::HeaderField wrong = {"Authorization", "Bearer YWNjb3VudCBrZXl="};
  EXPECT_EQ(Check("POST", true, {{"Host", "127.0.0.1:8081"}}, KeyRule::kAlways), Code::kUnauthenticated);
  EXPECT_EQ(Check("POST", true, {{"Host", "127.0.0.1:8081"}, wrong}, KeyRule::kAlways), Code::kUnauthenticated);
  EXPECT_EQ(Check("POST", true, {{"Host", "127.0.0.1:8081"}, key}, KeyRule::kAlways), Code::kOk);
  EXPECT_EQ(Check("POST", true, {{"Host", "evil.org"}, key}, KeyRule::kAlways), Code::kForbidden);
  EXPECT_EQ(Check("POST", false, {{"Host", "db"}}, KeyRule::kAlways), Code::kUnauthenticated);
  EXPECT_EQ(Check("POST", false, {{"Host", "db"}, key}, KeyRule::kAlways), Code::kOk);
}

TEST(AccessTest, AWrongKeyIsNoKey) {
  for (const char* authorization : {"", "Bearer", "Bearer ", "Bearer YWNjb3VudCBrZXk",
                                    "Bearer YWNjb3VudCBrZXl=", "Basic YWNjb3VudCBrZXk=", "YWNjb3VudCBrZXk="}) {
    EXPECT_EQ(Check("GET", false, {{"Host", "db"}, {"Authorization", authorization}}), Code::kUnauthenticated)
        << authorization;
  }
}

TEST(AccessTest, EitherReadWriteKeyIsGood) {
  EXPECT_EQ(Check("GET", false, {{"Host", "db"}, {"Authorization", "Bearer c2Vjb25kYXJ5"}}), Code::kOk);
  EXPECT_EQ(Check("POST", false, {{"Host", "db"}, {"Authorization", "Bearer c2Vjb25kYXJ5"}}), Code::kOk);
}

TEST(AccessTest, AReadOnlyKeyReadsAndChangesNothing) {
  const net::HeaderField reading = {"Authorization", "Bearer cmVhZGluZw=="};
  EXPECT_EQ(Check("GET", false, {{"Host", "db"}, reading}), Code::kOk);
  EXPECT_EQ(Check("GET", true, {{"Host", "proxy.example"}, reading}), Code::kOk);
  EXPECT_EQ(Check("POST", false, {{"Host", "db"}, reading}), Code::kForbidden);
  EXPECT_EQ(Check("DELETE", false, {{"Host", "db"}, reading}), Code::kForbidden);
  EXPECT_EQ(Check("POST", true, {{"Host", "localhost"}, reading}, KeyRule::kAlways), Code::kForbidden);
  EXPECT_EQ(Check("POST", true, {{"Host", "localhost"}, reading}), Code::kOk) << "no key is needed here";
}

TEST(AccessTest, ASignatureIsAsGoodAsTheKey) {
  KeyChecks checks;
  checks.signature = [](const net::Request& request) -> Result<KeyKind> {
    if (request.Header("authorization") == "signed") return KeyKind::kReadWrite;
    if (request.Header("authorization") == "signed to read") return KeyKind::kReadOnly;
    return Status(Code::kUnauthenticated, "wrong");
  };
  auto check = [&](std::string_view method, std::string_view authorization) {
    return CheckAccess(MakeRequest(method, false, {{"Host", "db"}, {"Authorization", authorization}}), kKeys, checks)
        .code();
  };
  EXPECT_EQ(check("GET", "signed"), Code::kOk);
  EXPECT_EQ(check("POST", "signed"), Code::kOk);
  EXPECT_EQ(check("GET", "signed to read"), Code::kOk);
  EXPECT_EQ(check("POST", "signed to read"), Code::kForbidden);
  EXPECT_EQ(check("GET", "badly signed"), Code::kUnauthenticated);
  EXPECT_EQ(check("GET", ""), Code::kUnauthenticated);
  EXPECT_EQ(check("GET", "Bearer YWNjb3VudCBrZXk="), Code::kOk);
}

TEST(AccessTest, UnderANameThatAWebPageCanHaveNoKeyCounts) {
  KeyChecks checks;
  checks.host = [](std::string_view host) {
    return host == "evil.example" ? Status(Code::kForbidden, "the well-known key") : Status::Ok();
  };
  const net::HeaderField key = {"Authorization", "Bearer YWNjb3VudCBrZXk="};
  for (bool loopback : {false, true}) {
    EXPECT_EQ(CheckAccess(MakeRequest("GET", loopback, {{"Host", "evil.example"}, key}), kKeys, checks).code(),
              Code::kForbidden);
    EXPECT_EQ(CheckAccess(MakeRequest("GET", loopback, {{"Host", "10.0.0.1"}, key}), kKeys, checks).code(), Code::kOk);
  }
}

TEST(AccessTest, TwoKeysAreNone) {
  for (bool loopback : {false, true}) {
    EXPECT_EQ(Check("GET", loopback,
                    {{"Host", "127.0.0.1"},
                     {"Authorization", "Bearer YWNjb3VudCBrZXk="},
                     {"authorization", "Bearer YWNjb3VudCBrZXk="}}),
              Code::kInvalidArgument);
  }
}

TEST(AccessTest, AnEmptyKeyOpensNothing) {
  net::Request request = MakeRequest("GET", false, {{"Host", "db"}, {"Authorization", "Bearer "}});
  EXPECT_EQ(CheckAccess(request, {}, {}).code(), Code::kUnauthenticated);
}

}  // namespace
}  // namespace lapse::api::admin
