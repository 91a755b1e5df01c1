#include <cstring>

#include "api/cosmos/batch/batch_rows.h"
#include "api/cosmos/batch/hybrid_row/row_layout.h"
#include "base/bytes.h"
#include "base/crc32.h"
#include "doc/json.h"

namespace lapse::api::cosmos {
namespace {

using hybrid_row::Type;

// Columns of a result.
constexpr uint8_t kHasStatus = 1 << 0, kHasSubStatus = 1 << 1, kHasEtag = 1 << 2, kHasResultResource = 1 << 3;
constexpr char kRetryAfter = 5, kRequestCharge = 6;

void PutVaruint(uint64_t value, std::string* out) {
  constexpr uint64_t kMore = 0x80;
  for (; value >= kMore; value >>= 7) out->push_back(static_cast<char>(value | kMore));
  out->push_back(static_cast<char>(value));
}

void PutVariable(std::string_view bytes, std::string* out) {
  PutVaruint(bytes.size(), out);
  out->append(bytes);
}

void PutBegin(int32_t schema, std::string* out) {
  out->push_back(static_cast<char>(hybrid_row::kVersion));
  PutLittleEndian(out, schema);
}

// This form has no column for a message. Clients show the body of the failed result as the text of the error, and
// expect an object there. A 404 has no body, as observed from the service.
std::string ErrorBody(const BatchResult& result) {
  constexpr int kNotFound = 404;
  if (result.message.empty() || result.status == kNotFound) return {};
  std::string body = R"({"code":)";
  doc::StringToJson(result.name, &body);
  body.append(R"(,"message":)");
  doc::StringToJson(result.message, &body);
  body.push_back('}');
  return body;
}

void AppendRow(const BatchResult& result, std::string* out) {
  constexpr double kMilli = 1000;
  const std::string error = ErrorBody(result);
  const std::string_view body = error.empty() ? std::string_view(result.resource) : error;
  PutBegin(hybrid_row::kResultSchema, out);
  out->push_back(static_cast<char>(kHasStatus | kHasSubStatus | (result.etag.empty() ? 0 : kHasEtag) |
                                   (body.empty() ? 0 : kHasResultResource)));
  PutLittleEndian(out, int32_t{result.status});
  PutLittleEndian(out, int32_t{result.substatus});
  if (!result.etag.empty()) PutVariable(result.etag, out);
  if (!body.empty()) PutVariable(body, out);
  if (result.retry_after_ms > 0) {
    out->push_back(static_cast<char>(Type::kUint32));
    out->push_back(kRetryAfter);
    PutLittleEndian(out, static_cast<uint32_t>(result.retry_after_ms));
  }
  out->push_back(static_cast<char>(Type::kFloat64));
  out->push_back(kRequestCharge);
  PutLittleEndian(out, static_cast<double>(result.milli_ru) / kMilli);
}

}  // namespace

void AppendBatchRows(const std::vector<BatchResult>& results, std::string* out) {
  PutBegin(hybrid_row::kSegmentSchema, out);
  out->push_back(1);
  PutLittleEndian(out, hybrid_row::kSegmentHeader_bytes);
  for (const BatchResult& result : results) {
    PutBegin(hybrid_row::kRecordSchema, out);
    // Length and checksum are known only after the row is written.
    const size_t front = out->size();
    out->append(sizeof(int32_t) + sizeof(uint32_t), '\0');
    const size_t begin = out->size();
    AppendRow(result, out);
    const std::string_view row = std::string_view(*out).substr(begin);
    const auto length = static_cast<int32_t>(row.size());
    const uint32_t crc = Crc32(row);
    std::memcpy(out->data() + front, &length, sizeof(length));
    std::memcpy(out->data() + front + sizeof(length), &crc, sizeof(crc));
  }
}

}  // namespace lapse::api::cosmos
