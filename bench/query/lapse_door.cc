// Lapse over HTTP, with a signature in every request, pages followed to their end.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "bench/load/answer.h"
#include "bench/load/closed_loop.h"
#include "bench/load/requests.h"
#include "bench/measure/report.h"
#include "bench/query/door.h"
#include "bench/query/query_items.h"
#include "server/options.h"

namespace lapse::bench {
namespace {

constexpr size_t kBufferBytes = 64 << 10;
constexpr size_t kLoadBatches = 1000;  // that are made ready at a time
constexpr int kLoadConnections = 16;

RequestMaker NewMaker() {
  Result<api::cosmos::Authenticator> signer = api::cosmos::Authenticator::Create(server::kWellKnownKey, "");
  if (!signer.ok()) Fail(signer.status().message());
  return RequestMaker(*std::move(signer), RealWallClock().NowMs() / 1000);
}

std::string_view HeaderOf(std::string_view head, std::string_view name) {
  size_t end = 0;
  for (size_t line = head.find('\n') + 1; line < head.size(); line = end + 1) {
    end = head.find('\n', line);
    if (end == std::string_view::npos) break;
    std::string_view text = head.substr(line, end - line - 1);  // without the \r
    if (text.size() <= name.size() || text[name.size()] != ':' ||
        strncasecmp(text.data(), name.data(), name.size()) != 0) {
      continue;
    }
    text.remove_prefix(name.size() + 1);
    while (text.starts_with(' ')) text.remove_prefix(1);
    return text;
  }
  return {};
}

class LapseDoor : public Door {
 public:
  LapseDoor(uint16_t port, const std::string& container)
      : head_(NewMaker().MakeQueryHead(container)), fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int on = 1;
    setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) Fail("cannot connect to Lapse");
  }
  ~LapseDoor() override { close(fd_); }
  LapseDoor(const LapseDoor&) = delete;
  LapseDoor& operator=(const LapseDoor&) = delete;

  int fd() const override { return fd_; }

  void Ask(const QueryCall& call) override {
    body_ = R"({"query":")";
    for (char c : call.query->lapse) {
      if (c == '"') body_ += '\\';
      body_ += c;
    }
    body_ += R"(","parameters":[)";
    for (size_t i = 0; i < call.parameters.size(); ++i) {
      body_ += i == 0 ? R"({"name":"@a","value":)" : R"(,{"name":"@b","value":)";
      body_ += call.parameters[i] + "}";
    }
    body_ += "]}";
    result_ = {};
    SendPage({});
  }

  bool Take(DoorResult* result) override {
    if (received_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
    const ssize_t got = recv(fd_, buffer_.data() + received_, buffer_.size() - received_, 0);
    if (got <= 0) Fail("Lapse closed a connection");
    received_ += static_cast<size_t>(got);
    const std::string_view bytes(buffer_.data(), received_);
    Answer answer;
    if (!ParseAnswer(bytes, &answer)) return false;
    if (answer.status != 200) Fail("Lapse answered " + std::string(bytes.substr(0, 2000)));
    const std::string_view head = bytes.substr(0, answer.header_bytes);
    const int64_t count = std::atoll(std::string(HeaderOf(head, "x-ms-item-count")).c_str());
    if (result_.rows == 0 && count > 0) {
      constexpr std::string_view kBegin = R"("Documents":[)";
      result_.value = std::atoll(bytes.data() + bytes.find(kBegin) + kBegin.size());
    }
    result_.rows += count;
    const std::string continuation(HeaderOf(head, "x-ms-continuation"));
    received_ = 0;
    if (!continuation.empty()) {
      SendPage(continuation);
      return false;
    }
    *result = result_;
    return true;
  }

 private:
  void SendPage(std::string_view continuation) {
    request_ = head_;
    if (!continuation.empty()) request_.append("x-ms-continuation: ").append(continuation).append("\r\n");
    request_.append("content-length: ").append(std::to_string(body_.size())).append("\r\n\r\n").append(body_);
    const ssize_t sent = send(fd_, request_.data(), request_.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(request_.size())) Fail("cannot send to Lapse");
  }

  // With a signature, which covers verb, link and date and so is good for all queries. The server checks each; the
  // client has the cores with it, and takes as little of them as it can.
  const std::string head_;
  const int fd_;
  std::string body_;
  std::string request_;
  std::string buffer_ = std::string(kBufferBytes, '\0');
  size_t received_ = 0;
  DoorResult result_;
};

}  // namespace

std::unique_ptr<Door> OpenLapse(uint16_t port, const std::string& container) {
  return std::make_unique<LapseDoor>(port, container);
}

// In transactional batches, each of one partition key.
void LoadLapse(uint16_t port, const std::string& container, int partitions, uint64_t items) {
  const RequestMaker maker = NewMaker();
  LoopResult made;
  ClosedLoop one(port, 1);
  one.Run({maker.MakeCreateDatabase()}, &made);  // it may be there already
  one.Run({maker.MakeIndexedContainer(container, "/text/?", partitions)}, &made);
  if (made.answers[201] == 0) Fail("cannot make the container: " + made.first_answer);
  ClosedLoop loop(port, kLoadConnections);
  LoopResult written;
  std::vector<std::string> requests;
  const auto send = [&] {
    loop.Run(requests, &written);
    requests.clear();
  };
  for (uint64_t first = 0; first < items; first += kItemsOfKey) {
    std::vector<std::string> documents;
    for (uint64_t i = first; i < std::min(items, first + kItemsOfKey); ++i) {
      documents.push_back(QueryItemJson(i, items));
    }
    requests.push_back(maker.MakeCreateBatch(container, QueryItemKey(first), documents));
    if (requests.size() == kLoadBatches) send();
  }
  if (!requests.empty()) send();
  if (written.answers.size() != 1 || !written.answers.contains(200)) {
    Fail("cannot load Lapse: " + written.first_answer.substr(0, 2000));
  }
}

}  // namespace lapse::bench
