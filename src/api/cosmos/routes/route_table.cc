#include "api/cosmos/routes/route_table.h"

#include <array>

#include "api/cosmos/account/handlers.h"
#include "api/cosmos/batch/handlers.h"
#include "api/cosmos/changes/handlers.h"
#include "api/cosmos/conflicts/handlers.h"
#include "api/cosmos/containers/handlers.h"
#include "api/cosmos/databases/handlers.h"
#include "api/cosmos/items/handlers.h"
#include "api/cosmos/offers/handlers.h"
#include "api/cosmos/query/handlers.h"
#include "api/cosmos/users/handlers.h"

namespace lapse::api::cosmos {
namespace {

using enum Effect;
using enum Runs;
using R = RouteKind;
using F = Form;
using S = Subject;

constexpr RouteRow kRows[] = {
    {R::kAccount, F::kRead, kReads, S::kAccount, kAtOnce, ReadAccount},

    {R::kDatabases, F::kList, kReads, S::kAccountAlone, kAtOnce, ListDatabases},
    {R::kDatabases, F::kQuery, kReads, S::kAccountAlone, kAsAQuery, QueryDatabases},
    {R::kDatabases, F::kPlan, kReads, S::kAccountAlone, kAtOnce, PlanQuery},
    {R::kDatabases, F::kCreate, kWrites, S::kAccountAlone, kAsAChange, CreateDatabase},
    {R::kDatabase, F::kRead, kReads, S::kAccountAlone, kAtOnce, ReadDatabase},
    {R::kDatabase, F::kDelete, kWrites, S::kAccountAlone, kAsAChange, DeleteDatabase},

    {R::kContainers, F::kList, kReads, S::kAccountAlone, kAtOnce, ListContainers},
    {R::kContainers, F::kQuery, kReads, S::kAccountAlone, kAsAQuery, QueryContainers},
    {R::kContainers, F::kPlan, kReads, S::kAccountAlone, kAtOnce, PlanQuery},
    {R::kContainers, F::kCreate, kWrites, S::kAccountAlone, kAsAChange, CreateContainer},
    {R::kContainer, F::kRead, kReads, S::kContainer, kAtOnce, ReadContainer},
    {R::kContainer, F::kReplace, kWrites, S::kAccountAlone, kAsAChange, ReplaceContainer},
    {R::kContainer, F::kDelete, kWrites, S::kAccountAlone, kAsAChange, DeleteContainer},
    {R::kPartitionKeyRanges, F::kList, kReads, S::kContainer, kAtOnce, ListPartitionKeyRanges},
    {R::kPartitionKeyRange, F::kRead, kReads, S::kContainer, kAtOnce, ReadPartitionKeyRange},

    {R::kItems, F::kList, kReads, S::kItems, kWhereItMayBlock, ReadItemFeed},
    {R::kItems, F::kChangeFeed, kReads, S::kItems, kWhereItMayBlock, ReadChangeFeed},
    {R::kItems, F::kQuery, kReads, S::kItems, kAsAQuery, QueryItems},
    {R::kItems, F::kPlan, kReads, S::kPlan, kAtOnce, PlanQuery},
    {R::kItems, F::kCreate, kWrites, S::kItems, kAtOnce, CreateItem},
    {R::kItems, F::kUpsert, kWrites, S::kItems, kAtOnce, CreateItem},
    {R::kItems, F::kBatch, kInBody, S::kItems, kAtOnce, RunBatch},
    {R::kItem, F::kRead, kReads, S::kItem, kAtOnce, ReadItem},
    {R::kItem, F::kReplace, kWrites, S::kItem, kAtOnce, ReplaceItem},
    {R::kItem, F::kPatch, kWrites, S::kItem, kAtOnce, PatchItem},
    {R::kItem, F::kDelete, kWrites, S::kItem, kAtOnce, DeleteItem},
    {R::kKeyDeletion, F::kExecute, kWrites, S::kItems, kAtOnce, DeleteKey},

    {R::kScripts, F::kList, kReads, S::kItems, kAtOnce, nullptr},
    {R::kScripts, F::kQuery, kReads, S::kItems, kAtOnce, nullptr},
    {R::kScripts, F::kPlan, kReads, S::kPlan, kAtOnce, nullptr},
    {R::kScripts, F::kCreate, kWrites, S::kAccountAlone, kAtOnce, nullptr},
    {R::kScripts, F::kUpsert, kWrites, S::kAccountAlone, kAtOnce, nullptr},
    {R::kScript, F::kRead, kReads, S::kItems, kAtOnce, nullptr},
    {R::kScript, F::kReplace, kWrites, S::kAccountAlone, kAtOnce, nullptr},
    {R::kScript, F::kDelete, kWrites, S::kAccountAlone, kAtOnce, nullptr},
    {R::kScript, F::kExecute, kWrites, S::kItems, kAtOnce, nullptr},

    {R::kConflicts, F::kList, kReads, S::kItems, kAtOnce, ListConflicts},
    {R::kConflicts, F::kQuery, kReads, S::kItems, kAsAQuery, QueryConflicts},
    {R::kConflicts, F::kPlan, kReads, S::kPlan, kAtOnce, PlanQuery},
    {R::kConflict, F::kRead, kReads, S::kItems, kAtOnce, FindConflict},
    {R::kConflict, F::kDelete, kWrites, S::kItems, kAtOnce, FindConflict},

    {R::kUsers, F::kList, kReads, S::kAccountAlone, kAtOnce, ListUsers},
    {R::kUsers, F::kQuery, kReads, S::kAccountAlone, kAsAQuery, QueryUsers},
    {R::kUsers, F::kPlan, kReads, S::kAccountAlone, kAtOnce, PlanQuery},
    {R::kUsers, F::kCreate, kWrites, S::kAccountAlone, kAsAChange, CreateUser},
    {R::kUsers, F::kUpsert, kWrites, S::kAccountAlone, kAsAChange, UpsertUser},
    {R::kUser, F::kRead, kReads, S::kAccountAlone, kAtOnce, ReadUser},
    {R::kUser, F::kReplace, kWrites, S::kAccountAlone, kAsAChange, ReplaceUser},
    {R::kUser, F::kDelete, kWrites, S::kAccountAlone, kAsAChange, DeleteUser},

    {R::kPermissions, F::kList, kReads, S::kReadWriteAlone, kAtOnce, ListPermissions},
    {R::kPermissions, F::kQuery, kReads, S::kReadWriteAlone, kAsAQuery, QueryPermissions},
    {R::kPermissions, F::kPlan, kReads, S::kAccountAlone, kAtOnce, PlanQuery},
    {R::kPermissions, F::kCreate, kWrites, S::kReadWriteAlone, kAsAChange, CreatePermission},
    {R::kPermissions, F::kUpsert, kWrites, S::kReadWriteAlone, kAsAChange, UpsertPermission},
    {R::kPermission, F::kRead, kReads, S::kReadWriteAlone, kAtOnce, ReadPermission},
    {R::kPermission, F::kReplace, kWrites, S::kReadWriteAlone, kAsAChange, ReplacePermission},
    {R::kPermission, F::kDelete, kWrites, S::kAccountAlone, kAsAChange, DeletePermission},

    {R::kEncryptionKeys, F::kList, kReads, S::kAccountAlone, kAtOnce, ListEncryptionKeys},
    {R::kEncryptionKeys, F::kQuery, kReads, S::kAccountAlone, kAsAQuery, QueryEncryptionKeys},
    {R::kEncryptionKeys, F::kPlan, kReads, S::kAccountAlone, kAtOnce, PlanQuery},
    {R::kEncryptionKeys, F::kCreate, kWrites, S::kAccountAlone, kAsAChange, CreateEncryptionKey},
    {R::kEncryptionKey, F::kRead, kReads, S::kAccountAlone, kAtOnce, ReadEncryptionKey},
    {R::kEncryptionKey, F::kReplace, kWrites, S::kAccountAlone, kAsAChange, ReplaceEncryptionKey},

    {R::kOffers, F::kList, kReads, S::kAccountAlone, kAtOnce, ListOffers},
    {R::kOffers, F::kQuery, kReads, S::kAccountAlone, kAsAQuery, QueryOffers},
    {R::kOffer, F::kRead, kReads, S::kAccountAlone, kAtOnce, ReadOffer},
    {R::kOffer, F::kReplace, kWrites, S::kAccountAlone, kAsAChange, ReplaceOffer},
};

constexpr size_t PlaceOf(RouteKind route, Form form) {
  return static_cast<size_t>(route) * kForms + static_cast<size_t>(form);
}

// Maps each request to its row, counted from 1; 0: none. A second row for the same request does not compile.
constexpr std::array<uint8_t, kRouteKinds * kForms> MakeIndex() {
  std::array<uint8_t, kRouteKinds * kForms> index{};
  for (size_t i = 0; i < std::size(kRows); ++i) {
    uint8_t& place = index[PlaceOf(kRows[i].route, kRows[i].form)];
    if (place != 0) throw "two rows for one request";
    place = static_cast<uint8_t>(i + 1);
  }
  return index;
}
constexpr std::array<uint8_t, kRouteKinds* kForms> kIndex = MakeIndex();
static_assert(std::size(kRows) < 256);

}  // namespace

std::span<const RouteRow> RouteTable() {
  return kRows;
}

const RouteRow* FindRow(RouteKind route, Form form) {
  const uint8_t place = kIndex[PlaceOf(route, form)];
  return place == 0 ? nullptr : &kRows[place - 1];
}

}  // namespace lapse::api::cosmos
