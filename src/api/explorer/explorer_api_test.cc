#include "api/explorer/explorer_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "net/test_sink.h"

namespace lapse::api::explorer {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr ExplorerFile kFiles[] = {
    {.path = "index.html",
     .content_type = "text/html; charset=utf-8",
     .hash = "aaaa",
     .plain = "<title>plain</title>",
     .gzip = "gzipped index",
     .brotli = "brotli index"},
    {.path = "assets/index-1f.js",
     .content_type = "text/javascript; charset=utf-8",
     .hash = "bbbb",
     .plain = "plain script",
     .gzip = "gzipped script",
     .brotli = ""},
    {.path = "favicon.svg",
     .content_type = "image/svg+xml",
     .hash = "cccc",
     .plain = "<svg/>",
     .gzip = "",
     .brotli = ""},
};

struct Answer {
  int status;
  std::string headers;
  std::string body;
};

Answer Ask(ExplorerFiles files, std::string_view method, std::string_view path,
           std::vector<net::HeaderField> headers = {}) {
  net::Request request;
  request.method = method;
  request.path = path;
  request.headers = std::move(headers);
  ExplorerApi api(files);
  auto sink = std::make_shared<net::RecordingSink>();
  api.Handle(request, net::Responder(sink));
  EXPECT_EQ(sink->sent(), 1);
  return {sink->response().status(), sink->response().header_lines(), sink->response().body()};
}

Answer Get(std::string_view path, std::vector<net::HeaderField> headers = {}) {
  return Ask(kFiles, "GET", path, std::move(headers));
}

Answer GetAs(std::string_view accept_encoding, std::string_view path = "/_explorer/") {
  return Get(path, {{"Accept-Encoding", accept_encoding}});
}

TEST(ExplorerApiTest, OwnsItsPrefixAlone) {
  for (const char* path : {"/_explorer", "/_explorer/", "/_explorer/assets/x.js"}) {
    EXPECT_TRUE(ExplorerApi::Owns(path)) << path;
  }
  for (const char* path : {"/", "/_explorers", "/_explore", "/dbs/_explorer/", "//_explorer/"}) {
    EXPECT_FALSE(ExplorerApi::Owns(path)) << path;
  }
}

TEST(ExplorerApiTest, TheIndexHasTwoNames) {
  for (const char* path : {"/_explorer/", "/_explorer/index.html"}) {
    const Answer answer = Get(path);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "<title>plain</title>");
    EXPECT_THAT(answer.headers, HasSubstr("Content-Type: text/html; charset=utf-8\r\n"));
    EXPECT_THAT(answer.headers, HasSubstr("Cache-Control: no-cache\r\n"));
    EXPECT_THAT(answer.headers, HasSubstr("ETag: \"aaaa\"\r\n"));
    EXPECT_THAT(answer.headers, HasSubstr("Vary: Accept-Encoding\r\n"));
    EXPECT_THAT(answer.headers, Not(HasSubstr("Content-Encoding")));
  }
}

TEST(ExplorerApiTest, WithoutItsSlashTheAddressIsRedirected) {
  const Answer answer = Get("/_explorer");
  EXPECT_EQ(answer.status, 308);
  EXPECT_THAT(answer.headers, HasSubstr("Location: _explorer/\r\n"));
}

TEST(ExplorerApiTest, NamesWithAHashAreKeptForEver) {
  const Answer answer = Get("/_explorer/assets/index-1f.js");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "plain script");
  EXPECT_THAT(answer.headers, HasSubstr("Cache-Control: public, max-age=31536000, immutable\r\n"));
  EXPECT_THAT(answer.headers, HasSubstr("Content-Type: text/javascript; charset=utf-8\r\n"));
  EXPECT_THAT(Get("/_explorer/favicon.svg").headers, HasSubstr("Cache-Control: no-cache\r\n"));
}

TEST(ExplorerApiTest, EveryAnswerIsKeptIn) {
  for (const Answer& answer :
       {Get("/_explorer/"), Get("/_explorer"), Get("/_explorer/nothing"), Ask(kFiles, "POST", "/_explorer/"),
        Ask({}, "GET", "/_explorer/"), Get("/_explorer/", {{"If-None-Match", "*"}})}) {
    EXPECT_THAT(answer.headers,
                HasSubstr("Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' "
                          "'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src "
                          "'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
                          "'none'\r\n"));
    for (const char* line :
         {"X-Content-Type-Options: nosniff\r\n", "X-Frame-Options: DENY\r\n", "Referrer-Policy: no-referrer\r\n",
          "Cross-Origin-Opener-Policy: same-origin\r\n", "Cross-Origin-Resource-Policy: same-origin\r\n"}) {
      EXPECT_THAT(answer.headers, HasSubstr(line)) << answer.status;
    }
    EXPECT_THAT(answer.headers, Not(HasSubstr("Access-Control")));
    EXPECT_THAT(answer.headers, Not(HasSubstr("Set-Cookie")));
  }
}

TEST(ExplorerApiTest, TheClientChoosesTheEncoding) {
  for (const char* accepts : {"br", "gzip, deflate, br, zstd", "gzip;q=1.0, BR;q=0.1", "*", "*;q=0.5", " br ,,"}) {
    const Answer answer = GetAs(accepts);
    EXPECT_EQ(answer.body, "brotli index") << accepts;
    EXPECT_THAT(answer.headers, HasSubstr("Content-Encoding: br\r\n"));
    EXPECT_THAT(answer.headers, HasSubstr("ETag: \"aaaa-br\"\r\n"));
  }
  for (const char* accepts : {"gzip", "gzip, deflate", "br;q=0, gzip", "br; q=0.000, *", "*;q=0, gzip"}) {
    const Answer answer = GetAs(accepts);
    EXPECT_EQ(answer.body, "gzipped index") << accepts;
    EXPECT_THAT(answer.headers, HasSubstr("Content-Encoding: gzip\r\n"));
    EXPECT_THAT(answer.headers, HasSubstr("ETag: \"aaaa-gzip\"\r\n"));
  }
  for (const char* accepts : {"", "identity", "deflate", "gzip;q=0, br;q=0", "*;q=0", "brr", ";", "x-gzip", ",,,"}) {
    EXPECT_EQ(GetAs(accepts).body, "<title>plain</title>") << accepts;
  }
}

TEST(ExplorerApiTest, SeveralLinesAreOneList) {
  const Answer answer = Get("/_explorer/", {{"Accept-Encoding", "deflate"}, {"accept-encoding", "gzip"}});
  EXPECT_EQ(answer.body, "gzipped index");
}

TEST(ExplorerApiTest, AnEncodingThatIsNotThereIsNotSent) {
  EXPECT_EQ(GetAs("br, gzip", "/_explorer/assets/index-1f.js").body, "gzipped script");
  EXPECT_EQ(GetAs("br", "/_explorer/assets/index-1f.js").body, "plain script");
  EXPECT_EQ(GetAs("br, gzip", "/_explorer/favicon.svg").body, "<svg/>");
}

TEST(ExplorerApiTest, WhatTheClientHasIsNotSentAgain) {
  for (const char* tags : {"\"aaaa\"", "W/\"aaaa\"", "\"aaaa-br\"", "\"aaaa-gzip\"", "*", "\"x\", W/\"aaaa-br\""}) {
    const Answer answer = Get("/_explorer/", {{"If-None-Match", tags}, {"Accept-Encoding", "br"}});
    EXPECT_EQ(answer.status, 304) << tags;
    EXPECT_EQ(answer.body, "");
    EXPECT_THAT(answer.headers, HasSubstr("ETag: \"aaaa-br\"\r\n"));
    EXPECT_THAT(answer.headers, HasSubstr("Cache-Control: no-cache\r\n"));
    EXPECT_THAT(answer.headers, HasSubstr("Vary: Accept-Encoding\r\n"));
  }
  for (const char* tags : {"", "\"bbbb\"", "aaaa", "\"aaaa", "\"aaaa-x\"", "\"\"", "\"", "W/", "\"aaaabr\""}) {
    EXPECT_EQ(Get("/_explorer/", {{"If-None-Match", tags}}).status, 200) << tags;
  }
}

TEST(ExplorerApiTest, HeadHasTheHeadersOfGet) {
  const Answer get = GetAs("gzip");
  const Answer head = Ask(kFiles, "HEAD", "/_explorer/", {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers, get.headers);
  EXPECT_EQ(head.body, get.body) << "the connection counts these bytes and sends none";
}

TEST(ExplorerApiTest, OtherVerbsAreRefused) {
  for (const char* verb : {"POST", "PUT", "DELETE", "OPTIONS", "get"}) {
    const Answer answer = Ask(kFiles, verb, "/_explorer/");
    EXPECT_EQ(answer.status, 405) << verb;
    EXPECT_THAT(answer.headers, HasSubstr("Allow: GET, HEAD\r\n"));
  }
}

TEST(ExplorerApiTest, UnknownFilesAre404) {
  for (const char* path : {"/_explorer/nothing", "/_explorer/assets/", "/_explorer/assets", "/_explorer//index.html",
                           "/_explorer/../index.html", "/_explorer/INDEX.HTML", "/_explorer/index%2Ehtml"}) {
    const Answer answer = Get(path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_THAT(answer.headers, HasSubstr("Content-Type: text/plain; charset=utf-8\r\n"));
    EXPECT_THAT(answer.body, HasSubstr("/_explorer/"));
  }
}

TEST(ExplorerApiTest, AServerWithoutThePageSaysSo) {
  for (const char* path : {"/_explorer", "/_explorer/", "/_explorer/index.html"}) {
    const Answer answer = Ask({}, "GET", path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_THAT(answer.body, HasSubstr("built without the Data Explorer"));
  }
}

TEST(ExplorerApiTest, NoBodyIsRead) {
  net::Request head;
  head.method = "POST";
  head.path = "/_explorer/";
  net::Response refusal;
  EXPECT_FALSE(ExplorerApi(kFiles).Admit(head, refusal));
  EXPECT_EQ(refusal.status(), 405);
}

}  // namespace
}  // namespace lapse::api::explorer
