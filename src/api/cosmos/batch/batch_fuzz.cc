// Treats arbitrary bytes as the body of a batch, in both forms. A batch that is read must be consistent and lie within
// the bytes. Otherwise it is refused with a reason. Its items and patches then become writes, or errors of their own.
#include <cstdlib>
#include <string>
#include <string_view>

#include "api/cosmos/batch/batch_operation.h"
#include "api/cosmos/batch/batch_result.h"
#include "api/cosmos/items/item_content.h"
#include "api/cosmos/items/patch_request.h"
#include "api/cosmos/wire/request_body.h"
#include "doc/json.h"

namespace {

using namespace lapse;
using namespace lapse::api::cosmos;

void Require(bool condition) {
  if (!condition) std::abort();
}

bool Within(std::string_view part, std::string_view whole) {
  return part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

void RequireRefusal(const Status& status) {
  Require(status.code() == Code::kInvalidArgument || status.code() == Code::kTooLarge ||
          status.code() == Code::kUnsupported || status.code() == Code::kPartitionKeyMismatch);
  Require(!status.message().empty());
}

void ReadContent(const BatchOperation& operation, const engine::PartitionKeyDefinition& key) {
  Result<std::string> document =
      operation.resource.missing() ? ParseBody(operation.resource_text) : std::string(operation.resource.AsDocument());
  if (!document.ok()) return RequireRefusal(document.status());
  const PartitionKeyValues given = ExtractPartitionKey(*document, key);
  const Result<ItemContent> content = ContentFromDocument(*std::move(document), given, key);
  if (!content.ok()) return RequireRefusal(content.status());
  Require(doc::Validate(content->document, kItemDepthMax).ok());
}

void Check(const BatchOperation& operation, std::string_view bytes, const engine::PartitionKeyDefinition& key) {
  using Kind = engine::WriteKind;
  Require(Within(operation.id, bytes) && Within(operation.if_match, bytes) && Within(operation.if_none_match, bytes));
  Require(Within(operation.resource_text, bytes) && Within(operation.partition_key.value_or(""), bytes));
  if (operation.partition_key.has_value()) {
    const Result<PartitionKeyValues> values = WholePartitionKey(*operation.partition_key, key, {});
    if (!values.ok()) RequireRefusal(values.status());
  }
  if (operation.kind == Kind::kPatch) {
    const Result<engine::ItemPatch> patch = operation.resource.missing() ? ReadPatch(operation.resource_text, key, {})
                                                                         : PatchFromValue(operation.resource, key, {});
    if (!patch.ok()) RequireRefusal(patch.status());
  } else if (operation.kind != Kind::kRead && operation.kind != Kind::kDelete) {
    ReadContent(operation, key);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  engine::PartitionKeyDefinition key;
  key.paths = {doc::Path({"pk"})};
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  BatchBody body;
  if (Status read = ReadBatchBody(bytes, &body); !read.ok()) {
    RequireRefusal(read);
    return 0;
  }
  Require(!body.operations.empty() && body.operations.size() <= kBatchOperationsMax);
  const std::string_view home = body.form == BatchForm::kJson ? std::string_view(body.parsed) : bytes;
  for (const BatchOperation& operation : body.operations) Check(operation, home, key);
  std::string answer;
  AppendBatchResults(std::vector<BatchResult>(body.operations.size()), body.form, &answer);
  Require(!answer.empty());
  return 0;
}
