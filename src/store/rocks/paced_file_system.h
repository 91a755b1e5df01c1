// A file system that removes tables so that nobody waits for it.
//
// What a removal costs depends on the file system. One that tells the disk of each block it frees (mounted with
// `discard`) keeps the disk for some 15 ms for a table of 64 MB, in which no log can be synced. So removals at a
// stretch have an allowance of time; once it is used up, tables are shortened piece by piece, with a rest after each
// piece that is as long as the piece took. Where freeing is cheap the allowance lasts for gigabytes, and the rests are
// short.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "store/rocks/removal_pace.h"

namespace rocksdb {
class FileSystem;
class SystemClock;
}  // namespace rocksdb

namespace lapse::store {

// Nothing rests once `hurry` is true, which must outlive the file system, nor with less than `free_bytes_min` on the
// disk, when room is worth more than latency.
std::shared_ptr<rocksdb::FileSystem> NewPacedFileSystem(std::shared_ptr<rocksdb::FileSystem> files,
                                                        std::shared_ptr<rocksdb::SystemClock> clock, RemovalPace pace,
                                                        uint64_t free_bytes_min, const std::atomic<bool>* hurry);

}  // namespace lapse::store
