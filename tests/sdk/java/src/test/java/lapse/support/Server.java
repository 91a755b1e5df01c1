package lapse.support;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.ThroughputProperties;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The server of a test class, with the test clock: started before its tests and removed after them.
 *
 * <pre>{@code @RegisterExtension static final Server server = new Server();}</pre>
 */
public final class Server implements BeforeAllCallback, AfterAllCallback {
  public static final String KEY =
      "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";
  private static final String DATABASE = "db";
  // Above 10,000 RU/s there is a physical partition for each 6,000 begun.
  private static final int RU_OF_THREE_PARTITIONS = 18_000;

  static {
    System.setProperty("COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED", "true");
  }

  private final List<String> options;
  private final Deque<AutoCloseable> clients = new ArrayDeque<>();
  private boolean onDisk = false;
  private Path directory;
  private LapsedProcess process;
  private CosmosClient client;
  private CosmosAsyncClient asyncClient;
  private int containers = 0;

  public Server(String... options) {
    this.options = List.of(options);
  }

  /** With a data directory, so that what was written outlives the process. */
  public Server onDisk() {
    onDisk = true;
    return this;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    if (onDisk) directory = Files.createTempDirectory("lapse-java-");
    start(0);
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    try {
      while (!clients.isEmpty()) clients.pop().close();
      if (process != null) process.kill();
    } finally {
      if (directory != null) removeDirectory();
    }
  }

  /** As kill -9 does; then a start over the same data, on the same port. */
  public void killAndStartAgain() throws Exception {
    int port = port();
    process.kill();
    start(port);
  }

  public void kill() throws Exception {
    process.kill();
  }

  public void startAgain(int port) throws Exception {
    start(port);
  }

  private void start(int port) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("--test-clock", "--port", String.valueOf(port)));
    arguments.addAll(onDisk ? List.of("--data-dir", directory.toString()) : List.of("--in-memory"));
    arguments.addAll(options);
    process = LapsedProcess.start(arguments);
  }

  public String endpoint() {
    return process.endpoint();
  }

  public int port() {
    return URI.create(endpoint()).getPort();
  }

  public TestClock clock() {
    return new TestClock(endpoint());
  }

  /** What every client of these tests begins with. */
  public CosmosClientBuilder builder() {
    return new CosmosClientBuilder().endpoint(endpoint()).key(KEY).gatewayMode();
  }

  /** The client that the tests of a class share. */
  public CosmosClient client() {
    if (client == null) client = closing(builder().contentResponseOnWriteEnabled(true).buildClient());
    return client;
  }

  public CosmosAsyncClient asyncClient() {
    if (asyncClient == null) asyncClient = closing(builder().contentResponseOnWriteEnabled(true).buildAsyncClient());
    return asyncClient;
  }

  /** Closes the client after the tests. */
  public <C extends AutoCloseable> C closing(C opened) {
    clients.push(opened);
    return opened;
  }

  public CosmosDatabase database() {
    client().createDatabaseIfNotExists(DATABASE);
    return client().getDatabase(DATABASE);
  }

  /** A new container of one physical partition. */
  public CosmosContainer newContainer(CosmosContainerProperties definition) {
    database().createContainer(definition);
    return database().getContainer(definition.getId());
  }

  public CosmosContainer newContainer(String keyPath) {
    return newContainer(new CosmosContainerProperties(newId(), keyPath));
  }

  /** A new container of three physical partitions. */
  public CosmosContainer newWideContainer(CosmosContainerProperties definition) {
    database().createContainer(definition, ThroughputProperties.createManualThroughput(RU_OF_THREE_PARTITIONS));
    return database().getContainer(definition.getId());
  }

  public CosmosContainer newWideContainer(String keyPath) {
    return newWideContainer(new CosmosContainerProperties(newId(), keyPath));
  }

  /** A name that no container has yet. */
  public String newId() {
    return "c" + ++containers;
  }

  private void removeDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }
}
