package lapse

import (
	"fmt"
	"net/http"
	"sort"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// query gives all results.
func query(
	t *testing.T,
	container *azcosmos.ContainerClient,
	text string,
	pk azcosmos.PartitionKey,
	options *azcosmos.QueryOptions,
) []any {
	t.Helper()
	results := []any{}
	pager := container.NewQueryItemsPager(text, pk, options)
	for pager.More() {
		page, err := pager.NextPage(bounded(t))
		check(t, err)
		for _, item := range page.Items {
			results = append(results, valueOf(t, item))
		}
	}
	return results
}

func fill(t *testing.T, container *azcosmos.ContainerClient, count int) {
	t.Helper()
	for n := range count {
		item := object{"id": fmt.Sprint("i", n), "pk": fmt.Sprint("p", n%10), "n": n, "even": n%2 == 0}
		_, err := container.CreateItem(bounded(t), keyOf(fmt.Sprint("p", n%10)), bytesOf(t, item), nil)
		check(t, err)
	}
}

func upTo(count int) []int {
	numbers := make([]int, count)
	for n := range count {
		numbers[n] = n
	}
	return numbers
}

func sorted(t *testing.T, results []any) []any {
	t.Helper()
	sort.Slice(results, func(a, b int) bool {
		x, y := string(bytesOf(t, results[a])), string(bytesOf(t, results[b]))
		return len(x) < len(y) || len(x) == len(y) && x < y
	})
	return results
}

func TestQueriesOverAllPartitions(t *testing.T) {
	s := startServer(t)
	onEither(t, s, func(t *testing.T, container *azcosmos.ContainerClient) {
		fill(t, container, 30)
		for text, wanted := range map[string]any{
			"SELECT VALUE c.n FROM c ORDER BY c.n":                  upTo(30),
			"SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n DESC":       []int{29, 28, 27},
			"SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 3": []int{5, 6, 7},
			"SELECT VALUE COUNT(1) FROM c":                          []int{30},
			"SELECT VALUE SUM(c.n) FROM c WHERE c.even":             []int{210},
			"SELECT VALUE AVG(c.n) FROM c":                          []float64{14.5},
			"SELECT COUNT(1) AS n, MAX(c.n) AS most FROM c":         []object{{"n": 30, "most": 29}},
		} {
			for _, size := range []int32{4, -1} {
				options := &azcosmos.QueryOptions{PageSizeHint: size}
				wantEqual(t, query(t, container, text, azcosmos.NewPartitionKey(), options), wanted)
			}
		}
		text := "SELECT c.even, COUNT(1) AS n FROM c GROUP BY c.even"
		groups := sorted(t, query(t, container, text, azcosmos.NewPartitionKey(), nil))
		wantEqual(t, groups, []object{{"even": true, "n": 15}, {"even": false, "n": 15}})
	})
}

func TestOneKeyAndParameters(t *testing.T) {
	s := startServer(t)
	onEither(t, s, func(t *testing.T, container *azcosmos.ContainerClient) {
		fill(t, container, 30)
		wantEqual(t, query(t, container, "SELECT VALUE c.n FROM c ORDER BY c.n", keyOf("p3"), nil), []int{3, 13, 23})
		options := &azcosmos.QueryOptions{QueryParameters: []azcosmos.QueryParameter{{Name: "@least", Value: 10}}}
		wantEqual(t, query(t, container, "SELECT VALUE c.n FROM c WHERE c.n > @least", keyOf("p3"), options), []int{13, 23})
	})
}

// Each page is read by a client of its own, which knows the continuation and nothing else.
func TestAnotherClientGoesOn(t *testing.T) {
	s := startServer(t)
	onEither(t, s, func(t *testing.T, container *azcosmos.ContainerClient) {
		fill(t, container, 30)
		for _, text := range []string{
			"SELECT VALUE c.n FROM c",
			"SELECT VALUE c.n FROM c ORDER BY c.n",
			"SELECT DISTINCT VALUE c.n FROM c",
		} {
			seen := []any{}
			var continuation *string
			for range 100 {
				same, err := s.client(nil).NewContainer("db", container.ID())
				check(t, err)
				options := &azcosmos.QueryOptions{PageSizeHint: 7, ContinuationToken: continuation}
				page, err := same.NewQueryItemsPager(text, azcosmos.NewPartitionKey(), options).NextPage(bounded(t))
				check(t, err)
				for _, item := range page.Items {
					seen = append(seen, valueOf(t, item))
				}
				if continuation = page.ContinuationToken; continuation == nil {
					break
				}
			}
			wantEqual(t, sorted(t, seen), upTo(30))
		}
	})
}

func TestMetrics(t *testing.T) {
	container := startServer(t).container(shape{})
	fill(t, container, 20)
	options := &azcosmos.QueryOptions{PopulateIndexMetrics: true}
	pager := container.NewQueryItemsPager("SELECT * FROM c WHERE c.n > 10", azcosmos.NewPartitionKey(), options)
	page, err := pager.NextPage(bounded(t))
	check(t, err)
	if !strings.Contains(*page.QueryMetrics, "retrievedDocumentCount=9") || page.IndexMetrics == nil {
		t.Fatal("metrics are missing")
	}
}

func TestAMistakeIsNamedWithItsPlace(t *testing.T) {
	container := startServer(t).container(shape{})
	pager := container.NewQueryItemsPager("SELECT NO_SUCH(c.n) FROM c", azcosmos.NewPartitionKey(), nil)
	_, err := pager.NextPage(bounded(t))
	wantStatus(t, err, http.StatusBadRequest)
	if !strings.Contains(err.Error(), "SC2005") {
		t.Fatal(err)
	}
}

func TestAQueryOverAllPartitionsCanBeForbidden(t *testing.T) {
	container := startServer(t).container(shape{})
	options := &azcosmos.QueryOptions{EnableCrossPartitionQuery: pointer(false)}
	_, err := container.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), options).NextPage(bounded(t))
	wantStatus(t, err, http.StatusBadRequest)
}
