package lapse

import (
	"fmt"
	"sort"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// changes reads until there is nothing new, and gives the numbers of the items and where the feed goes on.
func changes(t *testing.T, container *azcosmos.ContainerClient, options azcosmos.ChangeFeedOptions) ([]int, *string) {
	t.Helper()
	numbers := []int{}
	for range 100 {
		page, err := container.ReadChangeFeed(bounded(t), &options)
		check(t, err)
		for _, item := range page.Items {
			numbers = append(numbers, int(objectOf(t, item)["n"].(float64)))
		}
		if page.ContinuationToken != "" {
			options.Continuation = &page.ContinuationToken
		}
		if len(page.Items) == 0 {
			return numbers, options.Continuation
		}
	}
	t.Fatal("the feed does not end")
	return nil, nil
}

func TestChangeFeedOfAllRanges(t *testing.T) {
	s := startServer(t)
	onEither(t, s, func(t *testing.T, container *azcosmos.ContainerClient) {
		fill(t, container, 20)
		ranges, err := container.ReadFeedRanges(bounded(t), nil)
		check(t, err)
		seen := []int{}
		continuations := make([]*string, len(ranges))
		for i := range ranges {
			var numbers []int
			options := azcosmos.ChangeFeedOptions{FeedRange: &ranges[i], MaxItemCount: 3}
			numbers, continuations[i] = changes(t, container, options)
			seen = append(seen, numbers...)
		}
		sort.Ints(seen)
		wantEqual(t, seen, upTo(20))

		// Another client goes on.
		item := bytesOf(t, object{"id": "i3", "pk": "p3", "n": 103})
		_, err = container.UpsertItem(bounded(t), keyOf("p3"), item, nil)
		check(t, err)
		same, err := s.client(nil).NewContainer("db", container.ID())
		check(t, err)
		seen = []int{}
		for i := range ranges {
			options := azcosmos.ChangeFeedOptions{FeedRange: &ranges[i], Continuation: continuations[i]}
			numbers, _ := changes(t, same, options)
			seen = append(seen, numbers...)
		}
		wantEqual(t, seen, []int{103})
	})
}

// The SDK wants the range beside the key.
func TestChangeFeedOfOneKey(t *testing.T) {
	container := startServer(t).container(shape{})
	fill(t, container, 30)
	ranges, err := container.ReadFeedRanges(bounded(t), nil)
	check(t, err)
	options := azcosmos.ChangeFeedOptions{FeedRange: &ranges[0], PartitionKey: pointer(keyOf("p3"))}
	numbers, _ := changes(t, container, options)
	wantEqual(t, numbers, []int{3, 13, 23})
}

func TestChangeFeedFromATime(t *testing.T) {
	s := startServer(t)
	s.freeze()
	onEither(t, s, func(t *testing.T, container *azcosmos.ContainerClient) {
		create(t, container, "before", "p", 1)
		start := time.Unix(s.advance(10), 0)
		create(t, container, "after", "p", 2)
		ranges, err := container.ReadFeedRanges(bounded(t), nil)
		check(t, err)
		seen := []int{}
		for i := range ranges {
			numbers, _ := changes(t, container, azcosmos.ChangeFeedOptions{FeedRange: &ranges[i], StartFrom: &start})
			seen = append(seen, numbers...)
		}
		wantEqual(t, seen, []int{2})
	})
}

func TestAnExpiredItemIsNoChange(t *testing.T) {
	s := startServer(t)
	s.freeze()
	container := s.container(shape{ttl: pointer(int32(10))})
	create(t, container, "dies", "p", 1)
	stays := bytesOf(t, object{"id": "stays", "pk": "p", "n": 2, "ttl": -1})
	_, err := container.CreateItem(bounded(t), keyOf("p"), stays, nil)
	check(t, err)
	s.advance(10)
	ranges, err := container.ReadFeedRanges(bounded(t), nil)
	check(t, err)
	numbers, _ := changes(t, container, azcosmos.ChangeFeedOptions{FeedRange: &ranges[0]})
	wantEqual(t, fmt.Sprint(numbers), "[2]")
}
