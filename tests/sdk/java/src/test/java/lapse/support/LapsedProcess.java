package lapse.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One running lapsed. The program is that of the environment variable LAPSED; without it, the one of build/release.
 * It is ended by its own process, and at the latest when this virtual machine ends.
 */
public final class LapsedProcess implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("^\\S+ \\w+ ready .*?endpoint=(\\S+) .*");
  private static final int START_SECONDS_MAX = 20;
  private static final int END_SECONDS_MAX = 10;

  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private final CompletableFuture<String> endpoint = new CompletableFuture<>();
  private final Thread killAtTheEnd;

  private LapsedProcess(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program().toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    // The server takes these variables for options.
    builder.environment().keySet().removeIf(name -> name.startsWith("LAPSE_"));
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    process = builder.start();
    killAtTheEnd = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killAtTheEnd);
    Thread reader = new Thread(this::readLines, "lapsed-stderr");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a server, and waits until it says that it is ready. */
  public static LapsedProcess start(List<String> arguments) throws Exception {
    LapsedProcess started = new LapsedProcess(arguments);
    try {
      started.endpoint.get(START_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException failure) {
      started.kill();
      throw new IOException("the server did not start: " + started.saidLast(), failure);
    }
    return started;
  }

  public static Path program() {
    String named = System.getenv("LAPSED");
    if (named != null && !named.isEmpty()) return Path.of(named).toAbsolutePath();
    return repository().resolve("build/release/lapsed");
  }

  /** The checkout that these tests are in. */
  public static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("CMakePresets.json"))) folder = folder.getParent();
    return folder;
  }

  public String endpoint() {
    return endpoint.join();
  }

  /** As kill -9 does. */
  public void kill() throws Exception {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Asks the server to end, and waits for it. */
  @Override
  public void close() throws Exception {
    process.destroy();
    awaitEnd();
  }

  private void awaitEnd() throws Exception {
    if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("the server did not end: " + saidLast());
    }
    Runtime.getRuntime().removeShutdownHook(killAtTheEnd);
  }

  private void readLines() {
    try (BufferedReader reader = process.errorReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (lines) {
          lines.add(line);
        }
        Matcher ready = READY.matcher(line);
        if (ready.matches()) endpoint.complete(ready.group(1));
      }
    } catch (IOException ignored) {
      // The pipe closes when the process is killed.
    }
    endpoint.completeExceptionally(new IOException("the server ended before it was ready"));
  }

  private String saidLast() {
    synchronized (lines) {
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    }
  }
}
