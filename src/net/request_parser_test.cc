#include "net/request_parser.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lapse::net {
namespace {

constexpr ParserLimits kLimits = {.header_bytes_max = 512, .headers_max = 8, .body_bytes_max = 64};

// All results of a parse, in a form that can be compared.
struct Parsed {
  RequestParser::Outcome outcome = RequestParser::Outcome::kNeedMore;
  int status = 0;
  std::string reason;
  std::string method, path, query, body;
  std::vector<std::pair<std::string, std::string>> headers;
  size_t request_bytes = 0;
  bool keep_alive = false;
  bool http_1_0 = false;

  bool operator==(const Parsed&) const = default;
};

Parsed Describe(RequestParser& parser, RequestParser::Outcome outcome) {
  Parsed parsed;
  parsed.outcome = outcome;
  if (outcome == RequestParser::Outcome::kFailed) {
    parsed.status = parser.error().status;
    parsed.reason = parser.error().reason;
  }
  if (outcome != RequestParser::Outcome::kDone) return parsed;
  const Request& request = parser.request();
  parsed.method = request.method;
  parsed.path = request.path;
  parsed.query = request.query;
  parsed.body = request.body;
  for (const HeaderField& field : request.headers) parsed.headers.emplace_back(field.name, field.value);
  parsed.request_bytes = parser.request_bytes();
  parsed.keep_alive = parser.keep_alive();
  parsed.http_1_0 = parser.http_1_0();
  return parsed;
}

Parsed ParseWhole(std::string_view bytes) {
  RequestParser parser(kLimits);
  const RequestParser::Outcome outcome = parser.Parse(bytes);
  return Describe(parser, outcome);
}

// Each prefix is in memory of its own, freed before the next call, so that ASan finds views kept too long.
Parsed ParseByteByByte(std::string_view bytes) {
  RequestParser parser(kLimits);
  RequestParser::Outcome outcome = parser.Parse({});
  std::unique_ptr<char[]> shown;
  for (size_t size = 1; size <= bytes.size() && outcome == RequestParser::Outcome::kNeedMore; ++size) {
    shown = std::make_unique<char[]>(size);
    bytes.copy(shown.get(), size);
    outcome = parser.Parse({shown.get(), size});
  }
  return Describe(parser, outcome);
}

Parsed Parse(std::string_view bytes) {
  const Parsed whole = ParseWhole(bytes);
  EXPECT_EQ(whole, ParseByteByByte(bytes)) << bytes;
  return whole;
}

std::string Get(std::string_view headers) {
  return "GET / HTTP/1.1\r\nHost: h\r\n" + std::string(headers) + "\r\n";
}

std::string Chunked(std::string_view body) {
  return "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(body);
}

TEST(RequestParserTest, TakesARequestApart) {
  const std::string bytes =
      "POST /dbs/a%20b?x=1&y HTTP/1.1\r\nHost: h:8081\r\nX-Blank:\r\nX-Spaced: \t a b \t\r\nContent-Length: "
      "5\r\n\r\nhello";
  const Parsed parsed = Parse(bytes + "GET");
  ASSERT_EQ(parsed.outcome, RequestParser::Outcome::kDone);
  EXPECT_EQ(parsed.method, "POST");
  EXPECT_EQ(parsed.path, "/dbs/a%20b");
  EXPECT_EQ(parsed.query, "x=1&y");
  EXPECT_EQ(parsed.body, "hello");
  EXPECT_EQ(parsed.request_bytes, bytes.size());
  EXPECT_TRUE(parsed.keep_alive);
  const std::vector<std::pair<std::string, std::string>> headers = {
      {"Host", "h:8081"}, {"X-Blank", ""}, {"X-Spaced", "a b"}, {"Content-Length", "5"}};
  EXPECT_EQ(parsed.headers, headers);
}

TEST(RequestParserTest, AcceptsWhatTheGrammarAllows) {
  const std::vector<std::string> accepted = {
      Get(""),
      "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET / HTTP/1.1\r\nHost:\r\n\r\n",
      "GET / HTTP/1.1\r\nhOsT:[::1]:8081\r\n\r\n",
      "GET / HTTP/1.0\r\n\r\n",
      "M-SEARCH!#$ /x HTTP/1.1\r\nHost: h\r\n\r\n",
      Get("X: \x80\xff\r\n"),
      Get("X: a\tb\r\n"),
      Get("X: a\r\nX: b\r\n"),
      Get("Content-Length: 0\r\n"),
      Get("Content-Length: 000\r\n"),
      Get("Expect: 100-Continue\r\n"),
      Get("Upgrade: h2c\r\nConnection: Upgrade\r\n"),
      Chunked("0\r\n\r\n"),
  };
  for (const std::string& bytes : accepted) {
    EXPECT_EQ(Parse(bytes).outcome, RequestParser::Outcome::kDone) << bytes;
  }
}

TEST(RequestParserTest, RefusesWhatItMust) {
  struct Case {
    int status;
    std::string bytes;
  };
  const std::vector<Case> cases = {
      // Request line.
      {400, "\x16\x03\x01"},
      {400, " GET / HTTP/1.1\r\n"},
      {400, "G@T / HTTP/1.1\r\n"},
      {400, "GET\r\n"},
      {400, "GET /\r\n"},
      {400, "GET  / HTTP/1.1\r\n"},
      {400, "GET /  HTTP/1.1\r\n"},
      {400, "GET / HTTP/1.1 \r\n"},
      {400, "GET /a b HTTP/1.1\r\n"},
      {400, "GET /\x80 HTTP/1.1\r\n"},
      {400, std::string("GET /\0 HTTP/1.1\r\n", 17)},
      {400, "GET /#f HTTP/1.1\r\n"},
      {400, "GET / HTTP/1.1\n"},
      {400, "GET / HTTP/1.1\r\r\n"},
      {400, "GET / http/1.1\r\n"},
      {400, "GET / HTTP/1.10\r\n"},
      {505, "GET / HTTP/2.0\r\n"},
      {505, "GET / HTTP/1.2\r\n"},
      {505, "GET / HTTP/0.9\r\n"},
      {400, "OPTIONS * HTTP/1.1\r\n"},
      {400, "CONNECT h:443 HTTP/1.1\r\n"},
      {400, "GET relative HTTP/1.1\r\n"},
      {400, "GET ftp://h/ HTTP/1.1\r\n"},
      {400, "GET http:///x HTTP/1.1\r\n"},
      {400, "GET http:// HTTP/1.1\r\n"},
      {414, "GET /" + std::string(600, 'a') + " HTTP/1.1\r\n\r\n"},
      // Header lines.
      {400, Get("X : a\r\n")},
      {400, Get("X\r\n")},
      {400, Get(": a\r\n")},
      {400, Get("X Y: a\r\n")},
      {400, Get(" folded\r\n")},
      {400, "GET / HTTP/1.1\r\n Host: h\r\n\r\n"},
      {400, Get("X: a\r\n\tfolded\r\n")},
      {400, Get("X: a\nY: b\r\n")},
      {400, Get("X: a\rb\r\n")},
      {400, Get(std::string("X: a\0b\r\n", 8))},
      {400, Get("X: \x01\r\n")},
      {400, Get("X: \x7f\r\n")},
      {400, Get("X: a value of some length\x1f and more\r\n")},
      {431, Get("X: " + std::string(600, 'a') + "\r\n")},
      {431, Get("A: 1\r\nB: 1\r\nC: 1\r\nD: 1\r\nE: 1\r\nF: 1\r\nG: 1\r\nI: 1\r\n")},
      // Host.
      {400, "GET / HTTP/1.1\r\n\r\n"},
      {400, Get("Host: h\r\n")},
      {400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"},
      // Framing.
      {400, Get("Content-Length: 1\r\nContent-Length: 1\r\n")},
      {400, Get("Content-Length: 1\r\nContent-Length: 2\r\n")},
      {400, Get("Content-Length: 1, 1\r\n")},
      {400, Get("Content-Length:\r\n")},
      {400, Get("Content-Length: +1\r\n")},
      {400, Get("Content-Length: -1\r\n")},
      {400, Get("Content-Length: 0x1\r\n")},
      {400, Get("Content-Length: 18446744073709551616\r\n")},
      {400, Get("Content-Length: 99999999999999999999999\r\n")},
      {413, Get("Content-Length: 65\r\n")},
      {413, Get("Content-Length: 18446744073709551615\r\n")},
      {400, Get("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n")},
      {400, Get("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n")},
      {400, Get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")},
      {501, Get("Transfer-Encoding: gzip, chunked\r\n")},
      {501, Get("Transfer-Encoding: identity\r\n")},
      {501, Get("Transfer-Encoding:\r\n")},
      {400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"},
      {417, Get("Expect: a-miracle\r\n")},
      {413, Chunked("41\r\n")},
      {400, Chunked("11111111111111111\r\n")},
  };
  for (const Case& c : cases) {
    const Parsed parsed = Parse(c.bytes);
    EXPECT_EQ(parsed.status, c.status) << c.bytes << "\n" << parsed.reason;
    EXPECT_FALSE(c.status != 0 && parsed.reason.empty()) << c.bytes;
  }
}

TEST(RequestParserTest, WaitsForTheRest) {
  const std::string bytes = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab";
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(Parse(bytes.substr(0, size)).outcome, RequestParser::Outcome::kNeedMore) << size;
  }
}

TEST(RequestParserTest, HeadMayBeAsLargeAsTheLimitAndNoLarger) {
  const std::string frame = Get("X: \r\n");
  const std::string largest = Get("X: " + std::string(kLimits.header_bytes_max - frame.size(), 'a') + "\r\n");
  ASSERT_EQ(largest.size(), kLimits.header_bytes_max);
  EXPECT_EQ(Parse(largest).outcome, RequestParser::Outcome::kDone);
  const std::string larger = Get("X: " + std::string(kLimits.header_bytes_max - frame.size() + 1, 'a') + "\r\n");
  EXPECT_EQ(Parse(larger).status, 431);
}

TEST(RequestParserTest, TakesThePathOfAnAbsoluteTarget) {
  struct Case {
    std::string target, path, query;
  };
  const std::vector<Case> cases = {{"http://h:1/a/b?c=d", "/a/b", "c=d"},
                                   {"HTTPS://h/a", "/a", ""},
                                   {"http://h", "/", ""},
                                   {"http://h?c", "/", "c"},
                                   {"/a?b?c", "/a", "b?c"},
                                   {"/?", "/", ""},
                                   {"//a", "//a", ""}};
  for (const Case& c : cases) {
    const Parsed parsed = Parse("GET " + c.target + " HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(parsed.path, c.path) << c.target;
    EXPECT_EQ(parsed.query, c.query) << c.target;
  }
}

// RFC 9112, section 3.2.2: the header is ignored then.
TEST(RequestParserTest, TheHostOfAnAbsoluteTargetCounts) {
  const auto host_of = [](const std::string& bytes, size_t first) {
    RequestParser parser(kLimits);
    // The buffer moves between two calls.
    if (first > 0) {
      const std::string begin = bytes.substr(0, first);
      EXPECT_EQ(parser.Parse(begin), RequestParser::Outcome::kNeedMore);
    }
    const std::string copy = bytes;
    EXPECT_EQ(parser.Parse(copy), RequestParser::Outcome::kDone) << bytes;
    return std::string(parser.request().Header("host"));
  };
  for (const size_t first : {size_t{0}, size_t{20}, size_t{48}}) {
    EXPECT_EQ(host_of("GET http://evil.com:81/dbs HTTP/1.1\r\nHost: localhost\r\n\r\n", first), "evil.com:81");
    EXPECT_EQ(host_of("GET http://evil.com/dbs/and/more HTTP/1.0\r\nX: localhost\r\n\r\n", first), "evil.com");
    EXPECT_EQ(host_of("GET /dbs/and/more/and/more HTTP/1.1\r\nHost: localhost\r\n\r\n", first), "localhost");
  }
  EXPECT_EQ(Parse("GET http://a@b/dbs HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 400);
  EXPECT_EQ(Parse("GET http://a/dbs HTTP/1.1\r\n\r\n").status, 400) << "it must be there all the same";
}

TEST(RequestParserTest, KeepsAliveAsTheVersionAndTheConnectionHeaderSay) {
  EXPECT_TRUE(Parse(Get("")).keep_alive);
  EXPECT_FALSE(Parse(Get("Connection: close\r\n")).keep_alive);
  EXPECT_FALSE(Parse(Get("Connection: x ,CLOSE\r\n")).keep_alive);
  EXPECT_FALSE(Parse(Get("Connection: keep-alive\r\nConnection: close\r\n")).keep_alive);
  EXPECT_TRUE(Parse(Get("Connection: closed\r\n")).keep_alive);
  EXPECT_FALSE(Parse("GET / HTTP/1.0\r\n\r\n").keep_alive);
  EXPECT_TRUE(Parse("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").keep_alive);
  EXPECT_TRUE(Parse("GET / HTTP/1.0\r\n\r\n").http_1_0);
}

TEST(RequestParserTest, PutsChunksTogether) {
  const std::string bytes = Chunked("5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nTrailer: x\r\n\r\n");
  const Parsed parsed = Parse(bytes + "next");
  EXPECT_EQ(parsed.body, "hello world");
  EXPECT_EQ(parsed.request_bytes, bytes.size());
}

TEST(RequestParserTest, GivesBackTheRawBytesOfAChunkedBody) {
  const std::string bytes = Chunked("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n");
  RequestParser parser(kLimits);
  std::string buffer;
  RequestParser::Outcome outcome = RequestParser::Outcome::kNeedMore;
  size_t buffer_bytes_max = 0;
  for (char c : bytes) {
    ASSERT_EQ(outcome, RequestParser::Outcome::kNeedMore);
    buffer.push_back(c);
    outcome = parser.Parse(buffer);
    if (outcome != RequestParser::Outcome::kNeedMore) break;
    if (const size_t released = parser.ReleaseDecoded(); released > 0) buffer.erase(parser.head_bytes(), released);
    buffer_bytes_max = std::max(buffer_bytes_max, buffer.size());
  }
  ASSERT_EQ(outcome, RequestParser::Outcome::kDone);
  EXPECT_EQ(parser.request().body, "hello world");
  EXPECT_EQ(parser.request_bytes(), buffer.size());
  EXPECT_EQ(buffer_bytes_max, Chunked("").size());
}

TEST(RequestParserTest, SaysWhenTheClientWaitsForContinue) {
  const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  RequestParser parser(kLimits);
  EXPECT_EQ(parser.Parse(head.substr(0, head.size() - 1)), RequestParser::Outcome::kNeedMore);
  EXPECT_FALSE(parser.continue_expected());
  EXPECT_EQ(parser.Parse(head), RequestParser::Outcome::kNeedMore);
  EXPECT_TRUE(parser.continue_expected());
  EXPECT_EQ(parser.bytes_missing(), 2u);
  EXPECT_EQ(parser.Parse(head + "a"), RequestParser::Outcome::kNeedMore);
  EXPECT_FALSE(parser.continue_expected());
}

TEST(RequestParserTest, TellsARequestThatHasBegunFromSilence) {
  RequestParser parser(kLimits);
  EXPECT_FALSE(parser.begun());
  parser.Parse("\r\n");
  EXPECT_FALSE(parser.begun());
  parser.Parse("\r\nG");
  EXPECT_TRUE(parser.begun());
}

TEST(RequestParserTest, IsAsNewAfterReset) {
  RequestParser parser(kLimits);
  ASSERT_EQ(parser.Parse(Chunked("1\r\nx\r\n0\r\n\r\n")), RequestParser::Outcome::kDone);
  parser.Reset();
  ASSERT_EQ(parser.Parse("GET /\x01"), RequestParser::Outcome::kNeedMore);
  ASSERT_EQ(parser.Parse("GET /\x01\r\n"), RequestParser::Outcome::kFailed);
  parser.Reset();
  const std::string bytes = Get("X: 1\r\n");
  const RequestParser::Outcome outcome = parser.Parse(bytes);
  EXPECT_EQ(Describe(parser, outcome), ParseWhole(bytes));
}

}  // namespace
}  // namespace lapse::net
