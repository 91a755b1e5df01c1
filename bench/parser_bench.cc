// What it costs to take one request apart: our own parser beside that of Boost.Beast. The request is a point read as
// `@azure/cosmos` 4.9.3 sends it, shown whole, as most requests come. Each parser is used as a server would
// use it for speed: ours keeps its memory from request to request; Beast's is made anew for each, as its interface
// asks, once over fields that the standard allocator keeps, once over fields in a buffer on the stack.
#include <benchmark/benchmark.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/parser.hpp>
#include <cstddef>
#include <cstdlib>
#include <memory_resource>
#include <string>
#include <string_view>

#include "net/request_parser.h"

namespace lapse::net {
namespace {

constexpr std::string_view kPointRead =
    "GET /dbs/app/colls/sessions/docs/5f1f2c9e-8d3b-4a5e-9a61-0c6d1f0b7a11 HTTP/1.1\r\n"
    "x-ms-documentdb-responsecontinuationtokenlimitinkb: 1\r\n"
    "x-ms-documentdb-query-enablecrosspartition: true\r\n"
    "Cache-Control: no-cache\r\n"
    "x-ms-version: 2020-07-15\r\n"
    "User-Agent: Node.js/20.20.2 (linux; x64) azure-cosmos-js/4.9.3\r\n"
    "x-ms-useragent: Node.js/20.20.2 (linux; x64) azure-cosmos-js/4.9.3\r\n"
    "x-ms-cosmos-sdk-supportedcapabilities: 1\r\n"
    "x-ms-cosmos-allow-tentative-writes: true\r\n"
    "x-ms-documentdb-partitionkey: [\"ada\"]\r\n"
    "x-ms-date: Mon, 16 Nov 2026 04:17:20 GMT\r\n"
    "Accept: application/json\r\n"
    "authorization: type%3Dmaster%26ver%3D1.0%26sig%3De9991NfgentoEIoIOI9fBraAphRgd0psdtwe%2Bio4NVo%3D\r\n"
    "Host: 127.0.0.1:8081\r\n"
    "Connection: keep-alive\r\n"
    "\r\n";

constexpr ParserLimits kLimits = {
    .header_bytes_max = 64 * 1024, .headers_max = 100, .body_bytes_max = 4 * 1024 * 1024 + 64 * 1024};

// The parts of a head that every request of the API needs.
template <typename Request>
void UseHead(const Request& request) {
  benchmark::DoNotOptimize(request);
}

void BmLapseParser(benchmark::State& state) {
  RequestParser parser(kLimits);
  for (auto _ : state) {
    if (parser.Parse(kPointRead) != RequestParser::Outcome::kDone) std::abort();
    UseHead(parser.request());
    parser.Reset();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kPointRead.size()));
}
BENCHMARK(BmLapseParser);

template <typename Allocator>
void ParseWithBeast(const Allocator& allocator) {
  namespace http = boost::beast::http;
  http::request_parser<http::empty_body, Allocator> parser(std::piecewise_construct, std::make_tuple(),
                                                           std::make_tuple(allocator));
  parser.header_limit(kLimits.header_bytes_max);
  parser.body_limit(kLimits.body_bytes_max);
  parser.eager(true);
  boost::beast::error_code error;
  parser.put(boost::asio::buffer(kPointRead.data(), kPointRead.size()), error);
  if (error || !parser.is_done()) std::abort();
  UseHead(parser.get());
}

void BmBeastParser(benchmark::State& state) {
  for (auto _ : state) ParseWithBeast(std::allocator<char>());
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kPointRead.size()));
}
BENCHMARK(BmBeastParser);

// The allocator of Beast's own fast server example, in the words of the standard library.
template <typename T>
struct StackAllocator {
  using value_type = T;
  std::pmr::memory_resource* memory;

  explicit StackAllocator(std::pmr::memory_resource* from) : memory(from) {}
  template <typename U>
  StackAllocator(const StackAllocator<U>& other) : memory(other.memory) {}  // NOLINT(google-explicit-constructor)

  T* allocate(size_t count) { return static_cast<T*>(memory->allocate(count * sizeof(T), alignof(T))); }
  void deallocate(T* at, size_t count) { memory->deallocate(at, count * sizeof(T), alignof(T)); }
  bool operator==(const StackAllocator& other) const { return memory == other.memory; }
};

void BmBeastParserOnTheStack(benchmark::State& state) {
  std::byte buffer[16 * 1024];
  for (auto _ : state) {
    std::pmr::monotonic_buffer_resource memory(buffer, sizeof(buffer));
    ParseWithBeast(StackAllocator<char>(&memory));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kPointRead.size()));
}
BENCHMARK(BmBeastParserOnTheStack);

}  // namespace
}  // namespace lapse::net

BENCHMARK_MAIN();
