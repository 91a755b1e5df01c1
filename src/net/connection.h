// One client's connection: reads requests, hands them to the handler one at a time, writes the answers in order.
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

// What the connections of one loop share. Threads: the loop's alone.
struct LoopState {
  const HttpServerOptions* options = nullptr;
  Handler* handler = nullptr;
  std::shared_ptr<Mailbox> mailbox;
  std::thread::id thread;                                // the loop's
  int64_t now_ms = 0;                                    // steady time, as old as the last tick
  int tick_ms = 0;                                       // how often now_ms moves and deadlines are looked at
  std::string date_line;                                 // "Date: ...\r\n"
  bool stopping = false;                                 // no further request is begun
  std::vector<std::shared_ptr<Connection>> connections;  // each knows its index here
  std::atomic<int64_t>* connections_open = nullptr;      // of all loops
  std::shared_ptr<MemoryBudget> memory;                  // of all loops
  int64_t memory_short_logged_ms = 0;                    // 0: never
};

// Threads: the loop's, but for the Sink functions, which the thread that holds the Responder calls. While a request is
// being handled, `parser_`, `input_`, `response_` and their shares of memory belong to that thread and the loop leaves
// them alone.
// Owns: its stream, which is gone once the connection is closed; the rest lives on as long as a Responder does.
class Connection final : public Responder::Sink,
                         public StreamListener,
                         public std::enable_shared_from_this<Connection> {
 public:
  // Counts as open from the start.
  Connection(std::shared_ptr<Stream> stream, bool peer_loopback, LoopState& loop);

  // Enters the connection in the loop's list and begins to read.
  void Start();
  // The answer to the request under way is ready: continues what Send began on another thread.
  void OnAnswered();
  // Closes, or answers 408, when the peer has taken too long. While a request is being handled, looks whether the peer
  // is still there.
  void CheckDeadline();
  // Closes when no request is under way; otherwise the next answer is the last.
  void OnStopping();
  // No request is under way or coming in.
  bool idle() const { return phase_ == Phase::kOpening || phase_ == Phase::kIdle; }
  // When the peer will have taken too long, in the loop's time; 0: never.
  int64_t deadline_ms() const { return deadline_ms_; }
  // Closes the socket at once and leaves the loop's list. Harmless when done before.
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
  // How long a peer that was told of the end may take to hang up.
  static constexpr int kLingerMs = 1000;
  // The same when it may be in the middle of sending its body: long enough for some megabytes over a slow line, since a
  // peer that is cut off while it sends may never see why.
  static constexpr int kLingerMidBodyMs = 5000;

  // What the connection waits for; decides which limit holds.
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
  // True: the loop is to be woken for it. Threads: that of the Responder.
  bool Answer();
  void Enter(Phase phase, int limit_ms);

  LoopState& loop_;
  const std::shared_ptr<Mailbox> mailbox_;  // reached from any thread, also after the loop has ended
  const std::thread::id loop_thread_;
  std::shared_ptr<Stream> stream_;
  size_t index_ = 0;  // in the loop's list

  InputBuffer input_;
  RequestParser parser_;
  Response response_;
  OutputQueue output_;
  MemoryShare request_share_;  // for `input_` and what the parser decoded
  MemoryShare answer_share_;   // for `response_`
  MemoryShare output_share_;   // for `output_`

  Phase phase_ = Phase::kOpening;
  int64_t deadline_ms_ = 0;  // 0: none
  bool in_handler_ = false;  // the handler has not returned yet
  bool handling_ = false;    // a request waits for its answer
  bool answered_ = false;    // the answer is ready, and not queued yet
  bool abandoned_ = false;   // nobody will answer; written by the responder's thread before it pushes
  bool withheld_ = false;    // the answer found no memory; written by the responder's thread before it pushes
  bool writing_ = false;     // a write is under way: `output_` must not change
  bool last_answer_queued_ = false;
  bool served_ = false;                 // a request was answered
  bool admitted_ = false;               // the handler wants the body of the request that is coming in
  bool continue_sent_ = false;          // for that request
  bool peer_finished_ = false;          // the peer sends nothing more
  std::atomic<bool> peer_gone_{false};  // while its request was being handled
  bool timed_out_ = false;              // the read under way is being cancelled
  int linger_ms_ = kLingerMs;
};

}  // namespace lapse::net
