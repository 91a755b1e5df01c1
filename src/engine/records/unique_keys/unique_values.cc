#define OPENSSL_SUPPRESS_DEPRECATED  // the hash state by value: see docs/dependencies.md

#include "engine/records/unique_keys/unique_values.h"

#include <openssl/sha.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "base/fail_point.h"
#include "doc/value.h"
#include "engine/records/ids/value_at.h"

namespace lapse::engine {
namespace {

// While it fails, all values have the same hash.
constinit FailPoint one_hash("unique_keys.one_hash");

// The classes of values that can be equal. These numbers are hashed into stored keys (docs/formats.md): never renumber
// them.
enum class Kind : uint8_t { kNull, kWholeNumber, kNumber, kObject, kArray, kOther };

Kind KindOf(doc::Value value) {
  switch (value.type()) {
    case doc::Type::kMissing:
    case doc::Type::kUndefined:
    case doc::Type::kNull: return Kind::kNull;
    case doc::Type::kDouble:
    case doc::Type::kInt32:
    case doc::Type::kInt64: return value.AsWholeNumber().has_value() ? Kind::kWholeNumber : Kind::kNumber;
    case doc::Type::kObject: return Kind::kObject;
    case doc::Type::kArray: return Kind::kArray;
    default: return Kind::kOther;
  }
}

// All NaNs count as one value.
double Number(doc::Value value) {
  const double number = value.AsDouble();
  return std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number;
}

std::vector<doc::Element> Elements(doc::Value value) {
  std::vector<doc::Element> elements;
  doc::Reader reader(value.AsDocument());
  while (const auto element = reader.Next()) elements.push_back(*element);
  if (value.type() == doc::Type::kObject) {
    std::stable_sort(elements.begin(), elements.end(),
                     [](const doc::Element& a, const doc::Element& b) { return a.name < b.name; });
  }
  return elements;
}

bool AreEqual(doc::Value a, doc::Value b) {
  const Kind kind = KindOf(a);
  if (kind != KindOf(b)) return false;
  switch (kind) {
    case Kind::kNull: return true;
    case Kind::kWholeNumber: return a.AsWholeNumber() == b.AsWholeNumber();
    case Kind::kNumber: return std::bit_cast<uint64_t>(Number(a)) == std::bit_cast<uint64_t>(Number(b));
    case Kind::kOther: return a.type() == b.type() && a.raw() == b.raw();
    case Kind::kObject:
    case Kind::kArray: break;
  }
  const std::vector<doc::Element> of_a = Elements(a);
  const std::vector<doc::Element> of_b = Elements(b);
  return std::equal(
      of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
      [](const doc::Element& x, const doc::Element& y) { return x.name == y.name && AreEqual(x.value, y.value); });
}

// Every hashed part is self-delimiting, so no two lists of values give the same bytes.
class Hasher {
 public:
  Hasher() { SHA256_Init(&state_); }

  void Add(doc::Value value) {
    const Kind kind = KindOf(value);
    AddRaw(kind);
    switch (kind) {
      case Kind::kNull: return;
      case Kind::kWholeNumber: return AddRaw(*value.AsWholeNumber());
      case Kind::kNumber: return AddRaw(Number(value));
      case Kind::kOther: AddRaw(value.type()); return AddText(value.raw());
      case Kind::kObject:
      case Kind::kArray: break;
    }
    const std::vector<doc::Element> elements = Elements(value);
    AddRaw(static_cast<uint64_t>(elements.size()));
    for (const doc::Element& element : elements) {
      if (kind == Kind::kObject) AddText(element.name);
      Add(element.value);
    }
  }

  UniqueHash Finish() {
    std::array<uint8_t, SHA256_DIGEST_LENGTH> digest;
    SHA256_Final(digest.data(), &state_);
    UniqueHash hash;
    std::copy_n(digest.begin(), hash.size(), hash.begin());
    return hash;
  }

 private:
  template <typename T>
  void AddRaw(T value) {
    SHA256_Update(&state_, &value, sizeof(value));
  }
  void AddText(std::string_view text) {
    AddRaw(static_cast<uint64_t>(text.size()));
    SHA256_Update(&state_, text.data(), text.size());
  }

  SHA256_CTX state_;
};

}  // namespace

UniqueHash HashUniqueValues(const UniqueKeysDefinition::Key& key, std::string_view document) {
  if (!one_hash.Check().ok()) return {};
  Hasher hasher;
  for (const doc::Path& path : key.paths) hasher.Add(ValueAt(path.names(), document));
  return hasher.Finish();
}

bool HaveEqualValues(const UniqueKeysDefinition::Key& key, std::string_view a, std::string_view b) {
  return std::all_of(key.paths.begin(), key.paths.end(), [&](const doc::Path& path) {
    return AreEqual(ValueAt(path.names(), a), ValueAt(path.names(), b));
  });
}

}  // namespace lapse::engine
