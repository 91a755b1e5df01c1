#include "engine/catalog/containers/index_page.h"

#include "engine/shard/partitions/moments.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {

IndexPage::IndexPage(const Container& container, const ReaderParts& parts)
    : container_(container), parts_(parts), open_(&container.context().pages()) {}

Result<std::unique_ptr<IndexPage>> IndexPage::Open(const Container& container, const ReaderParts& parts) {
  std::unique_ptr<IndexPage> page(new IndexPage(container, parts));
  for (const auto& partition : container.partitions()) page->starts_.push_back(partition->index_memory()->Begin());
  page->views_ = ViewsOf(container.context(), container.partitions(), parts.clock);
  for (const PageView& view : page->views_) LAPSE_RETURN_IF_ERROR(view.moment.Check());
  page->state_ = page->views_.front().moment.shared_state();
  page->readers_.resize(page->views_.size());
  return page;
}

IndexReader& IndexPage::Partition(size_t place) {
  std::unique_ptr<IndexReader>& reader = readers_[place];
  if (reader == nullptr) {
    reader =
        std::make_unique<IndexReader>(*container_.partitions()[place], parts_.cache, views_[place], starts_[place]);
  }
  return *reader;
}

}  // namespace lapse::engine
