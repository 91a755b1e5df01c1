#include "net/connection.h"

#include <exception>
#include <utility>

#include "base/log.h"
#include "net/error_answer.h"

namespace lapse::net {
namespace {

constexpr FramingError kMemoryShort = {503, "The server's memory for requests and answers is in use; try again."};

// Interval between a loop's log lines about exhausted memory.
constexpr int64_t kMemoryLogPauseMs = 60'000;

void LogMemoryShort(LoopState& loop) {
  if (loop.memory_short_logged_ms != 0 && loop.now_ms < loop.memory_short_logged_ms + kMemoryLogPauseMs) return;
  loop.memory_short_logged_ms = loop.now_ms;
  Log(LogLevel::kWarn, "request_memory_in_use",
      {{"held", loop.memory->held()}, {"max", loop.options->memory_bytes_max}});
}

ParserLimits LimitsOf(const HttpServerOptions& options) {
  return {options.header_bytes_max, options.headers_max, options.body_bytes_max};
}

}  // namespace

Connection::Connection(std::shared_ptr<Stream> stream, bool peer_loopback, LoopState& loop)
    : loop_(loop),
      mailbox_(loop.mailbox),
      loop_thread_(loop.thread),
      stream_(std::move(stream)),
      parser_(LimitsOf(*loop.options)),
      request_share_(loop.memory),
      answer_share_(loop.memory),
      output_share_(loop.memory) {
  parser_.request().peer_loopback = peer_loopback;
}

void Connection::Start() {
  index_ = loop_.connections.size();
  loop_.connections.push_back(shared_from_this());
  Enter(Phase::kOpening, loop_.options->header_timeout_ms);
  stream_->Open(shared_from_this());
}

void Connection::Close() {
  if (phase_ == Phase::kClosed) return;
  Enter(Phase::kClosed, 0);
  stream_->Close();
  stream_.reset();
  peer_gone_.store(true);  // no client waits for the request being handled
  loop_.connections_open->fetch_sub(1, std::memory_order_relaxed);
  // Last, because the list may hold the only reference to this connection.
  std::vector<std::shared_ptr<Connection>>& list = loop_.connections;
  std::shared_ptr<Connection> self = std::move(list[index_]);
  if (index_ + 1 < list.size()) {
    list[index_] = std::move(list.back());
    list[index_]->index_ = index_;
  }
  list.pop_back();
}

void Connection::CheckDeadline() {
  if (phase_ == Phase::kHandling && !peer_finished_ && stream_->PeerIsGone()) peer_gone_.store(true);
  if (deadline_ms_ == 0 || loop_.now_ms < deadline_ms_) return;
  if (phase_ == Phase::kHeader || phase_ == Phase::kBody) {
    timed_out_ = true;
    deadline_ms_ = 0;
    stream_->CancelRead();
  } else {
    Close();
  }
}

void Connection::OnStopping() {
  if (idle()) Close();
}

// A limit never fires early: the loop's clock may be a tick behind.
void Connection::Enter(Phase phase, int limit_ms) {
  phase_ = phase;
  deadline_ms_ = limit_ms == 0 ? 0 : loop_.now_ms + loop_.tick_ms + limit_ms;
}

void Connection::OnOpened(bool ok, bool secure) {
  if (phase_ == Phase::kClosed) return;
  if (!ok) {
    Close();
    return;
  }
  parser_.request().secure = secure;
  AwaitMore();
}

void Connection::OnRead(size_t count, bool ok) {
  if (phase_ == Phase::kClosed) return;
  if (timed_out_) {
    Refuse({408, "The request did not arrive in time."});
    Flush();
    return;
  }
  if (!ok) {
    Close();
    return;
  }
  input_.Commit(count);
  peer_finished_ = count == 0;
  Serve();
}

void Connection::OnWritten(size_t count, bool ok) {
  if (phase_ == Phase::kClosed) return;
  writing_ = false;
  if (!ok) {
    Close();
    return;
  }
  output_.ConsumeFront(count);
  output_share_.Fit(output_.capacity());
  if (!Flush()) return;
  if (handling_) Enter(Phase::kHandling, 0);
  if (answered_) FinishRequest();
  Serve();
}

// Continues until it must wait for bytes, for an answer, or for the peer to accept data.
void Connection::Serve() {
  while (!handling_ && !writing_ && !last_answer_queued_ && phase_ != Phase::kClosed) {
    if (output_.full() && !Flush()) return;
    const RequestParser::Outcome outcome = parser_.Parse(input_.view());
    // A chunked body has grown by the decoded bytes.
    if (outcome != RequestParser::Outcome::kFailed && !RequestFits(input_.capacity())) {
      RefuseForMemory();
      break;
    }
    switch (outcome) {
      case RequestParser::Outcome::kDone: Dispatch(); break;
      case RequestParser::Outcome::kFailed: Refuse(parser_.error()); break;
      case RequestParser::Outcome::kNeedMore: AwaitMore(); return;
    }
  }
  // Earlier answers do not wait for the current one.
  if (!writing_ && phase_ != Phase::kClosed) Flush();
}

void Connection::Dispatch() {
  handling_ = true;
  in_handler_ = true;
  peer_gone_.store(false, std::memory_order_relaxed);
  Enter(Phase::kHandling, 0);
  const std::string_view method = parser_.request().method;
  response_.set_safe(method == "GET" || method == "HEAD");
  try {
    loop_.handler->Handle(parser_.request(), Responder(shared_from_this()));
  } catch (const std::exception& error) {
    // The responder was destroyed with the stack and has answered 500.
    Log(LogLevel::kError, "http_handler_threw", {{"what", error.what()}});
  }
  in_handler_ = false;
  if (answered_) FinishRequest();
}

void Connection::Send() {
  if (Answer()) mailbox_->Wake();
}

std::function<void()> Connection::SendOneOfMany() {
  if (!Answer()) return {};
  return [mailbox = mailbox_] { mailbox->Wake(); };
}

bool Connection::Answer() {
  const size_t answer_bytes = response_.body().capacity();
  if (!response_.safe()) {
    // A request that changed something must be answered. Its answer is hardly larger than the request it replaces in
    // memory.
    answer_share_.Fit(answer_bytes);
  } else if (!answer_share_.TryFit(answer_bytes)) {
    response_.Reset();
    withheld_ = true;
  }
  if (std::this_thread::get_id() == loop_thread_ && in_handler_) {
    answered_ = true;  // Dispatch continues with it
    return false;
  }
  // From now on the loop may use all members, including the mailbox, which never changes.
  return mailbox_->Push(shared_from_this());
}

void Connection::Abandon() {
  abandoned_ = true;
  Send();
}

void Connection::OnAnswered() {
  if (phase_ == Phase::kClosed) return;
  answered_ = true;
  if (writing_) return;  // OnWritten continues with it
  FinishRequest();
  Serve();
}

void Connection::FinishRequest() {
  if (abandoned_) {
    FillErrorAnswer(*loop_.options, 500, "The request was not answered.", &response_);
  } else if (withheld_) {
    LogMemoryShort(loop_);
    FillErrorAnswer(*loop_.options, kMemoryShort.status, kMemoryShort.reason, &response_);
  }
  const bool close = !parser_.keep_alive() || loop_.stopping;
  output_.AppendAnswer(response_, {.date_line = loop_.date_line,
                                   .http_1_0 = parser_.http_1_0(),
                                   .close = close,
                                   .head_only = parser_.request().method == "HEAD"});
  input_.ConsumeFront(parser_.request_bytes());
  parser_.Reset();
  response_.Reset();
  request_share_.Fit(input_.capacity() + parser_.decoded_capacity());
  answer_share_.Fit(response_.body().capacity());
  output_share_.Fit(output_.capacity());
  handling_ = false;
  answered_ = false;
  abandoned_ = false;
  withheld_ = false;
  admitted_ = false;
  continue_sent_ = false;
  last_answer_queued_ = close;
  served_ = true;
}

void Connection::Refuse(const FramingError& error) {
  FillErrorAnswer(*loop_.options, error.status, error.reason, &response_);
  QueueLastAnswer({});
}

void Connection::RefuseForMemory() {
  LogMemoryShort(loop_);
  linger_ms_ = kLingerMidBodyMs;
  Refuse(kMemoryShort);
}

// Nothing more is read as a request, so the bytes of a partial one are discarded.
void Connection::QueueLastAnswer(AnswerFraming framing) {
  framing.date_line = loop_.date_line;
  framing.close = true;
  output_.AppendAnswer(response_, framing);
  output_share_.Fit(output_.capacity());
  last_answer_queued_ = true;
  response_.Reset();
  input_.Release();
  parser_.Reset();
  request_share_.Fit(parser_.decoded_capacity());
}

// Asks the handler once the head has arrived and the body has not. Returns false if the request was answered instead.
bool Connection::AdmitBody() {
  if (admitted_ || parser_.stage() != RequestParser::Stage::kBody) return true;
  parser_.ShowHead(input_.view());
  const Request& head = parser_.request();
  try {
    admitted_ = loop_.handler->Admit(head, response_);
  } catch (const std::exception& error) {
    Log(LogLevel::kError, "http_handler_threw", {{"what", error.what()}});
    FillErrorAnswer(*loop_.options, 500, "The request was not answered.", &response_);
  }
  if (admitted_) return true;
  linger_ms_ = kLingerMidBodyMs;
  QueueLastAnswer({.http_1_0 = parser_.http_1_0(), .head_only = head.method == "HEAD"});
  return false;
}

bool Connection::RequestFits(size_t input_capacity) {
  return request_share_.TryFit(input_capacity + parser_.decoded_capacity());
}

// Returns true once everything is written. Returns false if the rest must wait, or the connection is closed or closing.
bool Connection::Flush() {
  while (!output_.empty()) {
    size_t count = 0;
    const std::string_view front = output_.Front();
    if (!stream_->TryWrite(front, &count)) {
      Close();
      return false;
    }
    output_.ConsumeFront(count);
    output_share_.Fit(output_.capacity());
    if (count == front.size()) continue;
    writing_ = true;
    Enter(Phase::kWriting, loop_.options->write_timeout_ms);
    stream_->Write(output_.Front(), shared_from_this());
    return false;
  }
  if (!last_answer_queued_) return true;
  EndSending();
  return false;
}

void Connection::EndSending() {
  if (peer_finished_) {
    Close();
    return;
  }
  Enter(Phase::kLingering, linger_ms_);
  stream_->Linger(shared_from_this());
}

void Connection::AwaitMore() {
  if (!AdmitBody()) {
    Flush();
    return;
  }
  if (const size_t decoded = parser_.ReleaseDecoded(); decoded > 0) input_.Erase(parser_.head_bytes(), decoded);
  if (parser_.continue_expected() && !continue_sent_ && !peer_finished_) {
    continue_sent_ = true;
    output_.AppendText("HTTP/1.1 100 Continue\r\n\r\n");
  }
  if (!Flush()) return;
  if (peer_finished_ && parser_.begun()) {
    Refuse({400, "The request ends before it is whole."});
    Flush();
    return;
  }
  if (!parser_.begun() && (peer_finished_ || loop_.stopping)) {
    Close();
    return;
  }
  const size_t missing = parser_.bytes_missing();
  if (!RequestFits(input_.CapacityFor(missing))) {
    RefuseForMemory();
    Flush();
    return;
  }
  EnterReadPhase();
  const InputBuffer::Space space = input_.Prepare(missing);
  stream_->Read(space.data, space.size, shared_from_this());
}

// Each limit counts from the start of the phase, so that a peer cannot extend it by sending a byte now and then.
void Connection::EnterReadPhase() {
  const HttpServerOptions& options = *loop_.options;
  if (!parser_.begun()) {
    // A peer that has sent a request may be idle. One that has not must send its first request soon.
    if (phase_ != Phase::kIdle) Enter(Phase::kIdle, served_ ? options.idle_timeout_ms : options.header_timeout_ms);
  } else if (parser_.stage() == RequestParser::Stage::kBody) {
    if (phase_ != Phase::kBody) Enter(Phase::kBody, options.body_timeout_ms);
  } else if (phase_ != Phase::kHeader) {
    Enter(Phase::kHeader, options.header_timeout_ms);
  }
}

}  // namespace lapse::net
