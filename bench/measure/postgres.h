// A connection to PostgreSQL on loopback, as the bench starts it.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <string>

#include "bench/measure/report.h"

namespace lapse::bench {

inline PGconn* ConnectPostgres(uint16_t port) {
  const std::string text = "host=127.0.0.1 dbname=postgres user=bench port=" + std::to_string(port);
  PGconn* connection = PQconnectdb(text.c_str());
  if (PQstatus(connection) != CONNECTION_OK) Fail(PQerrorMessage(connection));
  return connection;
}

// Ends the program unless the command was done.
inline void CheckCommand(PGconn* connection, PGresult* result) {
  if (PQresultStatus(result) != PGRES_COMMAND_OK) Fail(PQerrorMessage(connection));
  PQclear(result);
}

}  // namespace lapse::bench
