package lapse

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

func TestADatabaseFromCreationToDeletion(t *testing.T) {
	s := startServer(t)
	client := s.client(nil)
	ctx := bounded(t)
	properties := azcosmos.DatabaseProperties{ID: "whole life"}
	_, err := client.CreateDatabase(ctx, properties, nil)
	check(t, err)
	_, err = client.CreateDatabase(ctx, properties, nil)
	wantStatus(t, err, http.StatusConflict)
	database, err := client.NewDatabase("whole life")
	check(t, err)
	read, err := database.Read(ctx, nil)
	check(t, err)
	wantEqual(t, read.DatabaseProperties.ID, "whole life")

	var found []string
	pager := client.NewQueryDatabasesPager("SELECT * FROM r WHERE r.id = @id", &azcosmos.QueryDatabasesOptions{
		QueryParameters: []azcosmos.QueryParameter{{Name: "@id", Value: "whole life"}},
	})
	for pager.More() {
		page, err := pager.NextPage(ctx)
		check(t, err)
		for _, one := range page.Databases {
			found = append(found, one.ID)
		}
	}
	wantEqual(t, found, []string{"whole life"})
	_, err = database.Delete(ctx, nil)
	check(t, err)
	_, err = database.Read(ctx, nil)
	wantStatus(t, err, http.StatusNotFound)
}

func TestABadNameIsRefused(t *testing.T) {
	client := startServer(t).client(nil)
	for _, name := range []string{"a/b", "a?b", "a#b", "ends with a blank ", strings.Repeat("x", 256)} {
		_, err := client.CreateDatabase(bounded(t), azcosmos.DatabaseProperties{ID: name}, nil)
		wantStatus(t, err, http.StatusBadRequest)
	}
}

func TestAContainerFromCreationToDeletion(t *testing.T) {
	s := startServer(t)
	ctx := bounded(t)
	container := s.container(shape{ttl: pointer(int32(60)), uniqueKeys: []string{"/mail"}})
	read, err := container.Read(ctx, nil)
	check(t, err)
	properties := *read.ContainerProperties
	wantEqual(t, properties.PartitionKeyDefinition.Paths, []string{"/pk"})
	wantEqual(t, *properties.DefaultTimeToLive, 60)
	wantEqual(t, properties.UniqueKeyPolicy.UniqueKeys[0].Paths, []string{"/mail"})

	properties.DefaultTimeToLive = pointer(int32(-1))
	replaced, err := container.Replace(ctx, properties, nil)
	check(t, err)
	wantEqual(t, *replaced.ContainerProperties.DefaultTimeToLive, -1)

	var ids []string
	pager := s.database("db").NewQueryContainersPager("SELECT * FROM c", nil)
	for pager.More() {
		page, err := pager.NextPage(ctx)
		check(t, err)
		for _, one := range page.Containers {
			ids = append(ids, one.ID)
		}
	}
	if !slices.Contains(ids, container.ID()) {
		t.Fatalf("%s is not among %v", container.ID(), ids)
	}
	_, err = container.Delete(ctx, nil)
	check(t, err)
	_, err = container.Read(ctx, nil)
	wantStatus(t, err, http.StatusNotFound)
}

func TestAContainerMadeAgainUnderItsNameIsFound(t *testing.T) {
	s := startServer(t)
	ctx := bounded(t)
	container := s.container(shape{})
	create(t, container, "x", "old", 1)
	_, err := container.Delete(ctx, nil)
	check(t, err)
	definition := azcosmos.PartitionKeyDefinition{Paths: []string{"/key"}}
	properties := azcosmos.ContainerProperties{ID: container.ID(), PartitionKeyDefinition: definition}
	_, err = s.database("db").CreateContainer(ctx, properties, nil)
	check(t, err)
	_, err = container.CreateItem(ctx, keyOf("new"), bytesOf(t, object{"id": "x", "key": "new"}), nil)
	check(t, err)
	many, err := container.ReadManyItems(ctx, []azcosmos.ItemIdentity{{ID: "x", PartitionKey: keyOf("new")}}, nil)
	check(t, err)
	wantEqual(t, len(many.Items), 1)
}

func TestUniqueKeysAreHeld(t *testing.T) {
	container := startServer(t).container(shape{uniqueKeys: []string{"/mail"}})
	ctx := bounded(t)
	create := func(id, pk string) error {
		item := bytesOf(t, object{"id": id, "pk": pk, "mail": "a@b"})
		_, err := container.CreateItem(ctx, keyOf(pk), item, nil)
		return err
	}
	check(t, create("1", "p"))
	wantStatus(t, create("2", "p"), http.StatusConflict)
	check(t, create("2", "q"))
}

func TestThroughputOfAContainer(t *testing.T) {
	s := startServer(t)
	ctx := bounded(t)
	throughput := azcosmos.NewManualThroughputProperties(500)
	container := s.container(shape{throughput: &throughput})
	read, err := container.ReadThroughput(ctx, nil)
	check(t, err)
	manual, _ := read.ThroughputProperties.ManualThroughput()
	wantEqual(t, manual, 500)
	_, err = container.ReplaceThroughput(ctx, azcosmos.NewManualThroughputProperties(900), nil)
	check(t, err)
	read, err = container.ReadThroughput(ctx, nil)
	check(t, err)
	manual, _ = read.ThroughputProperties.ManualThroughput()
	wantEqual(t, manual, 900)
	wantEqual(t, *read.MinThroughput, 400)
	_, err = container.ReplaceThroughput(ctx, azcosmos.NewManualThroughputProperties(399), nil)
	wantStatus(t, err, http.StatusBadRequest)
}

func TestAutoscaleAndADatabasesThroughput(t *testing.T) {
	s := startServer(t)
	ctx := bounded(t)
	throughput := azcosmos.NewAutoscaleThroughputProperties(4000)
	container := s.container(shape{throughput: &throughput})
	read, err := container.ReadThroughput(ctx, nil)
	check(t, err)
	most, _ := read.ThroughputProperties.AutoscaleMaxThroughput()
	wantEqual(t, most, 4000)

	client := s.client(nil)
	shared := azcosmos.NewManualThroughputProperties(700)
	options := &azcosmos.CreateDatabaseOptions{ThroughputProperties: &shared}
	_, err = client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "shared"}, options)
	check(t, err)
	database, err := client.NewDatabase("shared")
	check(t, err)
	of, err := database.ReadThroughput(ctx, nil)
	check(t, err)
	manual, _ := of.ThroughputProperties.ManualThroughput()
	wantEqual(t, manual, 700)
	_, err = s.database("db").ReadThroughput(ctx, nil)
	wantStatus(t, err, http.StatusNotFound)
}
