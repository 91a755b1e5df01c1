// The yardstick for point reads: Boost.Asio, one thread, one RocksDB Get for each request, and an answer put together
// by hand. No authentication, no time to live, no JSON.
//
//   bare_server --dir DIR --items 100000 --answer FILE
//
// FILE is an answer of Lapse: its head is sent as it is, and the items are made as long as its body. Prints `port P`
// when it is ready; SIGTERM ends it.
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/write.hpp>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bench/load/answer.h"
#include "bench/measure/bare_rocks.h"
#include "bench/measure/flags.h"
#include "bench/measure/items.h"
#include "bench/measure/report.h"

namespace lapse::bench {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

struct Shared {
  rocksdb::DB* db;
  std::string head;
};

// Kept alive by the handler that is under way.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, const Shared* shared) : socket_(std::move(socket)), shared_(shared) {}

  void Read() {
    auto free = asio::buffer(buffer_.data() + received_, buffer_.size() - received_);
    socket_.async_read_some(free, [self = shared_from_this()](const boost::system::error_code& error, size_t bytes) {
      if (error) return;
      self->received_ += bytes;
      self->Answer();
    });
  }

 private:
  // A GET has no body: the blank line ends it. The client never sends the next request before the answer.
  void Answer() {
    std::string_view request(buffer_.data(), received_);
    if (!request.ends_with("\r\n\r\n")) return Read();
    std::string_view path = request.substr(4, request.find(' ', 4) - 4);
    std::string_view id = path.substr(path.rfind('/') + 1);
    value_.Reset();
    Check(
        shared_->db->Get(rocksdb::ReadOptions(), shared_->db->DefaultColumnFamily(), {id.data(), id.size()}, &value_));
    received_ = 0;
    std::array<asio::const_buffer, 2> parts = {asio::buffer(shared_->head), asio::buffer(value_.data(), value_.size())};
    asio::async_write(socket_, parts, [self = shared_from_this()](const boost::system::error_code& error, size_t) {
      if (!error) self->Read();
    });
  }

  tcp::socket socket_;
  const Shared* const shared_;
  std::array<char, 8192> buffer_;
  size_t received_ = 0;
  rocksdb::PinnableSlice value_;
};

void Accept(tcp::acceptor* acceptor, const Shared* shared) {
  acceptor->async_accept([acceptor, shared](const boost::system::error_code& error, tcp::socket socket) {
    if (error) return;
    socket.set_option(tcp::no_delay(true));
    std::make_shared<Session>(std::move(socket), shared)->Read();
    Accept(acceptor, shared);
  });
}

void LoadItems(rocksdb::DB* db, uint64_t items, size_t body_bytes) {
  rocksdb::WriteBatch batch;
  for (uint64_t number = 0; number < items; ++number) {
    std::string body = ItemJson(number, 0);
    body.resize(body_bytes, ' ');
    Check(batch.Put(ItemId(number), body));
    if (batch.Count() == 1000 || number + 1 == items) {
      Check(db->Write(rocksdb::WriteOptions(), &batch));
      batch.Clear();
    }
  }
  Check(db->CompactRange(rocksdb::CompactRangeOptions(), nullptr, nullptr));
}

int Main(int argc, char** argv) {
  Flags flags(argc, argv, {{"dir", ""}, {"items", "100000"}, {"answer", ""}, {"cache", "1073741824"}});
  std::ifstream file(flags.Text("answer"));
  std::string text((std::istreambuf_iterator<char>(file)), {});
  Answer answer;
  if (!ParseAnswer(text, &answer)) Fail("--answer must name a file with a whole answer");
  std::unique_ptr<rocksdb::DB> db = OpenBare(flags.Text("dir"), static_cast<uint64_t>(flags.Number("cache")));
  LoadItems(db.get(), static_cast<uint64_t>(flags.Number("items")), answer.body_bytes);

  Shared shared{db.get(), text.substr(0, answer.header_bytes)};
  asio::io_context loop(1);
  tcp::acceptor acceptor(loop, {asio::ip::address_v4::loopback(), 0});
  Accept(&acceptor, &shared);
  asio::signal_set signals(loop, SIGTERM, SIGINT);
  signals.async_wait([&loop](const boost::system::error_code&, int) { loop.stop(); });
  std::printf("port %u\n", static_cast<unsigned>(acceptor.local_endpoint().port()));
  std::fflush(stdout);
  loop.run();
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
