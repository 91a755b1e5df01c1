package lapse

import (
	"encoding/json"
	"os"
	"sort"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// The queries that the tests of every SDK ask: ../shared/README.md says how they are compared.
type sharedQueries struct {
	PartitionKey string
	Throughput   int32
	Documents    map[string][]object
	Queries      []struct {
		Name, Documents, Query string
		Parameters             []azcosmos.QueryParameter
		Ordered                bool
		Results                []any
	}
}

// comparable gives one text for equal values: the members of objects are sorted, numbers are compared by value.
func comparable(t *testing.T, results []any, ordered bool) []string {
	t.Helper()
	texts := []string{}
	for _, result := range results {
		var value any
		check(t, json.Unmarshal(bytesOf(t, result), &value))
		if item, is := value.(object); is && item["_rid"] != nil {
			for _, name := range []string{"_rid", "_self", "_etag", "_attachments", "_ts"} {
				delete(item, name)
			}
		}
		texts = append(texts, string(bytesOf(t, value)))
	}
	if !ordered {
		sort.Strings(texts)
	}
	return texts
}

func TestSharedQueries(t *testing.T) {
	text, err := os.ReadFile("../shared/queries.json")
	check(t, err)
	var shared sharedQueries
	check(t, json.Unmarshal(text, &shared))
	s := startServer(t)
	containers := map[string]*azcosmos.ContainerClient{}
	for name, documents := range shared.Documents {
		throughput := azcosmos.NewManualThroughputProperties(shared.Throughput)
		containers[name] = s.container(shape{paths: []string{shared.PartitionKey}, throughput: &throughput})
		for _, document := range documents {
			_, err := containers[name].CreateItem(bounded(t), keyOf(document["id"].(string)), bytesOf(t, document), nil)
			check(t, err)
		}
	}
	if len(shared.Queries) <= 100 {
		t.Fatalf("%d queries", len(shared.Queries))
	}
	for _, one := range shared.Queries {
		t.Run(one.Name, func(t *testing.T) {
			for _, size := range []int32{2, 0} {
				options := &azcosmos.QueryOptions{QueryParameters: one.Parameters, PageSizeHint: size}
				results := query(t, containers[one.Documents], one.Query, azcosmos.NewPartitionKey(), options)
				wantEqual(t, comparable(t, results, one.Ordered), comparable(t, one.Results, one.Ordered))
			}
		})
	}
}
