// The operations and answers of one logical partition's clients, with the real order of both.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lapse::linearizability {

// The part of a document that the model knows.
struct Content {
  int64_t value = 0;  // unique among the writes of a run
  int64_t counter = 0;
  std::optional<int64_t> tag = {};  // unique in the logical partition; none: the document has no such member
  std::optional<int64_t> ttl = {};  // the item's own

  bool operator==(const Content&) const = default;
};

struct Version {
  std::string etag = {};  // empty: no client has seen it yet
  int64_t ts_s = 0;
  Content content = {};

  bool operator==(const Version&) const = default;
};

enum class Kind { kCreate, kRead, kReplace, kUpsert, kDelete, kPatch, kList };

struct Action {
  Kind kind = Kind::kRead;
  int id = 0;
  // The content to write. A patch sets the value, adds the counter, and sets the tag if there is one.
  Content content = {};
  std::string if_match = {};  // an etag; empty: none
};

struct ShownItem {
  int id = 0;
  Version version = {};

  bool operator==(const ShownItem&) const = default;
};

// The answer to one action, with its HTTP status.
struct ActionResult {
  int status = 0;
  std::vector<ShownItem> shown = {};  // the item written or read; for a list all of it, by id
};

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// One request: one action, or a batch of several that succeed or fail together.
struct Operation {
  int client = 0;
  bool batch = false;
  std::vector<Action> actions = {};

  // False if the outcome is unknown. Then the operation may have had its effect, as a whole, or not.
  bool known = true;
  // For an unknown operation: it had its effect all the same, and its etags are those of `results`.
  bool happened = false;
  std::vector<ActionResult> results = {};  // one for each action, if it is known

  // Positions in the order of all events of a run.
  int64_t invoked = 0;
  int64_t ended = 0;
  int64_t settled = kNever;  // an unknown operation has its effect before this, or never

  // Bounds of the server's second while the operation was under way, and the last second before `settled`.
  int64_t earliest_s = 0;
  int64_t latest_s = 0;
  int64_t settled_s = 0;
};

struct History {
  std::string partition = {};
  int64_t start_s = 0;
  std::vector<Operation> operations = {};  // in the order of `invoked`
};

bool IsWrite(const Action& action);
bool HasWrite(const Operation& operation);
// Whether the operation certainly changed something.
bool HasChanged(const Operation& operation);

// For people: `[3..8] client 1: replace i2 {v=7 n=1} if-match "e" -> 200 {v=7 n=1} etag="f" ts=5`.
std::string Describe(const Operation& operation);

}  // namespace lapse::linearizability
