#include "query/plan/expression.h"

#include <algorithm>

#include "query/values/compare.h"
#include "query/values/hash.h"

namespace lapse::query::plan {

// A sub-query equals only itself, because its slots are its own.
bool SameExpression(const Expression& a, const Expression& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.kind == ExpressionKind::kSubquery || a.kind == ExpressionKind::kLet) return false;
  if (a.slot != b.slot || a.index != b.index || a.function != b.function || a.name != b.name) return false;
  if (a.kind == ExpressionKind::kConstant) return SameValue(a.value, b.value);
  return std::equal(a.names.begin(), a.names.end(), b.names.begin(), b.names.end()) &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    [](const Expression* x, const Expression* y) { return SameExpression(*x, *y); });
}

uint64_t HashExpression(const Expression& e, uint64_t seed) {
  const bool is_alone = e.kind == ExpressionKind::kSubquery || e.kind == ExpressionKind::kLet;
  const void* identity = is_alone ? static_cast<const void*>(&e) : static_cast<const void*>(e.function);
  uint64_t hash = HashOf(e.value, seed);
  auto mix = [&hash](uint64_t part) { hash = (hash ^ part) * 0x9E3779B97F4A7C15 + (hash >> 29); };
  mix(static_cast<uint64_t>(e.kind));
  mix(reinterpret_cast<uintptr_t>(identity));
  if (is_alone) return hash;
  mix(e.slot);
  mix(static_cast<uint64_t>(e.index));
  mix(HashOfBytes(e.name, seed));
  for (std::string_view name : e.names) mix(HashOfBytes(name, seed));
  for (const Expression* child : e.children) mix(HashExpression(*child, seed));
  return hash;
}

}  // namespace lapse::query::plan
