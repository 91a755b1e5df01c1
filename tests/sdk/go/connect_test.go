package lapse

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// work is the way of a first program: one write, one read.
func work(t *testing.T, client *azcosmos.Client) error {
	t.Helper()
	ctx := bounded(t)
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "first"}, nil); err != nil {
		return err
	}
	database, err := client.NewDatabase("first")
	check(t, err)
	properties := azcosmos.ContainerProperties{
		ID:                     "c",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pk"}},
	}
	if _, err := database.CreateContainer(ctx, properties, nil); err != nil {
		return err
	}
	container, err := database.NewContainer("c")
	check(t, err)
	create(t, container, "x", "p", 1)
	_, err = container.ReadItem(ctx, keyOf("p"), "x", nil)
	return err
}

func withoutRetries(transport policy.Transporter) *azcosmos.ClientOptions {
	return &azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{
		Retry:     policy.RetryOptions{MaxRetries: -1},
		Transport: transport,
	}}
}

func trusting(configuration *tls.Config) *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: configuration}}
}

func wantWords(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Fatalf("wanted %q, got %v", words, err)
	}
}

func TestHTTP(t *testing.T) {
	check(t, work(t, startServer(t).client(nil)))
}

func TestAConnectionString(t *testing.T) {
	s := startServer(t)
	client, err := azcosmos.NewClientFromConnectionString("AccountEndpoint="+s.endpoint+";AccountKey="+key+";", nil)
	check(t, err)
	check(t, work(t, client))
}

func TestTLSWithTrust(t *testing.T) {
	s := startDurableServer(t, "--tls", "auto")
	certificate, err := os.ReadFile(filepath.Join(s.dataDir, "tls-cert.pem"))
	check(t, err)
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(certificate)
	check(t, work(t, s.client(withoutRetries(trusting(&tls.Config{RootCAs: trusted})))))
}

func TestTLSUnchecked(t *testing.T) {
	s := startServer(t, "--tls", "auto")
	check(t, work(t, s.client(withoutRetries(trusting(&tls.Config{InsecureSkipVerify: true})))))
}

func TestTLSWithoutTrust(t *testing.T) {
	s := startServer(t, "--tls", "auto")
	wantWords(t, work(t, s.client(withoutRetries(nil))), "certificate signed by unknown authority")
}

func TestHTTPSToAServerWithoutTLS(t *testing.T) {
	s := startServer(t)
	s.endpoint = strings.Replace(s.endpoint, "http:", "https:", 1)
	wantWords(t, work(t, s.client(withoutRetries(nil))), "server gave HTTP response to HTTPS client")
}

func TestAWrongKey(t *testing.T) {
	s := startServer(t)
	wrong := base64.StdEncoding.EncodeToString([]byte("not the key of this server, but of another"))
	credential, err := azcosmos.NewKeyCredential(wrong)
	check(t, err)
	client, err := azcosmos.NewClientWithKey(s.endpoint, credential, withoutRetries(nil))
	check(t, err)
	err = work(t, client)
	wantStatus(t, err, http.StatusUnauthorized)
	wantWords(t, err, "key")
	_, err = azcosmos.NewKeyCredential("this is not base64!")
	wantWords(t, err, "base64")
}

func TestAPortWhereNobodyListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	address := listener.Addr().String()
	check(t, listener.Close())
	credential, err := azcosmos.NewKeyCredential(key)
	check(t, err)
	client, err := azcosmos.NewClientWithKey("http://"+address+"/", credential, withoutRetries(nil))
	check(t, err)
	wantWords(t, work(t, client), "connection refused")
}
