// A client connection: reads requests, hands them to the handler one at a time, and writes the answers in order.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "net/http.h"
#include "net/http_server.h"
#include "net/input_buffer.h"
#include "net/mailbox.h"
#include "net/memory_budget.h"
#include "net/output_queue.h"
#include "net/request_parser.h"
#include "net/stream.h"

namespace lapse::net {

// State shared by the connections of a loop.
// Threads: the loop's alone.
struct LoopState {
  const HttpServerOptions* options = nullptr;
  Handler* handler = nullptr;
  std::shared_ptr<Mailbox> mailbox;
  std::thread::id thread;                                // the loop's
  int64_t now_ms = 0;                                    // steady time at the last tick
  int tick_ms = 0;                                       // interval at which now_ms advances and deadlines are checked
  std::string date_line;                                 // "Date: ...\r\n"
  bool stopping = false;                                 // no further request is started
  std::vector<std::shared_ptr<Connection>> connections;  // each knows its index in this list
  std::atomic<int64_t>* connections_open = nullptr;      // of all loops
  std::shared_ptr<MemoryBudget> memory;                  // of all loops
  int64_t memory_short_logged_ms = 0;                    // 0: never
};

// Threads: the loop's, except for the Sink functions, which the thread with the Responder calls. While a request is
// being handled, `parser_`, `input_`, `response_` and their memory shares belong to that thread, and the loop does not
// touch them.
// Owns: its stream, until the connection is closed. The rest lives until the last Responder is gone.
class Connection final : public Responder::Sink,
                         public StreamListener,
                         public std::enable_shared_from_this<Connection> {
 public:
  // Counts as open from its construction.
  Connection(std::shared_ptr<Stream> stream, bool peer_loopback, LoopState& loop);

  // Adds the connection to the loop's list and begins to read.
  void Start();
  // Continues what Send began on another thread, once the answer to the current request is ready.
  void OnAnswered();
  // Closes, or answers 408, if the peer has exceeded its time limit. While a request is being handled, checks whether
  // the peer is still connected.
  void CheckDeadline();
  // Closes if no request is in flight. Otherwise the next answer is the last.
  void OnStopping();
  // No request is being received or handled.
  bool idle() const { return phase_ == Phase::kOpening || phase_ == Phase::kIdle; }
  // The peer's time limit, on the loop's clock; 0: none.
  int64_t deadline_ms() const { return deadline_ms_; }
  // Closes the socket at once and leaves the loop's list. Has no effect when repeated.
  void Close();

  Response& response() override { return response_; }
  void Send() override;
  std::function<void()> SendOneOfMany() override;
  void Abandon() override;
  bool PeerIsGone() const override { return peer_gone_.load(std::memory_order_relaxed); }

  void OnOpened(bool ok, bool secure) override;
  void OnRead(size_t count, bool ok) override;
  void OnWritten(size_t count, bool ok) override;
  void OnLingered() override { Close(); }

 private:
  // Time a peer has to hang up after it was told of the end.
  static constexpr int kLingerMs = 1000;
  // Time if the peer may still be sending its body, enough for some megabytes over a slow line. A peer that is cut off
  // while it sends may never read the answer.
  static constexpr int kLingerMidBodyMs = 5000;

  // The connection's current wait, which decides the time limit.
  enum class Phase { kOpening, kIdle, kHeader, kBody, kHandling, kWriting, kLingering, kClosed };

  void Serve();
  void Dispatch();
  void AwaitMore();
  void EnterReadPhase();
  void FinishRequest();
  void Refuse(const FramingError& error);
  void RefuseForMemory();
  bool AdmitBody();
  bool RequestFits(size_t input_capacity);
  void QueueLastAnswer(AnswerFraming framing);
  bool Flush();
  void EndSending();
  // Returns true if the caller must wake the loop. Threads: that of the Responder.
  bool Answer();
  void Enter(Phase phase, int limit_ms);

  LoopState& loop_;
  const std::shared_ptr<Mailbox> mailbox_;  // reached from any thread, even after the loop has ended
  const std::thread::id loop_thread_;
  std::shared_ptr<Stream> stream_;
  size_t index_ = 0;  // in the loop's list

  InputBuffer input_;
  RequestParser parser_;
  Response response_;
  OutputQueue output_;
  MemoryShare request_share_;  // for `input_` and the parser's decoded body
  MemoryShare answer_share_;   // for `response_`
  MemoryShare output_share_;   // for `output_`

  Phase phase_ = Phase::kOpening;
  int64_t deadline_ms_ = 0;  // 0: none
  bool in_handler_ = false;  // the handler has not returned yet
  bool handling_ = false;    // a request is being handled
  bool answered_ = false;    // the answer is ready but not queued yet
  bool abandoned_ = false;   // no answer will come; set by the responder's thread before it pushes
  bool withheld_ = false;    // no memory for the answer; set by the responder's thread before it pushes
  bool writing_ = false;     // a write is in flight, so `output_` must not change
  bool last_answer_queued_ = false;
  bool served_ = false;                 // a request has been answered
  bool admitted_ = false;               // the handler accepts the body of the request being received
  bool continue_sent_ = false;          // 100 Continue was sent for that request
  bool peer_finished_ = false;          // the peer sends nothing more
  std::atomic<bool> peer_gone_{false};  // hung up while its request was being handled
  bool timed_out_ = false;              // the read in flight is being cancelled
  int linger_ms_ = kLingerMs;
};

}  // namespace lapse::net
