// One operation of a batch, as decoded from either form of the body.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "doc/value.h"
#include "engine/records/items/item_write.h"

namespace lapse::api::cosmos {

constexpr size_t kBatchOperationsMax = 100;
constexpr size_t kBatchBytesMax = 2'202'010;

// The views point into the body of the request, or into BatchBody::parsed.
struct BatchOperation {
  engine::WriteKind kind = engine::WriteKind::kRead;
  std::optional<std::string_view> partition_key;  // JSON text, as in the header of a request for one item
  std::string_view id;                            // empty for creates and upserts
  std::string_view if_match;                      // empty: none
  std::string_view if_none_match;
  std::string_view indexing_directive;
  bool minimal = false;  // its result needs no item
  // The item, or the patch: a part of a JSON body, or JSON text of its own.
  doc::Value resource;
  std::string_view resource_text;

  bool only_reads() const { return kind == engine::WriteKind::kRead; }
  bool has_resource() const { return !resource.missing() || !resource_text.empty(); }
};

enum class BatchForm { kJson, kHybridRow };

struct BatchBody {
  BatchForm form = BatchForm::kJson;
  std::string parsed;
  std::vector<BatchOperation> operations;

  BatchBody() = default;
  BatchBody(const BatchBody&) = delete;
  BatchBody& operator=(const BatchBody&) = delete;
};

// Reads the body of a request. Checks everything that does not depend on the container. Items and patches are checked
// later. Fails: kInvalidArgument, kTooLarge.
Status ReadBatchBody(std::string_view bytes, BatchBody* body);

// For readers of either form. `at` counts from 0, while messages count from 1.
Status WrongBatch(std::string_view what);
Status WrongBatchOperation(size_t at, std::string_view what);
// Checks that an operation has what its kind needs.
Status CheckBatchOperation(const BatchOperation& operation, size_t at);
Status TooManyBatchOperations();

}  // namespace lapse::api::cosmos
