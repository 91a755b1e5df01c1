package lapse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.GatewayConnectionConfig;
import com.azure.cosmos.Http2ConnectionConfig;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import lapse.support.Documents;
import lapse.support.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** How a client connects, and what its user is told when it cannot. */
class ConnectTest {
  @RegisterExtension static final Server plain = new Server();
  @RegisterExtension static final Server secure = new Server("--tls", "auto");
  private static final String ANOTHER_KEY = "YW5vdGhlciBrZXkgdGhhbiB0aGF0IG9mIHRoZSBzZXJ2ZXI=";

  /** A property of the virtual machine, for as long as this is open. */
  private static final class Property implements AutoCloseable {
    private final String name;
    private final String before;

    Property(String name, String value) {
      this.name = name;
      before = System.getProperty(name);
      System.setProperty(name, value);
    }

    @Override
    public void close() {
      if (before == null) {
        System.clearProperty(name);
      } else {
        System.setProperty(name, before);
      }
    }
  }

  private static void assertWorks(CosmosClientBuilder builder) {
    try (CosmosClient client = builder.buildClient()) {
      client.createDatabaseIfNotExists("works");
      assertEquals("works", client.getDatabase("works").read().getProperties().getId());
      client.getDatabase("works").createContainerIfNotExists("c", "/pk");
      client.getDatabase("works").getContainer("c").upsertItem(Documents.item("{'id': '1', 'pk': 'a'}"));
    }
  }

  /** Everything that the user sees of the failure: its messages down to the first cause. */
  private static String told(CosmosClientBuilder builder) {
    Throwable failure =
        assertThrows(
            Throwable.class,
            () -> {
              try (CosmosClient client = builder.buildClient()) {
                client.createDatabaseIfNotExists("refused");
                client.getDatabase("refused").createContainerIfNotExists("c", "/pk");
                client.getDatabase("refused").getContainer("c").upsertItem(Documents.item("{'id': '1', 'pk': 'a'}"));
              }
            });
    StringBuilder messages = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      messages.append(cause).append('\n');
    }
    return messages.toString();
  }

  private static void assertTold(String part, CosmosClientBuilder builder) {
    String told = told(builder);
    assertTrue(told.contains(part), told);
  }

  @Test
  void httpWorksUnderEveryNameOfLoopback() {
    assertWorks(plain.builder());
    assertWorks(plain.builder().endpoint("http://localhost:" + plain.port() + "/"));
  }

  @Test
  void tlsWorksWhenTheCertificateIsNotChecked() {
    try (Property unchecked = new Property("COSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED", "true")) {
      assertWorks(secure.builder());
      assertWorks(secure.builder().endpoint("https://localhost:" + secure.port() + "/"));
    }
  }

  @Test
  void tlsWorksWithATrustStore(@TempDir Path folder) throws Exception {
    Path store = folder.resolve("lapse.p12");
    // TLS and plain HTTP share the port, so the certificate can be fetched before it is trusted.
    URI certificate = URI.create("http://127.0.0.1:" + secure.port() + "/_explorer/emulator.pem");
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream pem = certificate.toURL().openStream();
        OutputStream out = Files.newOutputStream(store)) {
      trusted.setCertificateEntry("lapse", CertificateFactory.getInstance("X.509").generateCertificate(pem));
      trusted.store(out, "changeit".toCharArray());
    }
    try (Property path = new Property("javax.net.ssl.trustStore", store.toString());
        Property password = new Property("javax.net.ssl.trustStorePassword", "changeit")) {
      assertWorks(secure.builder());
      assertWorks(secure.builder().endpoint("https://localhost:" + secure.port() + "/"));
    }
  }

  @Test
  void settingsForAccountsOfSeveralRegionsDoNoHarm() {
    // The SDK makes names of hosts out of regions, and refuses to make one of an address.
    String byName = "http://localhost:" + plain.port() + "/";
    assertWorks(plain.builder().endpoint(byName).preferredRegions(List.of("West US 2", "North Europe")));
    assertWorks(plain.builder().endpointDiscoveryEnabled(false));
    assertWorks(plain.builder().multipleWriteRegionsEnabled(true).readRequestsFallbackEnabled(true));
  }

  @Test
  void aClientThatMaySpeakHttp2IsAnsweredInHttp1() {
    GatewayConnectionConfig config =
        new GatewayConnectionConfig().setHttp2ConnectionConfig(new Http2ConnectionConfig().setEnabled(true));
    try (Property unchecked = new Property("COSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED", "true")) {
      assertWorks(secure.builder().gatewayMode(config));
    }
  }

  @Test
  void clientsMayShareTheirConnections() {
    assertWorks(plain.builder().connectionSharingAcrossClientsEnabled(true));
    assertWorks(plain.builder().connectionSharingAcrossClientsEnabled(true));
  }

  @Test
  void tlsWithoutTrustSaysThatTheCertificateIsNotTrusted() {
    String told = told(secure.builder());
    assertTrue(told.contains("General OpenSslEngine problem"), told);
    assertTrue(told.contains("unable to find valid certification path to requested target"), told);
  }

  @Test
  void aWrongKeyIsToldToBeWrong() {
    assertTold("The wrong key is being used", plain.builder().key(ANOTHER_KEY));
  }

  @Test
  void aWrongPortIsToldWithItsAddress() throws Exception {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0)) {
      nobody = socket.getLocalPort();
    }
    String address = "127.0.0.1:" + nobody;
    assertTold("Connection refused: /" + address, plain.builder().endpoint("http://" + address + "/"));
  }

  @Test
  void tlsToAServerWithoutItIsTold() {
    assertTold("not an SSL/TLS record", plain.builder().endpoint("https://127.0.0.1:" + plain.port() + "/"));
  }

  @Test
  void directModeIsToldToChooseGatewayMode() {
    assertTold("gatewayMode()", plain.builder().directMode());
  }
}
