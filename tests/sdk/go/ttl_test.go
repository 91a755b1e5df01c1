package lapse

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// lives looks by every way; all must say the same.
func lives(t *testing.T, container *azcosmos.ContainerClient, id string) bool {
	t.Helper()
	_, err := container.ReadItem(bounded(t), keyOf("p"), id, nil)
	if err != nil {
		wantStatus(t, err, http.StatusNotFound)
	}
	read := 0
	if err == nil {
		read = 1
	}
	ofID := &azcosmos.QueryOptions{QueryParameters: []azcosmos.QueryParameter{{Name: "@id", Value: id}}}
	wantEqual(t, len(query(t, container, "SELECT * FROM c WHERE c.id = @id", keyOf("p"), ofID)), read)
	everywhere := azcosmos.NewPartitionKey()
	wantEqual(t, query(t, container, "SELECT VALUE COUNT(1) FROM c WHERE c.id = @id", everywhere, ofID), []int{read})
	many, err := container.ReadManyItems(bounded(t), []azcosmos.ItemIdentity{{ID: id, PartitionKey: keyOf("p")}}, nil)
	check(t, err)
	wantEqual(t, len(many.Items), read)
	return read == 1
}

func TestTimeToLiveBeforeAtAndAfter(t *testing.T) {
	s := startServer(t)
	s.freeze()
	for _, one := range []struct{ defaultTTL, own, lifetime int }{{60, 0, 60}, {60, 5, 5}, {-1, 7, 7}, {5, 60, 60}} {
		for _, partitions := range []int{1, 3} {
			t.Run(fmt.Sprint(one, " ", partitions), func(t *testing.T) {
				container := s.container(shape{ttl: pointer(int32(one.defaultTTL)), partitions: partitions})
				item := object{"id": "x", "pk": "p"}
				if one.own != 0 {
					item["ttl"] = one.own
				}
				_, err := container.CreateItem(bounded(t), keyOf("p"), bytesOf(t, item), nil)
				check(t, err)
				for step, wanted := range []bool{true, false, false} {
					if step == 0 {
						s.advance(one.lifetime - 1)
					} else {
						s.advance(1)
					}
					wantEqual(t, lives(t, container, "x"), wanted)
				}
			})
		}
	}
}

func TestAWriteBeginsTheCountAgainAndAReadDoesNot(t *testing.T) {
	s := startServer(t)
	s.freeze()
	container := s.container(shape{ttl: pointer(int32(10))})
	item := bytesOf(t, object{"id": "x", "pk": "p"})
	_, err := container.CreateItem(bounded(t), keyOf("p"), item, nil)
	check(t, err)
	s.advance(9)
	_, err = container.UpsertItem(bounded(t), keyOf("p"), item, nil)
	check(t, err)
	s.advance(9)
	wantEqual(t, lives(t, container, "x"), true)
	s.advance(1)
	wantEqual(t, lives(t, container, "x"), false)

	// What has expired stays so, whatever the default becomes.
	read, err := container.Read(bounded(t), nil)
	check(t, err)
	properties := *read.ContainerProperties
	for _, ttl := range []*int32{pointer(int32(1000)), pointer(int32(-1)), nil} {
		properties.DefaultTimeToLive = ttl
		_, err = container.Replace(bounded(t), properties, nil)
		check(t, err)
		wantEqual(t, lives(t, container, "x"), false)
	}
}
