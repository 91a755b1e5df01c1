#include "query/functions/documents.h"

#include <cmath>
#include <optional>

#include "base/ascii.h"
#include "query/values/hash.h"
#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

Value DocumentId(EvalContext& context, Arguments arguments) {
  if (context.documents() == nullptr) return {};
  const auto number = context.documents()->NumberOf(arguments[0]);
  return number ? Value::Int64(*number) : Value();
}

Value Hash(EvalContext&, Arguments arguments) {
  if (arguments[0].IsUndefined()) return {};
  constexpr uint64_t kSeed = 0;
  const auto hash = static_cast<int64_t>(HashOf(arguments[0], kSeed) >> 32);
  if (arguments.size() == 1) return Value::Int64(hash);
  const auto modulus = IntegerOf(arguments[1]);
  return modulus && *modulus > 0 ? Value::Int64(hash % *modulus) : Value();
}

enum class Metric { kCosine, kDotProduct, kEuclidean };

std::optional<Metric> MetricOf(Arguments arguments) {
  if (arguments.size() < 4) return Metric::kCosine;
  if (!arguments[3].IsObject()) return std::nullopt;
  const Value name = Property(arguments[3], "distanceFunction");
  if (name.IsUndefined()) return Metric::kCosine;
  if (!name.IsString()) return std::nullopt;
  if (EqualsIgnoreCase(name.AsString(), "cosine")) return Metric::kCosine;
  if (EqualsIgnoreCase(name.AsString(), "dotproduct")) return Metric::kDotProduct;
  if (EqualsIgnoreCase(name.AsString(), "euclidean")) return Metric::kEuclidean;
  return std::nullopt;
}

Value VectorDistance(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsArray() || !arguments[1].IsArray()) return {};
  if (arguments.size() > 2 && !arguments[2].IsBool()) return {};
  const auto metric = MetricOf(arguments);
  if (!metric) return {};
  Elements in_a(arguments[0]);
  Elements in_b(arguments[1]);
  double product = 0;
  double a_squared = 0;
  double b_squared = 0;
  double apart_squared = 0;
  for (bool first = true;; first = false) {
    const auto from_a = in_a.Next();
    const auto from_b = in_b.Next();
    if (!from_a && !from_b && !first) break;
    if (!from_a || !from_b || !from_a->IsNumber() || !from_b->IsNumber()) return {};
    const double a = from_a->AsDouble();
    const double b = from_b->AsDouble();
    product += a * b;
    a_squared += a * a;
    b_squared += b * b;
    apart_squared += (a - b) * (a - b);
  }
  if (*metric == Metric::kDotProduct) return NumberValue(product);
  if (*metric == Metric::kEuclidean) return NumberValue(std::sqrt(apart_squared));
  // A zero vector has no direction.
  if (a_squared == 0 || b_squared == 0) return {};
  return NumberValue(product / (std::sqrt(a_squared) * std::sqrt(b_squared)));
}

}  // namespace

const Function kDocumentId = {1, 1, DocumentId, false};
const Function kHash = {1, 2, Hash};
const Function kVectorDistance = {2, 4, VectorDistance};

}  // namespace lapse::query::functions
