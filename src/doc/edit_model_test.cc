// Compares random edits with the simplest implementation: a tree of nodes, edited in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "doc/edit.h"
#include "doc/json.h"
#include "doc/writer.h"

namespace lapse::doc {
namespace {

// An object, an array, or a scalar.
struct Node {
  Type type = Type::kNull;
  std::string raw;                 // of a scalar
  std::vector<std::string> names;  // of the children; meaningless for an array
  std::vector<Node> children;

  bool holds() const { return type == Type::kObject || type == Type::kArray; }
  void Add(size_t at, std::string_view name, Node child) {
    names.insert(names.begin() + static_cast<ptrdiff_t>(at), std::string(name));
    children.insert(children.begin() + static_cast<ptrdiff_t>(at), std::move(child));
  }
  void Erase(size_t at) {
    names.erase(names.begin() + static_cast<ptrdiff_t>(at));
    children.erase(children.begin() + static_cast<ptrdiff_t>(at));
  }
};

Node ToNode(Value value) {
  Node node;
  node.type = value.type();
  if (!node.holds()) {
    node.raw = value.raw();
    return node;
  }
  Reader reader(value.AsDocument());
  while (auto element = reader.Next()) node.Add(node.children.size(), element->name, ToNode(element->value));
  return node;
}

void Append(const Node& node, const std::string& name, Writer* writer) {
  if (!node.holds()) return writer->AppendValue(name, Value(node.type, node.raw));
  node.type == Type::kObject ? writer->BeginObject(name) : writer->BeginArray(name);
  for (size_t i = 0; i < node.children.size(); ++i) {
    Append(node.children[i], node.type == Type::kArray ? std::to_string(i) : node.names[i], writer);
  }
  writer->End();
}

std::string ToDocument(const Node& root) {
  std::string bson;
  Writer writer(&bson);
  writer.BeginDocument();
  for (size_t i = 0; i < root.children.size(); ++i) Append(root.children[i], root.names[i], &writer);
  writer.End();
  return bson;
}

int DepthOf(const Node& node) {
  int depth = 0;
  for (const Node& child : node.children) depth = std::max(depth, DepthOf(child));
  return node.holds() ? depth + 1 : 0;
}

constexpr size_t kNowhere = static_cast<size_t>(-1);

// Returns the index of a name among the children, their number for the position after the last, or kNowhere.
size_t PlaceOf(const Node& parent, const std::string& name) {
  if (parent.type == Type::kObject) {
    return static_cast<size_t>(std::find(parent.names.begin(), parent.names.end(), name) - parent.names.begin());
  }
  if (name == "-") return parent.children.size();
  if (name != "0" && name != "1" && name != "2") return kNowhere;
  const auto index = static_cast<size_t>(name[0] - '0');
  return index <= parent.children.size() ? index : kNowhere;
}

Node* Parent(Node* root, const Path& path) {
  Node* at = root;
  for (size_t i = 0; i + 1 < path.names().size(); ++i) {
    const size_t place = PlaceOf(*at, path.names()[i]);
    if (place == kNowhere || place == at->children.size() || !at->children[place].holds()) return nullptr;
    at = &at->children[place];
  }
  return path.names().empty() ? nullptr : at;
}

// Each function from here on returns whether the edit was possible.
bool Take(Node* root, const Path& path, Node* taken) {
  Node* parent = Parent(root, path);
  if (parent == nullptr) return false;
  const size_t place = PlaceOf(*parent, path.names().back());
  if (place == kNowhere || place == parent->children.size()) return false;
  *taken = parent->children[place];
  parent->Erase(place);
  return true;
}

bool AddNumbers(Node* number, const Node& by) {
  const Value a(number->type, number->raw), b(by.type, by.raw);
  if (!a.IsNumber() || !b.IsNumber()) return false;
  std::string holder;
  Writer writer(&holder);
  writer.BeginDocument();
  if (a.type() != Type::kDouble && b.type() != Type::kDouble) {
    writer.AppendInteger("s", a.AsInt64() + b.AsInt64());
  } else {
    writer.AppendDouble("s", a.AsDouble() + b.AsDouble());
  }
  writer.End();
  *number = ToNode(Find(holder, "s"));
  return true;
}

bool Put(Node* root, const Edit& edit, const Node& value, int depth_max) {
  Node* parent = Parent(root, edit.path);
  if (parent == nullptr) return false;
  const size_t place = PlaceOf(*parent, edit.path.names().back());
  if (place == kNowhere) return false;
  if (place == parent->children.size()) {
    if (edit.kind == Edit::Kind::kReplace) return false;
    parent->Add(place, edit.path.names().back(), value);
  } else if (edit.kind == Edit::Kind::kIncrement) {
    if (!AddNumbers(&parent->children[place], value)) return false;
  } else if (parent->type == Type::kArray && (edit.kind == Edit::Kind::kAdd || edit.kind == Edit::Kind::kMove)) {
    parent->Add(place, "", value);
  } else {
    parent->children[place] = value;
  }
  return DepthOf(*root) <= depth_max;
}

bool ApplyToModel(const std::vector<Edit>& edits, int depth_max, Node* root) {
  for (const Edit& edit : edits) {
    Node taken;
    switch (edit.kind) {
      case Edit::Kind::kRemove:
        if (!Take(root, edit.path, &taken)) return false;
        break;
      case Edit::Kind::kMove:
        if (edit.path.IsWithin(edit.from)) return false;
        if (!Take(root, edit.from, &taken) || !Put(root, edit, taken, depth_max)) return false;
        break;
      default:
        if (edit.kind == Edit::Kind::kIncrement && !edit.value.view().IsNumber()) return false;
        if (!Put(root, edit, ToNode(edit.value.view()), depth_max)) return false;
    }
  }
  return true;
}

class RandomEdits {
 public:
  explicit RandomEdits(unsigned seed) : random_(seed) {}

  int Below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  std::string Name() {
    constexpr const char* kNames[] = {"a", "b", "0", "1", "2", "-", ""};
    return kNames[Below(7)];
  }

  Path RandomPath() {
    std::vector<std::string> names;
    for (int n = Below(8) == 0 ? 0 : 1 + Below(3); n > 0; --n) names.push_back(Name());
    return Path(std::move(names));
  }

  std::string Json(int depth) {
    switch (Below(depth > 0 ? 8 : 5)) {
      case 0: return std::to_string(Below(1000) - 500);
      case 1: return std::to_string(Below(1000)) + ".25";
      case 2: return "\"" + std::string(static_cast<size_t>(Below(20)), 'x') + "\"";
      case 3: return "null";
      case 4: return std::to_string(int64_t{2147483600} + Below(100));
      case 5: return Object(depth - 1);
      default: {
        std::string json = "[";
        for (int n = Below(4); n > 0; --n) json.append(json.size() > 1 ? "," : "").append(Json(depth - 1));
        return json + "]";
      }
    }
  }

  std::string Object(int depth) {
    std::string json = "{";
    for (const char* name : {"a", "b", "0", "-", ""}) {
      if (Below(2) == 0) continue;
      json.append(json.size() > 1 ? ",\"" : "\"").append(name).append("\":").append(Json(depth));
    }
    return json + "}";
  }

  Edit One() {
    Edit edit;
    edit.kind = static_cast<Edit::Kind>(Below(6));
    edit.path = RandomPath();
    if (edit.kind == Edit::Kind::kMove) edit.from = RandomPath();
    if (edit.kind == Edit::Kind::kMove || edit.kind == Edit::Kind::kRemove) return edit;
    std::string holder;
    EXPECT_TRUE(JsonToBson("{\"v\":" + Json(2) + "}", {}, &holder).ok());
    edit.value = OwnedValue(Find(holder, "v"));
    return edit;
  }

 private:
  std::mt19937 random_;
};

TEST(EditModelTest, RandomEditsAreAsTheModelHasThem) {
  constexpr int kRounds = 20'000;
  constexpr int kDepthMax = 5;
  int applied = 0;
  int single_failures = 0;
  for (unsigned seed = 0; seed < kRounds; ++seed) {
    RandomEdits random(seed);
    std::string before;
    ASSERT_TRUE(JsonToBson(random.Object(3), {}, &before).ok());
    std::vector<Edit> edits;
    for (int n = 1 + random.Below(3); n > 0; --n) edits.push_back(random.One());
    Node root = ToNode(Value(Type::kObject, before));
    const bool expected = ApplyToModel(edits, kDepthMax, &root);
    std::string after;
    const auto error = ApplyEdits(before, edits, {.depth_max = kDepthMax}, &after);
    ASSERT_EQ(!error.has_value(), expected) << "seed " << seed;
    if (expected) {
      ASSERT_EQ(after, ToDocument(root)) << "seed " << seed;
      ASSERT_TRUE(Validate(after, kDepthMax).ok()) << "seed " << seed;
      ++applied;
    } else {
      ASSERT_TRUE(after.empty()) << "seed " << seed;
      single_failures += edits.size() == 1 ? 1 : 0;
    }
  }
  EXPECT_GT(applied, kRounds / 20);
  EXPECT_GT(single_failures, kRounds / 20);
}

}  // namespace
}  // namespace lapse::doc
