// An iterator that was broken from the start: what a store answers when it cannot make a real one.
#pragma once

#include <memory>

#include "store/shard.h"

namespace lapse::store {

std::unique_ptr<Iterator> NewFailedIterator(Status status);

}  // namespace lapse::store
