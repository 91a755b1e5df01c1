// PostgreSQL through libpq: prepared statements over TCP, documents as jsonb.
#include <libpq-fe.h>

#include <cstdlib>
#include <map>
#include <string_view>

#include "bench/measure/postgres.h"
#include "bench/measure/report.h"
#include "bench/query/door.h"
#include "bench/query/query_items.h"

namespace lapse::bench {
namespace {

constexpr size_t kCopyBytes = 1 << 20;

void Execute(PGconn* connection, const char* statement) {
  CheckCommand(connection, PQexec(connection, statement));
}

class PostgresDoor : public Door {
 public:
  explicit PostgresDoor(uint16_t port) : connection_(ConnectPostgres(port)) {
    for (const BenchQuery& query : BenchQueries()) {
      CheckCommand(connection_, PQprepare(connection_, query.name.data(), query.postgres.data(), 0, nullptr));
    }
  }
  ~PostgresDoor() override { PQfinish(connection_); }
  PostgresDoor(const PostgresDoor&) = delete;
  PostgresDoor& operator=(const PostgresDoor&) = delete;

  int fd() const override { return PQsocket(connection_); }

  void Ask(const QueryCall& call) override {
    std::vector<std::string> values;
    for (const std::string& parameter : call.parameters) values.emplace_back(PlainParameter(parameter));
    std::vector<const char*> texts;
    texts.reserve(values.size());
    for (const std::string& value : values) texts.push_back(value.c_str());
    result_ = {};
    if (PQsendQueryPrepared(connection_, call.query->name.data(), static_cast<int>(texts.size()), texts.data(), nullptr,
                            nullptr, 0) == 0) {
      Fail(PQerrorMessage(connection_));
    }
  }

  bool Take(DoorResult* result) override {
    if (PQconsumeInput(connection_) == 0) Fail(PQerrorMessage(connection_));
    while (PQisBusy(connection_) == 0) {
      PGresult* part = PQgetResult(connection_);
      if (part == nullptr) {
        *result = result_;
        return true;
      }
      if (PQresultStatus(part) != PGRES_TUPLES_OK) Fail(PQerrorMessage(connection_));
      result_.rows += PQntuples(part);
      if (PQntuples(part) > 0) result_.value = std::atoll(PQgetvalue(part, 0, 0));
      PQclear(part);
    }
    return false;
  }

 private:
  PGconn* const connection_;
  DoorResult result_;
};

}  // namespace

std::unique_ptr<Door> OpenPostgres(uint16_t port) {
  return std::make_unique<PostgresDoor>(port);
}

// Everything in one GIN index, for what has to be equal; an index for each value that has an order or a range.
void LoadPostgres(uint16_t port, uint64_t items) {
  PGconn* connection = ConnectPostgres(port);
  Execute(connection, "CREATE TABLE items (pk text, id text, doc jsonb, PRIMARY KEY (pk, id))");
  PGresult* copy = PQexec(connection, "COPY items FROM STDIN");
  if (PQresultStatus(copy) != PGRES_COPY_IN) Fail(PQerrorMessage(connection));
  PQclear(copy);
  std::string rows;
  const auto send = [&] {
    if (PQputCopyData(connection, rows.data(), static_cast<int>(rows.size())) != 1) Fail(PQerrorMessage(connection));
    rows.clear();
  };
  // Nothing in the items needs an escape.
  for (uint64_t i = 0; i < items; ++i) {
    rows.append(QueryItemKey(i)).append("\t").append(ItemId(i)).append("\t").append(QueryItemJson(i, items));
    rows.append("\n");
    if (rows.size() > kCopyBytes) send();
  }
  send();
  if (PQputCopyEnd(connection, nullptr) != 1) Fail(PQerrorMessage(connection));
  while (PGresult* result = PQgetResult(connection)) {
    if (PQresultStatus(result) != PGRES_COMMAND_OK) Fail(PQerrorMessage(connection));
    PQclear(result);
  }
  Execute(connection, "CREATE INDEX ON items USING gin ((doc - 'text') jsonb_path_ops)");
  Execute(connection, "CREATE INDEX ON items (((doc->>'rank')::bigint))");
  Execute(connection, "CREATE INDEX ON items (((doc->>'total')::float8))");
  Execute(connection, "CREATE INDEX ON items ((doc->>'group'))");
  Execute(connection, "VACUUM ANALYZE items");
  PQfinish(connection);
}

}  // namespace lapse::bench
