#include "net/event_loop.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>

#include "base/calendar.h"
#include "base/clock.h"
#include "base/log.h"
#include "net/bell.h"
#include "net/error_answer.h"
#include "net/output_queue.h"

namespace lapse::net {
namespace {

namespace asio = boost::asio;

// A single timer checks all deadlines of a loop. A timer per request would cost more than parsing it.
constexpr int kTickMsMax = 250;
constexpr int kTickMsMin = 5;
constexpr int kStoppingTickMs = 5;
// Interval between log lines about too many connections.
constexpr int64_t kLimitLogPauseMs = 1000;
constexpr int64_t kNsPerMs = 1'000'000;

// A quarter of the smallest limit, so that no limit is exceeded by much.
int TickMs(const HttpServerOptions& options) {
  const int smallest = std::min(std::min(options.header_timeout_ms, options.body_timeout_ms),
                                std::min(options.idle_timeout_ms, options.write_timeout_ms));
  return std::clamp(smallest / 4, kTickMsMin, kTickMsMax);
}

}  // namespace

class EventLoop::Impl {
 public:
  Impl(const HttpServerOptions& options, Handler* handler, asio::ssl::context* tls,
       std::atomic<int64_t>* connections_open, std::shared_ptr<MemoryBudget> memory)
      : tls_(tls) {
    state_.options = &options;
    state_.handler = handler;
    // The answers, and with them their bell, may outlive the loop.
    state_.mailbox = std::make_shared<Mailbox>([bell = bell_] { bell->Ring(); });
    state_.tick_ms = TickMs(options);
    state_.connections_open = connections_open;
    state_.memory = std::move(memory);
  }

  asio::io_context& io() { return io_; }

  void Start() {
    thread_ = std::thread([this] { Run(); });
  }

  void Adopt(int socket, bool peer_loopback) {
    if (state_.connections_open->load(std::memory_order_relaxed) > state_.options->connections_max) {
      LogLimit();
      if (!CloseAnIdleOne()) return Refuse(socket);
    }
    std::make_shared<Connection>(MakeStream(io_, tls_, socket), peer_loopback, state_)->Start();
  }

  void BeginStop(int grace_ms) {
    state_.stopping = true;
    ReadClocks();
    stop_deadline_ms_ = state_.now_ms + grace_ms;
    for (size_t i = state_.connections.size(); i-- > 0;) state_.connections[i]->OnStopping();
    timer_.cancel();
  }

  void Join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  void Run() {
    state_.thread = std::this_thread::get_id();
    ReadClocks();
    ArmTimer();
    AwaitAnswers();
    io_.run();
    state_.mailbox->Close();
  }

  // Peers that have not sent anything have the nearest time limit, so a crowd of them cannot displace peers being
  // served.
  bool CloseAnIdleOne() {
    Connection* first = nullptr;
    for (const std::shared_ptr<Connection>& one : state_.connections) {
      if (one->idle() && (first == nullptr || one->deadline_ms() < first->deadline_ms())) first = one.get();
    }
    if (first == nullptr) return false;
    first->Close();
    return true;
  }

  // Tells the peer the reason, if the socket accepts it at once. Not if TLS is enabled, since it is not known yet
  // whether this peer speaks TLS.
  void Refuse(int socket) {
    state_.connections_open->fetch_sub(1, std::memory_order_relaxed);
    if (tls_ == nullptr) {
      Response response;
      FillErrorAnswer(*state_.options, 503, "The server has too many connections.", &response);
      OutputQueue output;
      output.AppendAnswer(response, {.date_line = state_.date_line, .close = true});
      const std::string_view bytes = output.Front();
      if (::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) > 0) ::shutdown(socket, SHUT_WR);
    }
    ::close(socket);
  }

  void LogLimit() {
    if (state_.now_ms < limit_logged_ms_ + kLimitLogPauseMs) return;
    limit_logged_ms_ = state_.now_ms;
    Log(LogLevel::kWarn, "connection_limit_reached", {{"connections_max", state_.options->connections_max}});
  }

  void ReadClocks() {
    state_.now_ms = RealSteadyClock().NowNs() / kNsPerMs;
    const int64_t second = RealWallClock().NowMs() / 1000;
    if (second == date_second_) return;
    date_second_ = second;
    state_.date_line = "Date: " + Rfc1123Date(second) + "\r\n";
  }

  void ArmTimer() {
    timer_.expires_after(std::chrono::milliseconds(state_.stopping ? kStoppingTickMs : state_.tick_ms));
    timer_.async_wait([this](const boost::system::error_code&) { Tick(); });
  }

  void Tick() {
    ReadClocks();
    const bool out_of_grace = state_.stopping && state_.now_ms >= stop_deadline_ms_;
    // Backwards, because a connection that closes is replaced in the list by the last one.
    for (size_t i = state_.connections.size(); i-- > 0;) {
      if (out_of_grace) {
        state_.connections[i]->Close();
      } else {
        state_.connections[i]->CheckDeadline();
      }
    }
    if (state_.options->on_memory_calm && state_.memory->TakeCalm()) state_.options->on_memory_calm();
    if (state_.options->on_tick) state_.options->on_tick();
    // Nothing else keeps the loop running. It ends once the last aborted operation has been reported.
    if (state_.stopping && state_.connections.empty()) {
      rung_.close();
    } else {
      ArmTimer();
    }
  }

  void AwaitAnswers() {
    rung_.async_read_some(asio::buffer(&rings_, sizeof rings_), [this](const boost::system::error_code& error, size_t) {
      if (error) return;
      Deliver();
      AwaitAnswers();
    });
  }

  void Deliver() {
    state_.mailbox->TakeAll(&letters_);
    for (const std::shared_ptr<Connection>& connection : letters_) connection->OnAnswered();
    letters_.clear();
  }

  // A single thread runs the loop, so its sockets need no locks. Only posting from other threads does.
  asio::io_context io_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};
  asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>,
                             asio::io_context::executor_type>
      timer_{io_};
  const std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
  asio::posix::basic_stream_descriptor<asio::io_context::executor_type> rung_{io_, ::dup(bell_->descriptor())};
  uint64_t rings_ = 0;
  asio::ssl::context* const tls_;
  LoopState state_;
  Mailbox::Letters letters_;
  int64_t date_second_ = -1;
  int64_t stop_deadline_ms_ = 0;
  int64_t limit_logged_ms_ = -kLimitLogPauseMs;
  std::thread thread_;
};

EventLoop::EventLoop(const HttpServerOptions& options, Handler* handler, asio::ssl::context* tls,
                     std::atomic<int64_t>* connections_open, std::shared_ptr<MemoryBudget> memory)
    : impl_(std::make_unique<Impl>(options, handler, tls, connections_open, std::move(memory))) {}

EventLoop::~EventLoop() = default;

asio::io_context& EventLoop::io() {
  return impl_->io();
}

void EventLoop::Start() {
  impl_->Start();
}

void EventLoop::Post(std::function<void()> work) {
  asio::post(impl_->io(), std::move(work));
}

void EventLoop::Adopt(int socket, bool peer_loopback) {
  Post([impl = impl_.get(), socket, peer_loopback] { impl->Adopt(socket, peer_loopback); });
}

void EventLoop::Stop(int grace_ms) {
  Post([impl = impl_.get(), grace_ms] { impl->BeginStop(grace_ms); });
}

void EventLoop::Join() {
  impl_->Join();
}

}  // namespace lapse::net
