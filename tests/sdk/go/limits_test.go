package lapse

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// flood writes until somebody is refused or all is written, eight at a time; the first error.
func flood(t *testing.T, container *azcosmos.ContainerClient, count int) error {
	t.Helper()
	errors := make(chan error, count)
	places := make(chan struct{}, 8)
	var all sync.WaitGroup
	ctx := bounded(t)
	for n := range count {
		all.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			item := fmt.Appendf(nil, `{"id":"i%d","pk":"p"}`, n)
			if _, err := container.CreateItem(ctx, keyOf("p"), item, nil); err != nil {
				errors <- err
			}
		})
	}
	all.Wait()
	close(errors)
	return <-errors
}

func TestTheSDKTriesAgainUntilAllIsWritten(t *testing.T) {
	s := startServer(t, "--rate-limiting", "explicit")
	throughput := azcosmos.NewManualThroughputProperties(400)
	container := s.container(shape{throughput: &throughput})
	check(t, flood(t, container, 120))
	wantEqual(t, query(t, container, "SELECT VALUE COUNT(1) FROM c", keyOf("p"), nil), []int{120})
	if s.metric("lapse_throttled_requests_total") == 0 {
		t.Fatal("nobody was throttled")
	}
}

func TestAClientThatDoesNotTryAgainIsToldHowLongToWait(t *testing.T) {
	s := startServer(t, "--rate-limiting", "explicit")
	throughput := azcosmos.NewManualThroughputProperties(400)
	id := s.container(shape{throughput: &throughput}).ID()
	options := &azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}}
	container, err := s.client(options).NewContainer("db", id)
	check(t, err)
	err = flood(t, container, 2000)
	wantStatus(t, err, http.StatusTooManyRequests)
}

// Killed with -9 and started again on its port: the same client goes on, and what was answered is there.
func TestAClientOutlivesTheServer(t *testing.T) {
	s := startDurableServer(t)
	container := s.container(shape{ttl: pointer(int32(100))})
	s.freeze()
	fill(t, container, 20)
	text := "SELECT VALUE c.n FROM c ORDER BY c.n"
	options := &azcosmos.QueryOptions{PageSizeHint: 8}
	page, err := container.NewQueryItemsPager(text, azcosmos.NewPartitionKey(), options).NextPage(bounded(t))
	check(t, err)
	s.kill()
	s.start()
	_, err = container.ReadItem(bounded(t), keyOf("p3"), "i3", nil)
	check(t, err)
	options.ContinuationToken = page.ContinuationToken
	rest := query(t, container, text, azcosmos.NewPartitionKey(), options)
	wantEqual(t, rest, upTo(20)[8:])
	s.freeze()
	s.advance(100)
	wantEqual(t, query(t, container, text, azcosmos.NewPartitionKey(), nil), []int{})
}
