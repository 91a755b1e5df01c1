package lapse

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

const (
	key             = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
	threePartitions = 18000
	startMax        = 60 * time.Second
	testMax         = 300 * time.Second
)

var (
	readyLine = regexp.MustCompile(` ready endpoint=(\S+)`)
	names     atomic.Int64
)

// server is a lapsed on a free port, with the test clock, that ends with the test. Started again it keeps its port.
type server struct {
	t         *testing.T
	arguments []string
	dataDir   string
	process   *exec.Cmd
	endpoint  string
	port      string
}

// program is the one that LAPSED names; without it, the one of build/release.
func program() string {
	if named := os.Getenv("LAPSED"); named != "" {
		return named
	}
	return filepath.Join("..", "..", "..", "build", "release", "lapsed")
}

// startServer keeps its data in memory unless the arguments say otherwise.
func startServer(t *testing.T, arguments ...string) *server {
	t.Helper()
	s := &server{t: t, arguments: append([]string{"--in-memory"}, arguments...), port: "0"}
	s.start()
	t.Cleanup(s.kill)
	return s
}

// startDurableServer keeps its data when it is killed.
func startDurableServer(t *testing.T, arguments ...string) *server {
	t.Helper()
	dir := t.TempDir()
	s := &server{t: t, arguments: append([]string{"--data-dir", dir}, arguments...), port: "0", dataDir: dir}
	s.start()
	t.Cleanup(s.kill)
	return s
}

func (s *server) start() {
	s.t.Helper()
	s.process = exec.Command(program(), append([]string{"--port", s.port, "--test-clock"}, s.arguments...)...)
	for _, variable := range os.Environ() {
		// Variables that begin so are options of the server.
		if !strings.HasPrefix(variable, "LAPSE_") {
			s.process.Env = append(s.process.Env, variable)
		}
	}
	log, err := s.process.StderrPipe()
	check(s.t, err)
	check(s.t, s.process.Start())
	ready := make(chan string, 1)
	go func() {
		defer close(ready)
		for lines := bufio.NewScanner(log); lines.Scan(); {
			if found := readyLine.FindStringSubmatch(lines.Text()); found != nil {
				ready <- found[1]
			}
		}
	}()
	select {
	case s.endpoint = <-ready:
	case <-time.After(startMax):
	}
	if s.endpoint == "" {
		s.kill()
		s.t.Fatalf("%s did not become ready", program())
	}
	address, err := url.Parse(s.endpoint)
	check(s.t, err)
	s.port = address.Port()
}

// kill is as a crash does it: without a word to the server.
func (s *server) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// clock changes store time, and gives the second at which it stands then.
func (s *server) clock(change string) int64 {
	s.t.Helper()
	answer, err := http.Post("http://127.0.0.1:"+s.port+"/_lapse/clock", "application/json", strings.NewReader(change))
	check(s.t, err)
	defer answer.Body.Close()
	var state struct{ Now int64 }
	check(s.t, json.NewDecoder(answer.Body).Decode(&state))
	if answer.StatusCode != http.StatusOK {
		s.t.Fatalf("the clock answered %s to %s", answer.Status, change)
	}
	return state.Now
}

func (s *server) freeze() int64 { return s.clock(`{"freeze":true}`) }

func (s *server) advance(seconds int) int64 { return s.clock(fmt.Sprintf(`{"advance":%d}`, seconds)) }

// metric is the sum over the lines that begin with the name.
func (s *server) metric(name string) float64 {
	s.t.Helper()
	answer, err := http.Get("http://127.0.0.1:" + s.port + "/_lapse/metrics")
	check(s.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	check(s.t, err)
	sum := 0.0
	for _, line := range strings.Split(string(text), "\n") {
		if fields := strings.Fields(line); len(fields) == 2 && strings.HasPrefix(line, name) {
			value, err := strconv.ParseFloat(fields[1], 64)
			check(s.t, err)
			sum += value
		}
	}
	return sum
}

func (s *server) client(options *azcosmos.ClientOptions) *azcosmos.Client {
	s.t.Helper()
	credential, err := azcosmos.NewKeyCredential(key)
	check(s.t, err)
	client, err := azcosmos.NewClientWithKey(s.endpoint, credential, options)
	check(s.t, err)
	return client
}

func (s *server) database(id string) *azcosmos.DatabaseClient {
	s.t.Helper()
	client := s.client(nil)
	_, err := client.CreateDatabase(bounded(s.t), azcosmos.DatabaseProperties{ID: id}, nil)
	if err != nil && statusOf(err) != http.StatusConflict {
		s.t.Fatal(err)
	}
	database, err := client.NewDatabase(id)
	check(s.t, err)
	return database
}

// shape is what a container is made of; the zero shape has the key /pk and one partition.
type shape struct {
	paths      []string
	partitions int
	ttl        *int32
	uniqueKeys []string
	throughput *azcosmos.ThroughputProperties
}

func (s *server) container(with shape) *azcosmos.ContainerClient {
	s.t.Helper()
	database := s.database("db")
	properties := azcosmos.ContainerProperties{
		ID:                     fmt.Sprintf("c%d", names.Add(1)),
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pk"}, Version: 2},
		DefaultTimeToLive:      with.ttl,
	}
	if with.paths != nil {
		properties.PartitionKeyDefinition.Paths = with.paths
	}
	if with.uniqueKeys != nil {
		keys := []azcosmos.UniqueKey{{Paths: with.uniqueKeys}}
		properties.UniqueKeyPolicy = &azcosmos.UniqueKeyPolicy{UniqueKeys: keys}
	}
	if with.partitions == 3 {
		throughput := azcosmos.NewManualThroughputProperties(threePartitions)
		with.throughput = &throughput
	}
	_, err := database.CreateContainer(bounded(s.t), properties, &azcosmos.CreateContainerOptions{
		ThroughputProperties: with.throughput,
	})
	check(s.t, err)
	container, err := database.NewContainer(properties.ID)
	check(s.t, err)
	return container
}

// onEither runs a test on containers of one and of three partitions.
func onEither(t *testing.T, s *server, run func(*testing.T, *azcosmos.ContainerClient)) {
	for _, partitions := range []int{1, 3} {
		container := s.container(shape{partitions: partitions})
		t.Run(fmt.Sprintf("%d partitions", partitions), func(t *testing.T) { run(t, container) })
	}
}

type object = map[string]any

func keyOf(value string) azcosmos.PartitionKey { return azcosmos.NewPartitionKeyString(value) }

func bytesOf(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	check(t, err)
	return text
}

// valueOf decodes as JSON has it: integers stay exact.
func valueOf(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	check(t, decoder.Decode(&value))
	return value
}

func objectOf(t *testing.T, text []byte) object {
	t.Helper()
	var value object
	check(t, json.Unmarshal(text, &value))
	return value
}

func bounded(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), testMax)
	t.Cleanup(cancel)
	return ctx
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// statusOf is 0 for what is no answer of the server.
func statusOf(err error) int {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		return response.StatusCode
	}
	return 0
}

func wantStatus(t *testing.T, err error, status int) {
	t.Helper()
	if statusOf(err) != status {
		t.Fatalf("wanted %d, got %v", status, err)
	}
}

func wantEqual(t *testing.T, got, wanted any) {
	t.Helper()
	if g, w := string(bytesOf(t, got)), string(bytesOf(t, wanted)); g != w {
		t.Fatalf("got %s, wanted %s", g, w)
	}
}

func pointer[T any](value T) *T { return &value }
