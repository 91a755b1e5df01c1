// Sends every request that the API knows with every kind of credentials. The requests come from the router's own table.
// The permissions are stated here a second time, from routes and forms alone.
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/api_fixture.h"
#include "api/cosmos/routes/route_table.h"

namespace lapse::api::cosmos {
namespace {

constexpr char kReadOperation[] = R"({"operationType":"Read","id":"x"})";

// Returns a path of this kind, or an empty text for one that this test does not know.
std::string ExamplePath(RouteKind kind) {
  switch (kind) {
    case RouteKind::kUnknown: return "/nowhere";
    case RouteKind::kAccount: return "/";
    case RouteKind::kDatabases: return "/dbs";
    case RouteKind::kDatabase: return "/dbs/db";
    case RouteKind::kContainers: return "/dbs/db/colls";
    case RouteKind::kContainer: return "/dbs/db/colls/c";
    case RouteKind::kPartitionKeyRanges: return "/dbs/db/colls/c/pkranges";
    case RouteKind::kPartitionKeyRange: return "/dbs/db/colls/c/pkranges/0";
    case RouteKind::kItems: return "/dbs/db/colls/c/docs";
    case RouteKind::kItem: return "/dbs/db/colls/c/docs/x";
    case RouteKind::kScripts: return "/dbs/db/colls/c/sprocs";
    case RouteKind::kScript: return "/dbs/db/colls/c/sprocs/s";
    case RouteKind::kConflicts: return "/dbs/db/colls/c/conflicts";
    case RouteKind::kConflict: return "/dbs/db/colls/c/conflicts/s";
    case RouteKind::kKeyDeletion: return "/dbs/db/colls/c/operations/partitionkeydelete";
    case RouteKind::kUsers: return "/dbs/db/users";
    case RouteKind::kUser: return "/dbs/db/users/u";
    case RouteKind::kPermissions: return kTestPermissions;
    case RouteKind::kPermission: return "/dbs/db/users/u/permissions/container-Read";
    case RouteKind::kEncryptionKeys: return "/dbs/db/clientencryptionkeys";
    case RouteKind::kEncryptionKey: return "/dbs/db/clientencryptionkeys/k";
    case RouteKind::kOffers: return "/offers";
    case RouteKind::kOffer: return "/offers/0000";
  }
  return "";
}

// The same by rid, or an empty text if there is no such path.
std::string ExampleRidPath(RouteKind kind) {
  const std::string database = "/dbs/AAAAAQ==";
  const std::string container = database + "/colls/AAAAAYAAAAE=";
  const std::string user = database + "/users/AAAAAQAAAAE=";
  switch (kind) {
    case RouteKind::kUnknown:
    case RouteKind::kAccount:
    case RouteKind::kDatabases:
    case RouteKind::kOffers:
    case RouteKind::kOffer: return "";
    case RouteKind::kDatabase: return database;
    case RouteKind::kContainers: return database + "/colls";
    case RouteKind::kContainer: return container;
    case RouteKind::kPartitionKeyRanges: return container + "/pkranges";
    case RouteKind::kPartitionKeyRange: return container + "/pkranges/AAAAAYAAAAEAAAAAAAAAUA==";
    case RouteKind::kItems: return container + "/docs";
    case RouteKind::kItem: return container + "/docs/AAAAAYAAAAEBAAAAAAAAAA==";
    case RouteKind::kScripts: return container + "/sprocs";
    case RouteKind::kScript: return container + "/sprocs/AAAAAYAAAAEBAAAAAAAAgA==";
    case RouteKind::kConflicts: return container + "/conflicts";
    case RouteKind::kConflict: return container + "/conflicts/AAAAAYAAAAEBAAAAAAAAQA==";
    case RouteKind::kKeyDeletion: return container + "/operations/partitionkeydelete";
    case RouteKind::kUsers: return database + "/users";
    case RouteKind::kUser: return user;
    case RouteKind::kPermissions: return user + "/permissions";
    case RouteKind::kPermission: return user + "/permissions/AAAAAQAAAAECAAAAAAAAAA==";
    case RouteKind::kEncryptionKeys: return database + "/clientencryptionkeys";
    case RouteKind::kEncryptionKey: return database + "/clientencryptionkeys/AAAAAQAAAAAAAAABAgAAAA==";
  }
  return "";
}

struct Example {
  std::string method;
  Headers headers;
};

// Returns nullopt for a form that this test does not know.
std::optional<Example> ExampleOf(Form form) {
  // No version of anything has this etag, so an allowed request has no effect.
  const Headers no_match = {{"if-match", "\"no version\""}};
  switch (form) {
    case Form::kNone: return Example{"HEAD", {}};
    case Form::kRead:
    case Form::kList: return Example{"GET", {}};
    case Form::kChangeFeed: return Example{"GET", {{"a-im", "Incremental feed"}}};
    case Form::kQuery: return Example{"POST", {{"content-type", "application/query+json"}}};
    case Form::kPlan: return Example{"POST", {{"x-ms-cosmos-is-query-plan-request", "True"}}};
    case Form::kCreate: return Example{"POST", {}};
    case Form::kUpsert: return Example{"POST", {{"x-ms-documentdb-is-upsert", "True"}}};
    case Form::kReplace: return Example{"PUT", no_match};
    case Form::kPatch: return Example{"PATCH", no_match};
    case Form::kDelete: return Example{"DELETE", no_match};
    // As a client would send it to pass it off as a read.
    case Form::kBatch:
      return Example{"POST",
                     {{"x-ms-cosmos-is-batch-request", "True"},
                      {"x-ms-cosmos-batch-atomic", "True"},
                      {"content-type", "application/query+json"}}};
    case Form::kExecute: return Example{"POST", {{"content-type", "application/query+json"}}};
  }
  return std::nullopt;
}

bool IsRead(Form form) {
  return form == Form::kRead || form == Form::kList || form == Form::kChangeFeed || form == Form::kQuery ||
         form == Form::kPlan;
}

// The sender of a request.
struct Principal {
  enum class Kind { kFullKey, kReadOnlyKey, kToken, kEndedToken, kNobody };
  enum class On { kContainer, kKey, kItem, kOtherContainer };

  std::string name;
  Kind kind = Kind::kNobody;
  std::string key = "";    // kFullKey, kReadOnlyKey
  std::string token = "";  // all others
  On on = On::kContainer;
  bool all = false;
};

// The contract for a live token.
bool TokenMay(const Principal& who, RouteKind kind, Form form) {
  using On = Principal::On;
  if (kind == RouteKind::kAccount) return form == Form::kRead;
  if (who.on == On::kOtherContainer) return false;
  const bool in_mode = IsRead(form) || who.all;
  const bool on_container = who.on == On::kContainer || who.on == On::kKey;
  switch (kind) {
    case RouteKind::kContainer: return form == Form::kRead;
    case RouteKind::kPartitionKeyRanges:
    case RouteKind::kPartitionKeyRange: return IsRead(form);
    case RouteKind::kItem: return in_mode;
    case RouteKind::kItems:
    case RouteKind::kConflicts:
    case RouteKind::kConflict:
    case RouteKind::kKeyDeletion: return on_container && in_mode;
    case RouteKind::kScripts:
    case RouteKind::kScript: return on_container && in_mode && (IsRead(form) || form == Form::kExecute);
    case RouteKind::kUnknown:
    case RouteKind::kAccount:
    case RouteKind::kDatabases:
    case RouteKind::kDatabase:
    case RouteKind::kContainers:
    case RouteKind::kUsers:
    case RouteKind::kUser:
    case RouteKind::kPermissions:
    case RouteKind::kPermission:
    case RouteKind::kEncryptionKeys:
    case RouteKind::kEncryptionKey:
    case RouteKind::kOffers:
    case RouteKind::kOffer: break;
  }
  return false;
}

bool May(const Principal& who, RouteKind kind, Form form) {
  const bool shows_tokens = (kind == RouteKind::kPermissions || kind == RouteKind::kPermission) && form != Form::kPlan;
  switch (who.kind) {
    case Principal::Kind::kFullKey: return true;
    case Principal::Kind::kReadOnlyKey: return IsRead(form) && !shows_tokens;
    case Principal::Kind::kToken: return TokenMay(who, kind, form);
    case Principal::Kind::kEndedToken:
    case Principal::Kind::kNobody: break;
  }
  return false;
}

class AuthTableTest : public ApiFixture {
 protected:
  AuthTableTest() {
    MakeItems();
    CreateItem(R"({"id":"x","pk":"p"})");
    Send("POST", "/dbs/db/colls", R"({"id":"other","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}})");
    Send("POST", "/dbs/db/users", R"({"id":"u"})");
    AddKeys();
    AddTokens();
  }

  void AddKeys() {
    using Kind = Principal::Kind;
    const AccountKeys keys = TestKeys();
    who_.push_back({.name = "primary", .kind = Kind::kFullKey, .key = keys.primary});
    who_.push_back({.name = "secondary", .kind = Kind::kFullKey, .key = keys.secondary});
    who_.push_back({.name = "read-only", .kind = Kind::kReadOnlyKey, .key = keys.read_only});
    who_.push_back({.name = "secondary read-only", .kind = Kind::kReadOnlyKey, .key = keys.secondary_read_only});
    who_.push_back({.name = "a key of nobody", .kind = Kind::kNobody, .key = "bm9ib2R5"});
    who_.push_back({.name = "null", .kind = Kind::kNobody, .token = "null"});
    who_.push_back({.name = "Entra", .kind = Kind::kNobody, .token = "type=aad&ver=1.0&sig=x"});
  }

  // Returns a token from a permission of this user, and creates the user if needed.
  std::string TokenOf(const std::string& user, const std::string& id, const std::string& mode,
                      const std::string& resource, const std::string& key) {
    Send("POST", "/dbs/db/users", R"({"id":")" + user + R"("})");
    const std::string body = R"({"id":")" + id + R"(","permissionMode":")" + mode + R"(","resource":")" + resource +
                             "\"" + (key.empty() ? "" : R"(,"resourcePartitionKey":)" + key) + "}";
    Answer made = Send("POST", "/dbs/db/users/" + user + "/permissions", body);
    EXPECT_EQ(made.status, 201) << made.body;
    const std::string quoted = made.At("/_token");
    return quoted.size() < 2 ? "" : quoted.substr(1, quoted.size() - 2);
  }

  void AddTokens() {
    using Kind = Principal::Kind;
    using On = Principal::On;
    struct Scope {
      std::string name;
      On on;
      std::string resource;
      std::string key;
    };
    for (const Scope& scope :
         {Scope{"container", On::kContainer, "dbs/db/colls/c", ""},
          Scope{"key", On::kKey, "dbs/db/colls/c", R"(["p"])"}, Scope{"item", On::kItem, "dbs/db/colls/c/docs/x", ""},
          Scope{"item with key", On::kItem, "dbs/db/colls/c/docs/x", R"(["p"])"},
          Scope{"other", On::kOtherContainer, "dbs/db/colls/other", ""}}) {
      // A user has one permission for a resource.
      for (const char* mode : {"Read", "All"}) {
        const std::string name = scope.name + "-" + mode;
        who_.push_back({.name = name,
                        .kind = Kind::kToken,
                        .token = TokenOf(mode, name, mode, scope.resource, scope.key),
                        .on = scope.on,
                        .all = std::string_view(mode) == "All"});
      }
    }
    Principal deleted{.name = "deleted", .kind = Kind::kEndedToken, .all = true};
    deleted.token = TokenOf("u", "deleted", "All", "dbs/db/colls/c", "");
    Send("DELETE", std::string(kTestPermissions) + "/deleted");
    who_.push_back(deleted);
    Principal forged{.name = "forged", .kind = Kind::kEndedToken, .all = true};
    forged.token = TokenOf("v", "forged", "All", "dbs/db/colls/c", "");
    forged.token.back() = forged.token.back() == 'A' ? 'B' : 'A';
    who_.push_back(forged);
    TokenOf("u", "container-Read", "Read", "dbs/db/colls/c", "");
  }

  // Returns the headers of this principal's request.
  static Headers Proof(const Principal& who, std::string_view method, const std::string& path) {
    if (who.key.empty()) return {{"authorization", who.token}};
    Route route;
    route.Parse(path);
    if (route.may_be_rids()) route.TakeAsRids();
    const Authenticator signer = *Authenticator::Create(who.key, "");
    const std::string signature = signer.Sign({method, route.resource_type(), route.resource_link()}, kTestDate);
    return {{"x-ms-date", std::string(kTestDate)}, {"authorization", "type=master&ver=1.0&sig=" + signature}};
  }

  std::string BodyFor(RouteKind kind, Form form) {
    if (form == Form::kQuery || form == Form::kPlan) return R"({"query":"SELECT * FROM c"})";
    // A single write makes the batch one that writes.
    if (form == Form::kBatch)
      return "[" + std::string(kReadOperation) + R"(,{"operationType":"Create","resourceBody":)" + NewItem() + "}]";
    if (kind == RouteKind::kItems) return NewItem();
    return "{}";  // refused by any handler that reads it
  }

  std::string NewItem() { return R"({"id":"made)" + std::to_string(++made_) + R"(","pk":"p"})"; }

  // Sends the whole request, and its head alone. Both must get the same verdict.
  int StatusOf(const Principal& who, RouteKind kind, Form form, const Example& example, const Headers& more) {
    return StatusAt(ExamplePath(kind), who, kind, form, example, more);
  }
  int StatusAt(const std::string& path, const Principal& who, RouteKind kind, Form form, const Example& example,
               const Headers& more) {
    Headers headers = Proof(who, example.method, path);
    headers.insert(example.headers.begin(), example.headers.end());
    headers.insert(more.begin(), more.end());
    const int head = SendHead(example.method, path, headers).status;
    const int status = SendRaw(example.method, path, BodyFor(kind, form), headers).status;
    const bool refused = status == 400 || status == 401 || status == 403;
    EXPECT_TRUE(head == 0 || (refused && head == status)) << head << " and " << status;
    return status;
  }

  size_t ItemCount() {
    Answer feed = Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-max-item-count", "-1"}});
    return std::stoul(feed.At("/_count"));
  }

  // Refused requests wrote nothing, and allowed ones did. The row that deletes the whole key comes after the rows that
  // create.
  void ExpectItemsAfter(const RouteRow& row, size_t creations) {
    if (row.route == RouteKind::kItems && row.form == Form::kBatch) {
      EXPECT_EQ(ItemCount(), creations + 1);
    } else if (row.route == RouteKind::kKeyDeletion) {
      EXPECT_EQ(ItemCount(), 0U);
    }
  }

  std::vector<Principal> who_;
  int made_ = 0;
};

TEST_F(AuthTableTest, TheTableIsWholeAndThisTestKnowsAllOfIt) {
  std::set<RouteKind> kinds;
  std::set<Form> forms;
  for (const RouteRow& row : RouteTable()) {
    kinds.insert(row.route);
    forms.insert(row.form);
    const std::string path = ExamplePath(row.route);
    Route route;
    route.Parse(path);
    EXPECT_EQ(route.kind(), row.route) << path;
    EXPECT_TRUE(ExampleOf(row.form).has_value());
    EXPECT_EQ(FindRow(row.route, row.form), &row);
  }
  EXPECT_EQ(kinds.size(), kRouteKinds - 1) << "a route without a row: all but the unknown one need a decision";
  EXPECT_EQ(forms.size(), kForms - 1) << "a form without a row";
}

TEST_F(AuthTableTest, EverybodyMayDoWhatTheContractSaysAndNothingElse) {
  const Headers key = {{"x-ms-documentdb-partitionkey", R"(["p"])"}};
  size_t creations = 0;
  for (const RouteRow& row : RouteTable()) {
    const Example example = *ExampleOf(row.form);
    for (const Principal& who : who_) {
      const std::string what = who.name + ": " + std::string(FormName(row.form)) + " " + ExamplePath(row.route);
      const bool allowed = May(who, row.route, row.form);
      const int status = StatusOf(who, row.route, row.form, example, key);
      EXPECT_EQ(status != 401 && status != 403, allowed) << what << " was " << status;
      const bool batch = row.form == Form::kBatch;
      const bool creates =
          row.route == RouteKind::kItems && (row.form == Form::kCreate || row.form == Form::kUpsert || batch);
      if (creates && allowed) {
        EXPECT_EQ(status, batch ? 200 : 201) << what;
        ++creations;
      }
      if (row.route == RouteKind::kKeyDeletion && allowed) {
        EXPECT_EQ(status, 200) << what;
      }
    }
    ExpectItemsAfter(row, creations);
  }
}

TEST_F(AuthTableTest, ABatchOfReadsIsForWhoeverMayReadItems) {
  Headers batch = ExampleOf(Form::kBatch)->headers;
  batch["x-ms-documentdb-partitionkey"] = R"(["p"])";
  for (const Principal& who : who_) {
    const std::string path = ExamplePath(RouteKind::kItems);
    Headers headers = Proof(who, "POST", path);
    headers.insert(batch.begin(), batch.end());
    const int status = SendRaw("POST", path, "[" + std::string(kReadOperation) + "]", headers).status;
    EXPECT_EQ(status == 200, May(who, RouteKind::kItems, Form::kList)) << who.name << " was " << status;
    EXPECT_TRUE(status == 200 || status == 401 || status == 403) << who.name << " was " << status;
  }
}

TEST_F(AuthTableTest, ByRidTheSameHolds) {
  const Headers key = {{"x-ms-documentdb-partitionkey", R"(["p"])"}};
  size_t creations = 0;
  for (const RouteRow& row : RouteTable()) {
    const std::string path = ExampleRidPath(row.route);
    if (path.empty()) continue;
    const Example example = *ExampleOf(row.form);
    for (const Principal& who : who_) {
      const std::string what = who.name + ": " + std::string(FormName(row.form)) + " " + path;
      // A permission on an item names it by id here.
      const bool by_id =
          row.route == RouteKind::kItem && who.kind == Principal::Kind::kToken && who.on == Principal::On::kItem;
      const bool allowed = !by_id && May(who, row.route, row.form);
      const int status = StatusAt(path, who, row.route, row.form, example, key);
      EXPECT_EQ(status != 401 && status != 403, allowed) << what << " was " << status;
      const bool creates = row.form == Form::kCreate || row.form == Form::kUpsert || row.form == Form::kBatch;
      if (row.route == RouteKind::kItems && creates && allowed) ++creations;
    }
    ExpectItemsAfter(row, creations);
  }
}

TEST_F(AuthTableTest, AKeysTokenIsGoodUnderItsKeyAlone) {
  for (const RouteRow& row : RouteTable()) {
    const bool goes_by_key = row.subject == Subject::kItems || row.subject == Subject::kItem;
    if (!goes_by_key) continue;
    const Example example = *ExampleOf(row.form);
    for (const Principal& who : who_) {
      if (!who.name.starts_with("key-") && !who.name.starts_with("item with key-")) continue;
      const std::string what = who.name + ": " + std::string(FormName(row.form)) + " " + ExamplePath(row.route);
      const auto with = [&](const Headers& more) { return StatusOf(who, row.route, row.form, example, more); };
      EXPECT_EQ(with({}), 403) << what;
      for (const char* other : {R"(["q"])", R"([0])", "[]", "[{}]", R"(["p","p"])", R"(["P"])"}) {
        EXPECT_EQ(with({{"x-ms-documentdb-partitionkey", other}}), 403) << what << " " << other;
      }
      if (!May(who, row.route, row.form)) continue;
      for (const char* range : {"x-ms-documentdb-partitionkeyrangeid", "x-ms-start-epk", "x-ms-end-epk"}) {
        EXPECT_EQ(with({{"x-ms-documentdb-partitionkey", R"(["p"])"}, {range, "00"}}), 400) << what << " " << range;
      }
    }
  }
  EXPECT_EQ(ItemCount(), 1U);
}

TEST_F(AuthTableTest, WhatHasNoRowIsServedToNobody) {
  for (size_t kind = 1; kind < kRouteKinds; ++kind) {
    for (size_t form = 0; form < kForms; ++form) {
      const Example example = *ExampleOf(static_cast<Form>(form));
      net::Request request;
      request.method = example.method;
      for (const auto& [name, value] : example.headers) request.headers.push_back({name, value});
      // The form of this example on this route, which may differ.
      const auto route = static_cast<RouteKind>(kind);
      if (FindRow(route, FormOf(route, request)) != nullptr) continue;
      for (const Principal& who : who_) {
        const int status = StatusOf(who, route, static_cast<Form>(form), example, {});
        const bool has_key = who.kind == Principal::Kind::kFullKey || who.kind == Principal::Kind::kReadOnlyKey;
        EXPECT_TRUE(has_key ? status == 405 : status == 401 || status == 403)
            << who.name << ": " << example.method << " " << ExamplePath(route) << " was " << status;
      }
    }
  }
}

}  // namespace
}  // namespace lapse::api::cosmos
