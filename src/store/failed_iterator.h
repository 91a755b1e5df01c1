// An iterator that is failed from the start, for a store that cannot create a real one.
#pragma once

#include <memory>

#include "store/shard.h"

namespace lapse::store {

std::unique_ptr<Iterator> NewFailedIterator(Status status);

}  // namespace lapse::store
