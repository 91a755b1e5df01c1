// A kind of request: what it does, what it is about, and which handler serves it.
#pragma once

#include <cstdint>

#include "api/cosmos/wire/call.h"
#include "api/cosmos/wire/request_form.h"
#include "api/cosmos/wire/routes.h"

namespace lapse::api::cosmos {

enum class Effect : uint8_t {
  kReads,
  kWrites,
  kInBody,  // the body says it; the handler then asks Call::may_write
};

// What a request is about. It decides which credentials suffice, beside a read-write key
// (docs/design/authorization.md).
enum class Subject : uint8_t {
  kAccount,         // any good token
  kContainer,       // the definition and the ranges: tokens on the container or in it
  kPlan,            // tokens on the container, or on a key of it
  kItems,           // tokens on the container; those on a key of it within that key
  kItem,            // the same, and tokens on the item
  kAccountAlone,    // account keys
  kReadWriteAlone,  // read-write keys: the answer has tokens in it
};

enum class Runs : uint8_t {
  kAtOnce,
  kWhereItMayBlock,
  kAsAQuery,   // may block and take long, see RunQuery
  kAsAChange,  // of the catalog, see RunChange
};

struct RouteRow {
  RouteKind route;
  Form form;
  Effect effect;
  Subject subject;
  Runs runs;
  void (*handle)(CallPtr);  // null: part of the API and not built yet
};

}  // namespace lapse::api::cosmos
