#include "api/cosmos/wire/routes.h"

#include <array>

#include "base/ascii.h"
#include "base/escape.h"

namespace lapse::api::cosmos {
namespace {

// dbs/X/colls/Y/docs/Z, dbs/X/users/U/permissions/P.
constexpr size_t kSegmentsMax = 6;

struct Segments {
  std::array<std::string_view, kSegmentsMax> items;
  size_t count = 0;

  std::string_view operator[](size_t i) const { return items[i]; }
};

// Returns false for an empty segment or too many of them. A trailing slash is allowed: `_self` links have one.
bool Split(std::string_view path, Segments* segments) {
  while (!path.empty()) {
    if (segments->count == kSegmentsMax) return false;
    size_t end = path.find('/');
    std::string_view segment = path.substr(0, end);
    if (segment.empty()) return false;
    segments->items[segments->count++] = segment;
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
  }
  return true;
}

// Decodes every segment into one string, joined by slashes, and points the segments into it. A decoded slash inside an
// id stays part of that id.
bool Decode(Segments* segments, size_t encoded_bytes, std::string* decoded) {
  decoded->clear();
  decoded->reserve(encoded_bytes);  // decoding only shrinks, so nothing moves from here on
  std::string segment;
  for (size_t i = 0; i < segments->count; ++i) {
    if (!PercentDecode(segments->items[i], &segment)) return false;
    if (i > 0) decoded->push_back('/');
    size_t begin = decoded->size();
    decoded->append(segment);
    segments->items[i] = std::string_view(*decoded).substr(begin);
  }
  return true;
}

RouteKind KindBelowContainer(const Segments& path) {
  std::string_view type = path[4];
  bool feed = path.count == 5;
  if (type == "docs") return feed ? RouteKind::kItems : RouteKind::kItem;
  if (type == "pkranges") return feed ? RouteKind::kPartitionKeyRanges : RouteKind::kPartitionKeyRange;
  if (type == "conflicts") return feed ? RouteKind::kConflicts : RouteKind::kConflict;
  if (type == "sprocs" || type == "triggers" || type == "udfs") return feed ? RouteKind::kScripts : RouteKind::kScript;
  if (type == "operations" && !feed && path[5] == "partitionkeydelete") return RouteKind::kKeyDeletion;
  return RouteKind::kUnknown;
}

RouteKind KindBelowDatabase(const Segments& path) {
  std::string_view type = path[2];
  if (type == "colls") {
    if (path.count == 3) return RouteKind::kContainers;
    return path.count == 4 ? RouteKind::kContainer : KindBelowContainer(path);
  }
  if (type == "users" && path.count <= 4) return path.count == 3 ? RouteKind::kUsers : RouteKind::kUser;
  if (type == "users" && path[4] == "permissions") {
    return path.count == 5 ? RouteKind::kPermissions : RouteKind::kPermission;
  }
  if (type == "clientencryptionkeys" && path.count <= 4) {
    return path.count == 3 ? RouteKind::kEncryptionKeys : RouteKind::kEncryptionKey;
  }
  return RouteKind::kUnknown;
}

RouteKind KindOf(const Segments& path) {
  if (path.count == 0) return RouteKind::kAccount;
  if (path[0] == "offers" && path.count <= 2) return path.count == 1 ? RouteKind::kOffers : RouteKind::kOffer;
  if (path[0] != "dbs") return RouteKind::kUnknown;
  if (path.count == 1) return RouteKind::kDatabases;
  return path.count == 2 ? RouteKind::kDatabase : KindBelowDatabase(path);
}

// Returns the text from the start of the first segment to the end of the one with index `last`.
std::string_view Through(const Segments& path, size_t last) {
  const char* begin = path[0].data();
  return {begin, static_cast<size_t>(path[last].data() + path[last].size() - begin)};
}

std::string_view WithoutSlashesAtBegin(std::string_view path) {
  path.remove_prefix(path.starts_with("//") ? 2 : path.starts_with('/') ? 1 : 0);
  return path;
}

// Returns what the last rid of such a path must identify.
std::optional<Rid::Kind> LastRidOf(RouteKind kind) {
  switch (kind) {
    case RouteKind::kDatabase:
    case RouteKind::kContainers:
    case RouteKind::kUsers:
    case RouteKind::kEncryptionKeys: return Rid::Kind::kDatabase;
    case RouteKind::kContainer:
    case RouteKind::kPartitionKeyRanges:
    case RouteKind::kItems:
    case RouteKind::kScripts:
    case RouteKind::kConflicts:
    case RouteKind::kKeyDeletion: return Rid::Kind::kContainer;
    case RouteKind::kPartitionKeyRange: return Rid::Kind::kRange;
    case RouteKind::kItem: return Rid::Kind::kItem;
    case RouteKind::kScript: return Rid::Kind::kScript;
    case RouteKind::kConflict: return Rid::Kind::kConflict;
    case RouteKind::kUser:
    case RouteKind::kPermissions: return Rid::Kind::kUser;
    case RouteKind::kPermission: return Rid::Kind::kPermission;
    case RouteKind::kEncryptionKey: return Rid::Kind::kEncryptionKey;
    case RouteKind::kUnknown:
    case RouteKind::kAccount:
    case RouteKind::kDatabases:
    case RouteKind::kOffers:
    case RouteKind::kOffer: break;
  }
  return std::nullopt;
}

}  // namespace

void Route::Parse(std::string_view path) {
  kind_ = RouteKind::kUnknown;
  path = WithoutSlashesAtBegin(path);
  Segments segments;
  if (!Split(path, &segments)) return;
  if (segments.count >= 4) encoded_container_link_ = Through(segments, 3);
  if (path.find('%') != std::string_view::npos && !Decode(&segments, path.size(), &decoded_)) return;

  kind_ = KindOf(segments);
  if (kind_ == RouteKind::kUnknown || kind_ == RouteKind::kAccount) return;

  size_t count = segments.count;
  bool feed = count % 2 == 1;
  resource_type_ = segments[feed ? count - 1 : count - 2];
  if (!feed) {
    resource_link_ = Through(segments, count - 1);
  } else if (count > 1) {
    resource_link_ = Through(segments, count - 2);
  }
  if (count >= 2 && segments[0] == "dbs") database_ = segments[1];
  if (count >= 4 && segments[2] == "colls") container_ = segments[3];
  if (count >= 4 && segments[2] == "users") user_ = segments[3];
  if (!feed) item_ = segments[count - 1];
  if (count > 1) last_id_ = segments[feed ? count - 2 : count - 1];
  if (kind_ == RouteKind::kOffer) {
    decoded_ = std::string(segments[1]);
    for (char& c : decoded_) c = LowerAscii(c);
    item_ = resource_link_ = decoded_;
  }
  if (resource_type_ == "operations") {
    resource_type_ = segments[2];
    resource_link_ = Through(segments, 3);
    last_id_ = container_;
  }
  may_be_rids_ = !database_.empty() && IsDatabaseRid(database_);
}

void Route::TakeAsRids() {
  by_rid_ = true;
  rid_ = ParseRid(last_id_);
  if (rid_ && rid_->kind != LastRidOf(kind_)) rid_.reset();
  rid_link_.clear();
  for (char c : last_id_) rid_link_.push_back(LowerAscii(c));
  resource_link_ = rid_link_;
  database_ = container_ = item_ = user_ = encoded_container_link_ = {};
}

bool IsAddressesPath(std::string_view path) {
  path = WithoutSlashesAtBegin(path);
  return path == "addresses" || path == "addresses/";
}

}  // namespace lapse::api::cosmos
