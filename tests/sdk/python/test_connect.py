"""How a client connects, and what its user sees when it cannot."""

import base64
import os
import socket
import ssl
import subprocess
import sys

import pytest
from azure.core.credentials import AccessToken
from azure.core.exceptions import AzureError, ServiceRequestError
from azure.cosmos import CosmosClient, PartitionKey
from azure.cosmos.exceptions import CosmosHttpResponseError

from lapse_server import KEY, Server


def work(client):
    """The way of a first program: one write, one read."""
    container = client.create_database_if_not_exists("first").create_container_if_not_exists("c", PartitionKey("/pk"))
    container.upsert_item({"id": "x", "pk": "p"})
    assert container.read_item("x", "p")["id"] == "x"


def test_http(server):
    with CosmosClient(server.endpoint, KEY) as client:
        work(client)


def test_a_connection_string(server):
    with CosmosClient.from_connection_string(f"AccountEndpoint={server.endpoint};AccountKey={KEY};") as client:
        work(client)


def test_without_endpoint_discovery(server):
    with CosmosClient(server.endpoint, KEY, enable_endpoint_discovery=False) as client:
        work(client)


def test_by_the_name_localhost(server):
    with CosmosClient(f"http://localhost:{server.port}", KEY) as client:
        work(client)


def test_tls_on_loopback():
    """The SDK does not check the certificates of localhost and 127.0.0.1."""
    with Server("--tls", "auto") as server:
        assert server.endpoint.startswith("https:")
        with CosmosClient(server.endpoint, KEY) as client:
            work(client)


@pytest.fixture
def checked_server():
    """One whose name the SDK does not know for a loopback name: it checks the certificate."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("this machine has no IPv6 on loopback")
    with Server("--tls", "auto", "--host", "::1", in_memory=False) as server:
        yield server


PROGRAM = """
import sys
from azure.cosmos import CosmosClient
print([database["id"] for database in CosmosClient(sys.argv[1], sys.argv[2]).list_databases()])
"""


def run_program(server, **environment):
    command = [sys.executable, "-c", PROGRAM, server.endpoint, KEY]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=200)


def test_tls_without_trust_and_with_it(checked_server):
    refused = run_program(checked_server, REQUESTS_CA_BUNDLE="")
    assert refused.returncode != 0
    assert "certificate verify failed: self-signed certificate" in refused.stderr
    trusted = run_program(checked_server, REQUESTS_CA_BUNDLE=f"{checked_server.data_directory}/tls-cert.pem")
    assert (trusted.returncode, trusted.stdout) == (0, "[]\n"), trusted.stderr
    with CosmosClient(checked_server.endpoint, KEY, connection_verify=False) as client:
        work(client)


def test_a_certificate_for_a_name_of_the_users():
    """What --host-name says is what clients call the server, so its own certificate is good for it."""
    with Server("--tls", "auto", "--host-name", "lapse.example,my_service", in_memory=False) as server:
        trusting = ssl.create_default_context(cafile=f"{server.data_directory}/tls-cert.pem")

        def handshake(name):
            with socket.create_connection(("127.0.0.1", server.port), 20) as plain:
                with trusting.wrap_socket(plain, server_hostname=name):
                    return name

        for name in ("localhost", "lapse.example", "my_service"):
            assert handshake(name) == name
        with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
            handshake("another.example")


def test_a_wrong_key(server):
    wrong = base64.b64encode(b"not the key of this server, but of another").decode()
    with pytest.raises(CosmosHttpResponseError) as refused:
        CosmosClient(server.endpoint, wrong)
    assert refused.value.status_code == 401
    assert "key" in refused.value.message


def test_what_is_no_key(server):
    with pytest.raises(Exception) as refused:
        CosmosClient(server.endpoint, "this is not base64!")
    assert "base64" in str(refused.value).lower() or "padding" in str(refused.value).lower()


def test_a_port_where_nobody_listens():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(AzureError) as refused:
            CosmosClient(f"http://127.0.0.1:{port}/", KEY, retry_total=1, retry_backoff_max=0.1, retry_connect=1)
    assert "Connection refused" in str(refused.value)


def test_https_to_a_server_without_tls(server):
    with pytest.raises(ServiceRequestError) as refused:
        CosmosClient(f"https://127.0.0.1:{server.port}/", KEY, retry_total=1, retry_backoff_max=0.1, retry_connect=1)
    assert "SSL" in str(refused.value)


def test_a_database_that_is_not_there_is_named(client):
    container = client.get_database_client("nowhere").get_container_client("c")
    with pytest.raises(CosmosHttpResponseError) as refused:
        container.read_item("x", "p")
    assert refused.value.status_code == 404


def test_entra_tokens_are_refused_with_what_to_use():
    class Credential:
        def get_token(self, *_, **__):
            return AccessToken("a.b.c", 2**40)

    # The SDK sends such tokens over TLS alone.
    with Server("--tls", "auto") as server:
        with pytest.raises(CosmosHttpResponseError) as refused:
            CosmosClient(server.endpoint, Credential())
    assert refused.value.status_code == 401
    assert "use an account key" in refused.value.message.lower()
