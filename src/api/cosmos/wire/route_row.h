// A kind of request: what it does, what it concerns, and which handler serves it.
#pragma once

#include <cstdint>

#include "api/cosmos/wire/call.h"
#include "api/cosmos/wire/request_form.h"
#include "api/cosmos/wire/routes.h"

namespace lapse::api::cosmos {

enum class Effect : uint8_t {
  kReads,
  kWrites,
  kInBody,  // the body decides; the handler then checks Call::may_write
};

// What a request concerns. It decides which credentials suffice, in addition to a read-write key
// (docs/design/authorization.md).
enum class Subject : uint8_t {
  kAccount,         // any good token
  kContainer,       // the definition and the ranges: tokens on the container or in it
  kPlan,            // tokens on the container, or on a key of it
  kItems,           // tokens on the container; tokens on a key of it, within that key
  kItem,            // the same, and tokens on the item
  kAccountAlone,    // account keys
  kReadWriteAlone,  // read-write keys: the response contains tokens
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
  void (*handle)(CallPtr);  // null: part of the API but not implemented
};

}  // namespace lapse::api::cosmos
