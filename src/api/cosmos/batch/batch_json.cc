#include "api/cosmos/batch/batch_json.h"

#include <optional>

#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/request_charge.h"
#include "doc/json.h"

namespace lapse::api::cosmos {
namespace {

using Kind = engine::WriteKind;

// An item is nested in the list and its operation.
constexpr int kAroundItem = 2;
constexpr doc::JsonLimits kLimits{.depth_max = kItemDepthMax + kAroundItem, .bytes_max = kBatchBytesMax};

std::optional<Kind> KindOf(doc::Value type) {
  if (type.type() != doc::Type::kString) return std::nullopt;
  const std::string_view name = type.AsString();
  if (name == "Create") return Kind::kCreate;
  if (name == "Upsert") return Kind::kUpsert;
  if (name == "Replace") return Kind::kReplace;
  if (name == "Patch") return Kind::kPatch;
  if (name == "Delete") return Kind::kDelete;
  if (name == "Read") return Kind::kRead;
  return std::nullopt;
}

class JsonOperation {
 public:
  JsonOperation(std::string_view members, size_t at) : members_(members), at_(at) {}

  Status Read(BatchOperation* operation) const {
    const std::optional<Kind> kind = KindOf(doc::Find(members_, "operationType"));
    if (!kind.has_value()) {
      return Wrong("'operationType' must be 'Create', 'Upsert', 'Replace', 'Patch', 'Delete' or 'Read'.");
    }
    operation->kind = *kind;
    std::optional<std::string_view> id, if_match, if_none_match;
    LAPSE_RETURN_IF_ERROR(ReadText("id", &id));
    LAPSE_RETURN_IF_ERROR(ReadText("partitionKey", &operation->partition_key));
    LAPSE_RETURN_IF_ERROR(ReadText("ifMatch", &if_match));
    LAPSE_RETURN_IF_ERROR(ReadText("ifNoneMatch", &if_none_match));
    operation->id = id.value_or("");
    operation->if_match = if_match.value_or("");
    operation->if_none_match = if_none_match.value_or("");
    const doc::Value minimal = doc::Find(members_, "minimalReturnPreference");
    if (!IsAbsent(minimal) && minimal.type() != doc::Type::kBool) {
      return Wrong("'minimalReturnPreference' must be true or false.");
    }
    operation->minimal = !IsAbsent(minimal) && minimal.AsBool();
    return ReadResource(operation);
  }

 private:
  Status Wrong(std::string_view what) const { return WrongBatchOperation(at_, what); }

  Status ReadText(std::string_view name, std::optional<std::string_view>* text) const {
    const doc::Value value = doc::Find(members_, name);
    if (IsAbsent(value)) return Status::Ok();
    if (value.type() != doc::Type::kString) return Wrong("'" + std::string(name) + "' must be a string.");
    *text = value.AsString();
    return Status::Ok();
  }

  // Clients send `{}` with reads.
  Status ReadResource(BatchOperation* operation) const {
    if (operation->kind == Kind::kRead || operation->kind == Kind::kDelete) return Status::Ok();
    const doc::Value resource = doc::Find(members_, "resourceBody");
    if (IsAbsent(resource)) return Status::Ok();
    const bool list = resource.type() == doc::Type::kArray && operation->kind == Kind::kPatch;
    if (resource.type() != doc::Type::kObject && !list) return Wrong("'resourceBody' must be an object.");
    operation->resource = resource;
    return Status::Ok();
  }

  const std::string_view members_;
  const size_t at_;
};

void AppendResult(const BatchResult& result, std::string* json) {
  json->append(R"({"statusCode":)").append(std::to_string(result.status));
  if (result.substatus != 0) json->append(R"(,"subStatusCode":)").append(std::to_string(result.substatus));
  json->append(R"(,"requestCharge":)");
  AppendCharge(result.milli_ru, json);
  if (result.retry_after_ms > 0) {
    json->append(R"(,"retryAfterMilliseconds":)").append(std::to_string(result.retry_after_ms));
  }
  if (!result.etag.empty()) {
    json->append(R"(,"eTag":)");
    doc::StringToJson(result.etag, json);
  }
  if (!result.resource.empty()) json->append(R"(,"resourceBody":)").append(result.resource);
  if (!result.message.empty()) {
    json->append(R"(,"message":)");
    doc::StringToJson(result.message, json);
  }
  json->push_back('}');
}

}  // namespace

Status ReadBatchJson(std::string_view json, BatchBody* body) {
  Status parsed = doc::JsonArrayToBson(json, kLimits, &body->parsed);
  if (!parsed.ok()) return WrongBatch("its body must be a JSON array: " + parsed.message() + ".");
  doc::Reader reader(body->parsed);
  while (auto element = reader.Next()) {
    const size_t at = body->operations.size();
    if (at == kBatchOperationsMax) return TooManyBatchOperations();
    if (element->value.type() != doc::Type::kObject) return WrongBatchOperation(at, "it must be an object.");
    BatchOperation operation;
    LAPSE_RETURN_IF_ERROR(JsonOperation(element->value.AsDocument(), at).Read(&operation));
    LAPSE_RETURN_IF_ERROR(CheckBatchOperation(operation, at));
    body->operations.push_back(operation);
  }
  return Status::Ok();
}

void AppendBatchJson(const std::vector<BatchResult>& results, std::string* json) {
  json->push_back('[');
  for (const BatchResult& result : results) {
    AppendResult(result, json);
    json->push_back(',');
  }
  json->back() = ']';  // there is at least one result
}

}  // namespace lapse::api::cosmos
