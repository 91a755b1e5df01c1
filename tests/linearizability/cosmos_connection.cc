#include "tests/linearizability/cosmos_connection.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "doc/json.h"
#include "doc/value.h"

namespace lapse::linearizability {
namespace {

using Call = tests::SignedClient::Call;

constexpr char kItems[] = "/dbs/db/colls/c/docs";
constexpr doc::JsonLimits kLimits{.depth_max = 20, .bytes_max = 4 << 20};

std::string IdText(int id) {
  return "i" + std::to_string(id);
}

std::string Quoted(std::string_view text) {
  std::string json;
  doc::StringToJson(text, &json);
  return json;
}

std::string DocumentOf(const std::string& partition, const Action& action) {
  const Content& content = action.content;
  std::string json = R"({"id":)" + Quoted(IdText(action.id)) + R"(,"pk":)" + Quoted(partition);
  json += R"(,"v":)" + std::to_string(content.value) + R"(,"n":)" + std::to_string(content.counter);
  if (content.tag.has_value()) json += R"(,"tag":)" + std::to_string(*content.tag);
  if (content.ttl.has_value()) json += R"(,"ttl":)" + std::to_string(*content.ttl);
  return json + "}";
}

std::string PatchOf(const Content& content) {
  std::string json = R"([{"op":"set","path":"/v","value":)" + std::to_string(content.value) + "}";
  json += R"(,{"op":"incr","path":"/n","value":)" + std::to_string(content.counter) + "}";
  if (content.tag.has_value()) json += R"(,{"op":"set","path":"/tag","value":)" + std::to_string(*content.tag) + "}";
  return json + "]";
}

std::string_view BatchName(Kind kind) {
  switch (kind) {
    case Kind::kCreate: return "Create";
    case Kind::kReplace: return "Replace";
    case Kind::kUpsert: return "Upsert";
    case Kind::kDelete: return "Delete";
    case Kind::kPatch: return "Patch";
    case Kind::kRead:
    case Kind::kList: break;
  }
  return "Read";
}

std::string BatchOf(const std::string& partition, const std::vector<Action>& actions) {
  std::string json;
  for (const Action& action : actions) {
    json += json.empty() ? "[" : ",";
    json += R"({"operationType":")" + std::string(BatchName(action.kind)) + "\"";
    if (action.kind != Kind::kCreate && action.kind != Kind::kUpsert) json += R"(,"id":)" + Quoted(IdText(action.id));
    if (!action.if_match.empty()) json += R"(,"ifMatch":)" + Quoted(action.if_match);
    if (action.kind == Kind::kPatch) {
      json += R"(,"resourceBody":{"operations":)" + PatchOf(action.content) + "}";
    } else if (IsWrite(action) && action.kind != Kind::kDelete) {
      json += R"(,"resourceBody":)" + DocumentOf(partition, action);
    }
    json += "}";
  }
  return json + "]";
}

Call CallOf(const std::string& partition, const Action& action, bool query) {
  const std::string item = std::string(kItems) + "/" + IdText(action.id);
  Call call;
  if (!action.if_match.empty()) call.headers = "if-match: " + action.if_match + "\r\n";
  switch (action.kind) {
    case Kind::kRead: call.path = item; break;
    case Kind::kUpsert: call.headers += "x-ms-documentdb-is-upsert: True\r\n"; [[fallthrough]];
    case Kind::kCreate:
      call.method = "POST";
      call.path = kItems;
      call.body = DocumentOf(partition, action);
      break;
    case Kind::kReplace:
      call.method = "PUT";
      call.path = item;
      call.body = DocumentOf(partition, action);
      break;
    case Kind::kPatch:
      call.method = "PATCH";
      call.path = item;
      call.body = PatchOf(action.content);
      break;
    case Kind::kDelete:
      call.method = "DELETE";
      call.path = item;
      break;
    case Kind::kList:
      call.path = kItems;
      if (!query) break;
      call.method = "POST";
      call.headers += "x-ms-documentdb-isquery: True\r\ncontent-type: application/query+json\r\n";
      call.body = R"({"query":"SELECT * FROM c"})";
      break;
  }
  return call;
}

std::optional<int64_t> NumberAt(std::string_view document, std::string_view name) {
  const doc::Value value = doc::Find(document, name);
  return value.IsNumber() ? value.AsWholeNumber() : std::nullopt;
}

ShownItem ShownIn(std::string_view document) {
  ShownItem item;
  const doc::Value id = doc::Find(document, "id");
  if (id.type() == doc::Type::kString) item.id = std::atoi(std::string(id.AsString().substr(1)).c_str());
  const doc::Value etag = doc::Find(document, "_etag");
  if (etag.type() == doc::Type::kString) item.version.etag = etag.AsString();
  item.version.ts_s = NumberAt(document, "_ts").value_or(0);
  item.version.content = {.value = NumberAt(document, "v").value_or(0),
                          .counter = NumberAt(document, "n").value_or(0),
                          .tag = NumberAt(document, "tag"),
                          .ttl = NumberAt(document, "ttl")};
  return item;
}

// A body that is not JSON, or lacks an expected member, gives a result that no model has.
ActionResult ResultOf(const Action& action, const net::Answer& answer) {
  ActionResult result{answer.status};
  std::string document;
  if (answer.status >= 300 || answer.body.empty()) return result;
  if (!doc::JsonToBson(answer.body, kLimits, &document).ok()) return {-1};
  if (action.kind != Kind::kList) return {answer.status, {ShownIn(document)}};
  const doc::Value items = doc::Find(document, "Documents");
  if (items.type() != doc::Type::kArray) return {-1};
  doc::Reader reader(items.AsDocument());
  while (auto element = reader.Next()) result.shown.push_back(ShownIn(element->value.AsDocument()));
  std::sort(result.shown.begin(), result.shown.end(),
            [](const ShownItem& a, const ShownItem& b) { return a.id < b.id; });
  return result;
}

std::vector<ActionResult> BatchResults(const net::Answer& answer) {
  std::string array;
  if (!doc::JsonArrayToBson(answer.body, kLimits, &array).ok()) return {{answer.status}};
  std::vector<ActionResult> results;
  doc::Reader reader(array);
  while (auto element = reader.Next()) {
    const std::string_view one = element->value.AsDocument();
    ActionResult& result = results.emplace_back();
    result.status = static_cast<int>(NumberAt(one, "statusCode").value_or(-1));
    const doc::Value body = doc::Find(one, "resourceBody");
    if (body.type() == doc::Type::kObject) result.shown.push_back(ShownIn(body.AsDocument()));
  }
  return results;
}

// 503 says that nothing happened; 500 that the outcome is unknown. Other 5xx are not Lapse's, so their outcome is
// unknown, too.
Answer::Kind KindOf(int status) {
  if (status == 503) return Answer::Kind::kRefused;
  return status == 0 || status >= 500 ? Answer::Kind::kUnknown : Answer::Kind::kKnown;
}

}  // namespace

net::Answer CosmosConnection::Exchange(const Call& call) {
  if (client_ == nullptr) {
    const uint16_t port = port_();
    if (port == 0) return {};
    client_ = std::make_unique<tests::SignedClient>(port);
  }
  net::Answer answer = client_->Exchange(call);
  // The server may have closed the connection with this answer.
  if (answer.status == 0 || answer.Has("Connection: close")) client_.reset();
  return answer;
}

Answer CosmosConnection::Send(const std::string& partition, const std::vector<Action>& actions, bool batch) {
  Call call;
  if (batch) {
    call = {.method = "POST", .path = kItems, .body = BatchOf(partition, actions)};
    call.headers = "x-ms-cosmos-is-batch-request: True\r\nx-ms-cosmos-batch-atomic: true\r\n";
  } else {
    query_ = !query_;
    call = CallOf(partition, actions.front(), query_);
  }
  const std::string key = "[" + Quoted(partition) + "]";
  call.partition_key = key;
  const net::Answer answer = Exchange(call);
  if (KindOf(answer.status) != Answer::Kind::kKnown) return {KindOf(answer.status)};
  if (!batch) return {Answer::Kind::kKnown, {ResultOf(actions.front(), answer)}};
  std::vector<ActionResult> results = BatchResults(answer);
  // If an operation could not be judged because the store could not be read, the batch as a whole failed.
  for (const ActionResult& result : results) {
    if (KindOf(result.status) != Answer::Kind::kKnown) return {KindOf(result.status)};
  }
  return {Answer::Kind::kKnown, std::move(results)};
}

Status MakeContainer(uint16_t port, std::optional<int64_t> default_ttl) {
  tests::SignedClient client(port);
  std::string container = R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},)";
  if (default_ttl.has_value()) container += R"("defaultTtl":)" + std::to_string(*default_ttl) + ",";
  container += R"("uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/tag"]}]}})";
  for (const Call& call : {Call{.method = "POST", .path = "/dbs", .body = R"({"id":"db"})"},
                           Call{.method = "POST", .path = "/dbs/db/colls", .body = container}}) {
    const net::Answer made = client.Exchange(call);
    if (made.status != 201) return {Code::kInternal, std::to_string(made.status) + " " + made.body};
  }
  return Status::Ok();
}

}  // namespace lapse::linearizability
