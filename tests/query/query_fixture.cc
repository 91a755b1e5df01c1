#include "tests/query/query_fixture.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "doc/json.h"
#include "doc/value.h"

namespace lapse::query_tests {
namespace {

using api::cosmos::Answer;
using api::cosmos::Headers;

constexpr doc::JsonLimits kLimits = {.depth_max = 200, .bytes_max = 64 << 20};
constexpr int kPartitionCounts[] = {1, 3};

// Makes an endless query a failure instead of a hang.
constexpr int kPagesMax = 1000;

bool IsSystemName(std::string_view name) {
  return name == "_rid" || name == "_self" || name == "_etag" || name == "_attachments" || name == "_ts";
}

bool IsWholeItem(doc::Value value) {
  if (value.type() != doc::Type::kObject) return false;
  for (std::string_view name : {"_rid", "_self", "_etag", "_attachments", "_ts"}) {
    if (doc::Find(value.AsDocument(), name).missing()) return false;
  }
  return true;
}

// JSON in one form. A whole item is printed without its system properties, which differ between containers.
std::string TextOf(doc::Value value) {
  std::string json;
  if (IsWholeItem(value)) {
    doc::MembersToJson(value.AsDocument(), IsSystemName, &json);
    return "{" + json + "}";
  }
  doc::ValueToJson(value, &json);
  return json == "-0.0" ? "0" : json;  // the two zeros are equal, and which one is shown is not specified
}

std::vector<std::string> ElementsOf(std::string_view bson_array) {
  std::vector<std::string> elements;
  doc::Reader reader(bson_array);
  while (auto element = reader.Next()) elements.push_back(TextOf(element->value));
  return elements;
}

std::string Joined(const std::vector<std::string>& list) {
  std::string text = "[";
  for (const std::string& one : list) text.append(text.size() > 1 ? ", " : "").append(one);
  return text + "]";
}

std::vector<std::string> Sorted(std::vector<std::string> list) {
  std::sort(list.begin(), list.end());
  return list;
}

bool IsAbout(const std::string& got, const std::string& wanted) {
  char* got_end = nullptr;
  char* wanted_end = nullptr;
  double a = std::strtod(got.c_str(), &got_end);
  double b = std::strtod(wanted.c_str(), &wanted_end);
  if (got.empty() || *got_end != '\0' || *wanted_end != '\0') return false;
  return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

// The errors in a message of the service, in the form of the case files.
std::string ErrorsOf(const std::string& message) {
  const size_t begin = message.find('{');
  const size_t end = message.rfind('}');
  std::string bson;
  if (begin == std::string::npos || end == std::string::npos) return message;
  if (!doc::JsonToBson(message.substr(begin, end + 1 - begin), kLimits, &bson).ok()) return message;
  std::string text;
  if (doc::Value plain = doc::Find(bson, "Errors"); !plain.missing()) {
    doc::Reader reader(plain.AsDocument());
    while (auto one = reader.Next()) text.append(one->value.AsString()).append("\n");
    return text;
  }
  doc::Value list = doc::Find(bson, "errors");
  if (list.missing()) return message;
  doc::Reader reader(list.AsDocument());
  while (auto one = reader.Next()) {
    std::string_view error = one->value.AsDocument();
    doc::Value code = doc::Find(error, "code");
    text += code.type() == doc::Type::kString ? std::string(code.AsString()) : TextOf(code);
    if (doc::Value location = doc::Find(error, "location"); !location.missing()) {
      text += " " + TextOf(doc::Find(location.AsDocument(), "start")) + "-" +
              TextOf(doc::Find(location.AsDocument(), "end"));
    }
    text.append(" ").append(doc::Find(error, "message").AsString()).append("\n");
  }
  return text;
}

// Whether a line of ErrorsOf matches the case.
bool Fits(std::string_view line, const ExpectedError& wanted) {
  const auto take = [&line](const std::string& word) {
    if (word.empty()) return true;
    if (!line.starts_with(word)) return false;
    line.remove_prefix(word.size());
    if (line.starts_with(' ')) line.remove_prefix(1);
    return true;
  };
  if (!take(wanted.code) || !take(wanted.location)) return false;
  return wanted.message.empty() || line == wanted.message;
}

std::string ErrorDifference(const std::string& message, const std::vector<ExpectedError>& wanted) {
  const std::string errors = ErrorsOf(message);
  std::istringstream lines(errors);
  std::string line;
  bool fits = true;
  for (const ExpectedError& one : wanted) fits = std::getline(lines, line) && Fits(line, one) && fits;
  if (fits && !std::getline(lines, line)) return "";
  return "these errors: " + errors;
}

// The members of an object as JSON, with another `id`.
std::string WithId(const std::string& json, const std::string& id, const std::string& more) {
  std::string bson;
  EXPECT_TRUE(doc::JsonToBson(json, kLimits, &bson).ok()) << json;
  std::string rest;
  doc::MembersToJson(
      bson, [](std::string_view name) { return name == "id"; }, &rest);
  return R"({"id":")" + id + R"(")" + more + (rest.empty() ? "" : "," + rest) + "}";
}

std::string IdOf(const std::string& json) {
  std::string bson;
  EXPECT_TRUE(doc::JsonToBson(json, kLimits, &bson).ok()) << json;
  return std::string(doc::Find(bson, "id").AsString());
}

std::vector<std::string> ReadDocuments(const std::string& name) {
  std::ifstream file("tests/query/documents/" + name + ".jsonl");
  EXPECT_TRUE(file) << name;
  std::vector<std::string> documents;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) documents.push_back(line);
  }
  return documents;
}

}  // namespace

QueryFixture::QueryFixture() {
  rate_limiting_ = engine::RateLimiting::kOff;
  api_.reset();
  Restart();
  StartApi(api::cosmos::AnyHost());
}

void QueryFixture::Check(const std::vector<QueryCase>& cases) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  for (const QueryCase& one : cases) ASSERT_NO_FATAL_FAILURE(MakeContainers(one));
  PassSeconds(kCopiesLive_s);
  std::vector<const QueryCase*> good;
  for (const QueryCase& one : cases) {
    std::string difference;
    for (int partitions : kPartitionCounts) {
      for (Expired expired : {Expired::kNone, Expired::kAThird}) {
        if (difference.empty()) difference = Difference(one, partitions, expired, {1, 3, 100});
      }
    }
    if (difference.empty()) {
      good.push_back(&one);
    } else {
      Report(one, difference);
    }
  }
  // Again by scan, with an API that uses no index.
  use_indexes_ = false;
  StartApi(api::cosmos::AnyHost());
  for (const QueryCase* one : good) {
    for (int partitions : kPartitionCounts) {
      std::string difference = Difference(*one, partitions, Expired::kAThird, {3});
      if (!difference.empty()) Report(*one, "without indexes, " + difference);
    }
  }
  use_indexes_ = true;
  StartApi(api::cosmos::AnyHost());
  CheckShared(good);
  Sweep();
  for (const QueryCase* one : good) {
    for (int partitions : kPartitionCounts) {
      std::string difference = Difference(*one, partitions, Expired::kAThird, {3});
      if (!difference.empty()) Report(*one, "after the sweeper, " + difference);
    }
  }
}

// Again with partitions read separately, as helpers do it, with indexes and without.
void QueryFixture::CheckShared(const std::vector<const QueryCase*>& cases) {
  query_helpers_ = &helpers_;
  query_thresholds_.shared_items = 0;
  for (const bool use_indexes : {false, true}) {
    use_indexes_ = use_indexes;
    StartApi(api::cosmos::AnyHost());
    for (const QueryCase* one : cases) {
      const std::string difference = Difference(*one, 3, Expired::kAThird, {1, 100});
      if (!difference.empty()) Report(*one, "shared, " + difference);
    }
  }
  query_helpers_ = nullptr;
  StartApi(api::cosmos::AnyHost());
}

void QueryFixture::Report(const QueryCase& one, const std::string& difference) {
  std::string wanted = Joined({one.results});
  for (const ExpectedError& error : one.errors) {
    wanted += "\n  error " + error.code + " " + error.location + " " + error.message;
  }
  ADD_FAILURE_AT(one.file.c_str(), one.line) << one.query << "\n  wanted: " << wanted << "\n  " << difference;
}

std::string QueryFixture::ContainerName(const QueryCase& one, int partitions, Expired expired) {
  return one.documents + "-" + std::to_string(std::hash<std::string>()(one.container)) + "-" +
         std::to_string(partitions) + (expired == Expired::kNone ? "" : "-expired");
}

void QueryFixture::MakeContainers(const QueryCase& one) {
  const std::string first = ContainerName(one, 1, Expired::kNone);
  if (std::find(made_.begin(), made_.end(), first) != made_.end()) return;
  made_.push_back(first);
  for (int partitions : kPartitionCounts) {
    for (Expired expired : {Expired::kNone, Expired::kAThird}) {
      ASSERT_NO_FATAL_FAILURE(MakeContainer(ContainerName(one, partitions, expired), one, partitions, expired));
    }
  }
}

void QueryFixture::MakeContainer(const std::string& name, const QueryCase& one, int partitions, Expired expired) {
  std::string body = R"({"id":")" + name + R"(","partitionKey":{"paths":["/id"],"kind":"Hash","version":2})";
  body += R"(,"defaultTtl":-1)" + (one.container.empty() ? "" : "," + one.container) + "}";
  Answer made = Send("POST", "/dbs/db/colls", body,
                     {{"x-ms-offer-throughput", partitions == 1 ? "400" : std::to_string(6'000 * partitions)}});
  ASSERT_EQ(made.status, 201) << made.body;
  ASSERT_EQ(Find(name)->partitions().size(), static_cast<size_t>(partitions));
  if (one.documents.empty()) return;
  const std::vector<std::string> documents = ReadDocuments(one.documents);
  for (size_t i = 0; i < documents.size(); ++i) {
    if (expired == Expired::kAThird && i % 2 == 0) AddCopy(name, documents[i]);
    AddDocument(name, documents[i]);
  }
  const size_t copies = expired == Expired::kAThird ? (documents.size() + 1) / 2 : 0;
  ASSERT_EQ(Ask(name, "SELECT VALUE 1 FROM c", "[]", 100).results.size(), documents.size() + copies);
  ASSERT_EQ(PartitionsWithItems(name), partitions) << "documents must be in all of them";
}

int QueryFixture::PartitionsWithItems(const std::string& container) {
  int count = 0;
  for (size_t range = 0; range < Find(container)->partitions().size(); ++range) {
    Answer feed = Send("GET", "/dbs/db/colls/" + container + "/docs", "",
                       {{"x-ms-documentdb-partitionkeyrangeid", std::to_string(range)}});
    count += feed.At("/_count") == "0" ? 0 : 1;
  }
  return count;
}

void QueryFixture::AddDocument(const std::string& container, const std::string& json) {
  Answer made = Send("POST", "/dbs/db/colls/" + container + "/docs", json,
                     {{"x-ms-documentdb-partitionkey", R"([")" + IdOf(json) + R"("])"}});
  ASSERT_EQ(made.status, 201) << made.body;
}

void QueryFixture::AddCopy(const std::string& container, const std::string& json) {
  AddDocument(container, WithId(json, IdOf(json) + " copy", R"(,"ttl":)" + std::to_string(kCopiesLive_s)));
}

void QueryFixture::Sweep() {
  while (engine_->SweepTurn()) {
  }
}

QueryFixture::Outcome QueryFixture::Ask(const std::string& container, const std::string& query,
                                        const std::string& parameters, int page_size) {
  std::string body = R"({"query":)";
  doc::StringToJson(query, &body);
  body += R"(,"parameters":)" + parameters + "}";
  Headers headers = {{"x-ms-documentdb-isquery", "True"},
                     {"content-type", "application/query+json"},
                     {"x-ms-documentdb-query-enablecrosspartition", "True"},
                     {"x-ms-max-item-count", std::to_string(page_size)}};
  Outcome outcome;
  for (int page = 0; page < kPagesMax; ++page) {
    const Answer answer = Send("POST", "/dbs/db/colls/" + container + "/docs", body, headers);
    outcome.status = answer.status;
    std::string bson;
    if (!doc::JsonToBson(answer.body, kLimits, &bson).ok()) {
      outcome.status = 0;
      outcome.error = "not JSON: " + answer.body;
      return outcome;
    }
    if (answer.status != 200) {
      outcome.code = doc::Find(bson, "code").AsString();
      outcome.error = doc::Find(bson, "message").AsString();
      return outcome;
    }
    std::vector<std::string> results = ElementsOf(doc::Find(bson, "Documents").AsDocument());
    if (results.size() > static_cast<size_t>(page_size)) outcome.error = "a page is too long";
    outcome.results.insert(outcome.results.end(), results.begin(), results.end());
    const auto next = answer.headers.find("x-ms-continuation");
    if (next == answer.headers.end()) return outcome;
    headers["x-ms-continuation"] = next->second;
  }
  outcome.error = "there is no end of pages";
  return outcome;
}

std::string QueryFixture::Difference(const QueryCase& one, int partitions, Expired expired,
                                     const std::vector<int>& page_sizes) {
  const std::string container = ContainerName(one, partitions, expired);
  const std::string where = std::to_string(partitions) + " partition(s)" +
                            (expired == Expired::kNone ? "" : ", a third expired") + ", pages of ";
  for (int page_size : page_sizes) {
    const std::string difference = DifferenceOf(one, Ask(container, one.query, one.parameters, page_size), partitions);
    if (!difference.empty())
      return std::string(where).append(std::to_string(page_size)).append(": ").append(difference);
  }
  const std::string difference = ConditionDifference(one, container);
  return difference.empty() ? "" : where + "100: " + difference;
}

std::string QueryFixture::DifferenceOf(const QueryCase& one, const Outcome& outcome, int partitions) {
  if (!one.errors.empty()) {
    if (outcome.status != 400) return "status " + std::to_string(outcome.status) + " " + Joined(outcome.results);
    if (outcome.code != "BadRequest") return "code " + outcome.code;
    return ErrorDifference(outcome.error, one.errors);
  }
  if (outcome.status != 200 || !outcome.error.empty()) {
    return "status " + std::to_string(outcome.status) + " " + outcome.error;
  }
  std::string bson;
  if (Status status = doc::JsonArrayToBson(one.results, kLimits, &bson); !status.ok()) {
    return "the case is wrong: " + status.ToString();
  }
  std::vector<std::string> wanted = ElementsOf(bson);
  std::vector<std::string> got = outcome.results;
  if (one.comparison == Comparison::kAbout) {
    const bool fits = got.size() == 1 && wanted.size() == 1 && IsAbout(got[0], wanted[0]);
    return fits ? "" : "got: " + Joined(got);
  }
  const bool in_order =
      one.comparison == Comparison::kInOrder || (one.comparison == Comparison::kAsCreated && partitions == 1);
  if (!in_order) {
    wanted = Sorted(std::move(wanted));
    got = Sorted(std::move(got));
  }
  return got == wanted ? "" : "got: " + Joined(outcome.results);
}

std::string QueryFixture::ConditionDifference(const QueryCase& one, const std::string& container) {
  if (one.condition.empty() || !one.errors.empty()) return "";
  // On a line of its own, for expressions that end in a comment.
  const std::string query = std::string("SELECT VALUE 1 FROM c WHERE c.") + kSubject + " AND (" + one.condition + "\n)";
  const Outcome outcome = Ask(container, query, one.parameters, 100);
  const std::string wanted = one.results == "[true]" ? "[1]" : "[]";
  if (outcome.status == 200 && Joined(outcome.results) == wanted) return "";
  return "as a condition, status " + std::to_string(outcome.status) + " " + Joined(outcome.results) + outcome.error;
}

}  // namespace lapse::query_tests
