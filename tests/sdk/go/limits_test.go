package lapse

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// A machine that stands still for seconds between two requests can miss one round of throttling, not all of these.
const roundsMax = 20

// spend writes a batch that costs 400 RU/s more than two seconds: who comes next is throttled.
func spend(t *testing.T, container *azcosmos.ContainerClient, round int) error {
	t.Helper()
	batch := container.NewTransactionalBatch(keyOf("p"))
	for n := range 100 {
		item := object{"id": fmt.Sprint(round, "-", n), "pk": "p", "text": strings.Repeat("x", 10_000)}
		batch.CreateItem(bytesOf(t, item), nil)
	}
	_, err := container.ExecuteTransactionalBatch(bounded(t), batch, nil)
	return err
}

func TestTheSDKTriesAgainUntilAllIsWritten(t *testing.T) {
	s := startServer(t, "--rate-limiting", "explicit")
	throughput := azcosmos.NewManualThroughputProperties(400)
	container := s.container(shape{throughput: &throughput})
	for round := range roundsMax {
		check(t, spend(t, container, round))
		create(t, container, fmt.Sprint("i", round), "p", round)
		if s.metric("lapse_throttled_requests_total") > 0 {
			text := "SELECT VALUE COUNT(1) FROM c"
			wantEqual(t, query(t, container, text, keyOf("p"), nil), []int{(round + 1) * 101})
			return
		}
	}
	t.Fatal("nobody was throttled")
}

func TestAClientThatDoesNotTryAgainIsToldSo(t *testing.T) {
	s := startServer(t, "--rate-limiting", "explicit")
	throughput := azcosmos.NewManualThroughputProperties(400)
	id := s.container(shape{throughput: &throughput}).ID()
	options := &azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}}
	container, err := s.client(options).NewContainer("db", id)
	check(t, err)
	for round := range roundsMax {
		if err = spend(t, container, round); err != nil {
			break
		}
	}
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
