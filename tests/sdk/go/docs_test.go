package lapse

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// page gives a program of docs/sdks/go.md: the block of code after the words `name` at the end of a paragraph.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/sdks/go.md")
	check(t, err)
	block := regexp.MustCompile("(?s)`" + regexp.QuoteMeta(name) + "`[^`]*:\n\n```go\n(.*?)\n```\n").FindSubmatch(text)
	if block == nil {
		t.Fatalf("the page has no %s", name)
	}
	return string(block[1]) + "\n"
}

// runGo runs a file with the modules of these tests.
func runGo(t *testing.T, ctx context.Context, verb, name, source string, environment ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	check(t, os.WriteFile(file, []byte(source), 0o600))
	command := exec.CommandContext(ctx, "go", verb, file)
	command.Env = append(os.Environ(), environment...)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return string(output)
}

func TestTheFirstProgramOfThePageRunsTwice(t *testing.T) {
	for _, arguments := range [][]string{nil, {"--tls", "auto"}} {
		s := startDurableServer(t, arguments...)
		source := strings.Replace(page(t, "first.go"), "http://127.0.0.1:8081/", s.endpoint, 1)
		for range 2 {
			certificate := "SSL_CERT_FILE=" + filepath.Join(s.dataDir, "tls-cert.pem")
			output := runGo(t, bounded(t), "run", "first.go", source, certificate)
			wantEqual(t, output, "200 OK\n\"s1\"\n\"s2\"\n")
		}
	}
}

func TestTheHelperOfThePage(t *testing.T) {
	lapsed, err := filepath.Abs(program())
	check(t, err)
	output := runGo(t, bounded(t), "test", "sessions_test.go", page(t, "sessions_test.go"), "LAPSED="+lapsed)
	if !strings.HasPrefix(output, "ok") {
		t.Fatal(output)
	}
}
