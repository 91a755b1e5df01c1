package lapse

import (
	"fmt"
	"net/http"
	"sort"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

var withContent = &azcosmos.ItemOptions{EnableContentResponseOnWrite: true}

// create makes {"id", "pk", "n"}.
func create(t *testing.T, container *azcosmos.ContainerClient, id, pk string, n int) {
	t.Helper()
	item := bytesOf(t, object{"id": id, "pk": pk, "n": n})
	_, err := container.CreateItem(bounded(t), keyOf(pk), item, nil)
	check(t, err)
}

func TestAKeyOfAnyKind(t *testing.T) {
	keys := map[string]struct {
		key   azcosmos.PartitionKey
		value any
	}{
		"text":    {keyOf("text"), "text"},
		"empty":   {keyOf(""), ""},
		"unicode": {keyOf("ключ 🔑 \u007f\a\v"), "ключ 🔑 \u007f\a\v"},
		"quotes":  {keyOf(`quotes " and \`), `quotes " and \`},
		"number":  {azcosmos.NewPartitionKeyNumber(-1.5), -1.5},
		"large":   {azcosmos.NewPartitionKeyNumber(1e300), 1e300},
		"true":    {azcosmos.NewPartitionKeyBool(true), true},
		"false":   {azcosmos.NewPartitionKeyBool(false), false},
		"null":    {azcosmos.NullPartitionKey, nil},
	}
	s := startServer(t)
	onEither(t, s, func(t *testing.T, container *azcosmos.ContainerClient) {
		ctx := bounded(t)
		for name, one := range keys {
			t.Run(name, func(t *testing.T) {
				item := func(n int) []byte { return bytesOf(t, object{"id": "x", "pk": one.value, "n": n}) }
				_, err := container.CreateItem(ctx, one.key, item(1), nil)
				check(t, err)
				read, err := container.ReadItem(ctx, one.key, "x", nil)
				check(t, err)
				wantEqual(t, objectOf(t, read.Value)["pk"], one.value)
				_, err = container.ReplaceItem(ctx, one.key, "x", item(2), nil)
				check(t, err)
				upserted, err := container.UpsertItem(ctx, one.key, item(3), withContent)
				check(t, err)
				wantEqual(t, objectOf(t, upserted.Value)["n"], 3)
				wantEqual(t, query(t, container, "SELECT VALUE c.n FROM c", one.key, nil), []int{3})
				_, err = container.DeleteItem(ctx, one.key, "x", nil)
				check(t, err)
				_, err = container.ReadItem(ctx, one.key, "x", nil)
				wantStatus(t, err, http.StatusNotFound)
			})
		}
	})
}

func TestAHierarchicalKey(t *testing.T) {
	s := startServer(t)
	for _, partitions := range []int{1, 3} {
		container := s.container(shape{paths: []string{"/tenant", "/user", "/session"}, partitions: partitions})
		ctx := bounded(t)
		tenant := func(n int) string { return fmt.Sprint("t", n%3) }
		user := func(n int) string { return fmt.Sprint("u", n/3%3) }
		keyFor := func(n int) azcosmos.PartitionKey {
			return keyOf(tenant(n)).AppendString(user(n)).AppendNumber(float64(n))
		}
		for n := range 27 {
			item := object{"id": fmt.Sprint("i", n), "tenant": tenant(n), "user": user(n), "session": n, "n": n}
			_, err := container.CreateItem(ctx, keyFor(n), bytesOf(t, item), nil)
			check(t, err)
		}
		_, err := container.ReadItem(ctx, keyFor(7), "i7", nil)
		check(t, err)
		text := "SELECT VALUE c.n FROM c ORDER BY c.n"
		wantEqual(t, query(t, container, text, keyFor(7), nil), []int{7})
		wantEqual(t, query(t, container, text, keyOf("t1").AppendString("u2"), nil), []int{7, 16, 25})
		wantEqual(t, query(t, container, text, keyOf("t1"), nil), []int{1, 4, 7, 10, 13, 16, 19, 22, 25})
		wantEqual(t, query(t, container, text, keyOf("t9"), nil), []int{})
	}
}

func TestAnIDOfAnyKind(t *testing.T) {
	container := startServer(t).container(shape{})
	for _, id := range []string{"blank here", "100%", "a+b", "ключ", "🔑", `quo"te`, strings.Repeat("x", 255), "a&b=c"} {
		create(t, container, id, "p", 1)
		read, err := container.ReadItem(bounded(t), keyOf("p"), id, nil)
		check(t, err)
		wantEqual(t, objectOf(t, read.Value)["id"], id)
	}
}

func TestEveryKindOfValueComesBackAsItWas(t *testing.T) {
	container := startServer(t).container(shape{})
	text := `{"id":"x","pk":"p","i":[0,-1,9007199254740993,9223372036854775807],"d":[0.1,-2.5e-300],"o":[true,null,[],{}]}`
	_, err := container.CreateItem(bounded(t), keyOf("p"), []byte(text), nil)
	check(t, err)
	read, err := container.ReadItem(bounded(t), keyOf("p"), "x", nil)
	check(t, err)
	got := valueOf(t, read.Value).(object)
	for name, value := range valueOf(t, []byte(text)).(object) {
		wantEqual(t, got[name], value)
	}
}

func TestWhatIsThereAndWhatIsNot(t *testing.T) {
	container := startServer(t).container(shape{})
	ctx := bounded(t)
	item := bytesOf(t, object{"id": "x", "pk": "p"})
	_, err := container.ReplaceItem(ctx, keyOf("p"), "x", item, nil)
	wantStatus(t, err, http.StatusNotFound)
	_, err = container.DeleteItem(ctx, keyOf("p"), "x", nil)
	wantStatus(t, err, http.StatusNotFound)
	_, err = container.CreateItem(ctx, keyOf("p"), item, nil)
	check(t, err)
	_, err = container.CreateItem(ctx, keyOf("p"), item, nil)
	wantStatus(t, err, http.StatusConflict)
	_, err = container.CreateItem(ctx, keyOf("another"), item, nil)
	wantStatus(t, err, http.StatusBadRequest)
}

func TestWritesInTheVersionThatWasRead(t *testing.T) {
	container := startServer(t).container(shape{})
	ctx := bounded(t)
	create(t, container, "x", "p", 1)
	replaced, err := container.ReplaceItem(ctx, keyOf("p"), "x", bytesOf(t, object{"id": "x", "pk": "p", "n": 2}), nil)
	check(t, err)
	old := &azcosmos.ItemOptions{IfMatchEtag: pointer(azcore.ETag(`"another"`))}
	item := bytesOf(t, object{"id": "x", "pk": "p", "n": 3})
	_, err = container.ReplaceItem(ctx, keyOf("p"), "x", item, old)
	wantStatus(t, err, http.StatusPreconditionFailed)
	_, err = container.UpsertItem(ctx, keyOf("p"), item, old)
	wantStatus(t, err, http.StatusPreconditionFailed)
	_, err = container.DeleteItem(ctx, keyOf("p"), "x", old)
	wantStatus(t, err, http.StatusPreconditionFailed)
	_, err = container.ReplaceItem(ctx, keyOf("p"), "x", item, &azcosmos.ItemOptions{IfMatchEtag: &replaced.ETag})
	check(t, err)
	if replaced.RequestCharge <= 0 || *replaced.SessionToken == "" {
		t.Fatal("a write has a charge and a session token")
	}
}

func TestPatch(t *testing.T) {
	container := startServer(t).container(shape{})
	ctx := bounded(t)
	item := object{"id": "x", "pk": "p", "n": 1, "list": []int{1, 3}, "old": "gone"}
	_, err := container.CreateItem(ctx, keyOf("p"), bytesOf(t, item), nil)
	check(t, err)
	var change azcosmos.PatchOperations
	change.AppendAdd("/list/1", 2)
	change.AppendSet("/new", object{"a": nil})
	change.AppendReplace("/n", 10)
	change.AppendIncrement("/n", 5)
	change.AppendRemove("/old")
	change.SetCondition("from c where c.n = 1")
	patched, err := container.PatchItem(ctx, keyOf("p"), "x", change, withContent)
	check(t, err)
	got := objectOf(t, patched.Value)
	wantEqual(t, []any{got["list"], got["new"], got["n"], got["old"]}, []any{[]int{1, 2, 3}, object{"a": nil}, 15, nil})
	_, err = container.PatchItem(ctx, keyOf("p"), "x", change, nil)
	wantStatus(t, err, http.StatusPreconditionFailed)
	var wrong azcosmos.PatchOperations
	wrong.AppendReplace("/missing", 1)
	_, err = container.PatchItem(ctx, keyOf("p"), "x", wrong, nil)
	wantStatus(t, err, http.StatusBadRequest)
}

func TestABatchOfEveryOperation(t *testing.T) {
	container := startServer(t).container(shape{})
	for _, id := range []string{"read", "replaced", "patched", "deleted"} {
		create(t, container, id, "p", 0)
	}
	batch := container.NewTransactionalBatch(keyOf("p"))
	batch.CreateItem(bytesOf(t, object{"id": "created", "pk": "p"}), nil)
	batch.UpsertItem(bytesOf(t, object{"id": "upserted", "pk": "p"}), nil)
	batch.ReadItem("read", nil)
	batch.ReplaceItem("replaced", bytesOf(t, object{"id": "replaced", "pk": "p"}), nil)
	var change azcosmos.PatchOperations
	change.AppendIncrement("/n", 5)
	batch.PatchItem("patched", change, nil)
	batch.DeleteItem("deleted", nil)
	options := &azcosmos.TransactionalBatchOptions{EnableContentResponseOnWrite: true}
	done, err := container.ExecuteTransactionalBatch(bounded(t), batch, options)
	check(t, err)
	var statuses []int32
	for _, one := range done.OperationResults {
		statuses = append(statuses, one.StatusCode)
	}
	wantEqual(t, statuses, []int{201, 201, 200, 200, 200, 204})
	wantEqual(t, done.Success, true)
	wantEqual(t, objectOf(t, done.OperationResults[4].ResourceBody)["n"], 5)
}

func TestAFailedBatchChangesNothing(t *testing.T) {
	container := startServer(t).container(shape{})
	create(t, container, "there", "p", 1)
	batch := container.NewTransactionalBatch(keyOf("p"))
	batch.CreateItem(bytesOf(t, object{"id": "new", "pk": "p"}), nil)
	batch.CreateItem(bytesOf(t, object{"id": "there", "pk": "p"}), nil)
	batch.DeleteItem("there", nil)
	done, err := container.ExecuteTransactionalBatch(bounded(t), batch, nil)
	check(t, err)
	wantEqual(t, done.Success, false)
	var statuses []int32
	for _, one := range done.OperationResults {
		statuses = append(statuses, one.StatusCode)
	}
	wantEqual(t, statuses, []int{424, 409, 424})
	wantEqual(t, query(t, container, "SELECT VALUE c.id FROM c", keyOf("p"), nil), []string{"there"})
}

func TestReadMany(t *testing.T) {
	s := startServer(t)
	for _, path := range []string{"/id", "/pk"} {
		container := s.container(shape{paths: []string{path}, partitions: 3})
		var wanted []azcosmos.ItemIdentity
		for n := range 40 {
			id, pk := fmt.Sprint("i", n), fmt.Sprint("p", n%20)
			key := keyOf(pk)
			if path == "/id" {
				key = keyOf(id)
			}
			_, err := container.CreateItem(bounded(t), key, bytesOf(t, object{"id": id, "pk": pk, "n": n}), nil)
			check(t, err)
			if n%2 == 0 {
				wanted = append(wanted, azcosmos.ItemIdentity{ID: id, PartitionKey: key})
			}
		}
		wanted = append(wanted, azcosmos.ItemIdentity{ID: "missing", PartitionKey: keyOf("missing")})
		found, err := container.ReadManyItems(bounded(t), wanted, nil)
		check(t, err)
		var numbers []int
		for _, item := range found.Items {
			numbers = append(numbers, int(objectOf(t, item)["n"].(float64)))
		}
		sort.Ints(numbers)
		wantEqual(t, numbers, []int{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38})
	}
}
