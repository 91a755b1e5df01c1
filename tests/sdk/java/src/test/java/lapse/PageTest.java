package lapse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLClassLoader;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import lapse.support.JavaProgram;
import lapse.support.LapsedProcess;
import lapse.support.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** What docs/sdks/java.md shows, as it stands there but for the address of the server. */
class PageTest {
  @RegisterExtension static final Server plain = new Server();
  @RegisterExtension static final Server secure = new Server("--tls", "auto");
  private static final String ENDPOINT_ON_THE_PAGE = "http://127.0.0.1:8081/";

  /** The one block of the page in this language that has this text in it. */
  private static String block(String language, String part) throws Exception {
    String page = Files.readString(LapsedProcess.repository().resolve("docs/sdks/java.md"));
    Matcher blocks = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$").matcher(page);
    List<String> found = new ArrayList<>();
    while (blocks.find()) {
      if (blocks.group(1).contains(part)) found.add(blocks.group(1));
    }
    assertEquals(1, found.size(), "blocks with " + part);
    return found.get(0);
  }

  private static void writeFirst(Path folder, String endpoint) throws Exception {
    String first = block("java", "public class First");
    assertTrue(first.contains(ENDPOINT_ON_THE_PAGE) && first.contains(Server.KEY));
    Files.writeString(folder.resolve("First.java"), first.replace(ENDPOINT_ON_THE_PAGE, endpoint));
  }

  private static void assertShown(JavaProgram.Outcome outcome) {
    assertEquals(0, outcome.code(), outcome.output());
    assertTrue(outcome.output().contains("{id=s1, ttl=60}"), outcome.output());
    assertTrue(outcome.output().contains("{id=s2, ttl=-1}"), outcome.output());
  }

  @Test
  void theFirstProgramRunsTwiceInARow(@TempDir Path folder) throws Exception {
    writeFirst(folder, plain.endpoint());
    assertShown(JavaProgram.runJava(folder, "First.java"));
    assertShown(JavaProgram.runJava(folder, "First.java"));
  }

  @Test
  void theFirstProgramRunsOverTlsWhenTheCertificateIsTrusted(@TempDir Path folder) throws Exception {
    writeFirst(folder, secure.endpoint());
    String commands =
        block("sh", "keytool")
            .replace("127.0.0.1:8081", "127.0.0.1:" + secure.port())
            .replace("lib/*", JavaProgram.classPath());
    assertShown(JavaProgram.run(folder, List.of("bash", "-e", "-c", commands)));
  }

  @Test
  void theFirstProgramWithoutItsPropertySpeaksTls(@TempDir Path folder) throws Exception {
    writeFirst(folder, plain.endpoint());
    Path program = folder.resolve("First.java");
    Files.writeString(program, Files.readString(program).replace("System.setProperty", "System.getProperty"));
    JavaProgram.Outcome outcome = JavaProgram.runJava(folder, "First.java");
    assertNotEquals(0, outcome.code());
    assertTrue(outcome.output().contains("not an SSL/TLS record"), outcome.output());
  }

  @Test
  void theFixtureForJunitWorks(@TempDir Path folder) throws Exception {
    Path source = folder.resolve("SessionsTest.java");
    Files.writeString(source, block("java", "class SessionsTest"));
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", JavaProgram.classPath(), "-d", folder.toString(), source.toString()));
    URL[] classes = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader())) {
      SummaryGeneratingListener listener = new SummaryGeneratingListener();
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(DiscoverySelectors.selectClass(loader.loadClass("SessionsTest")))
                  .build(),
              listener);
      assertEquals(List.of(), listener.getSummary().getFailures().stream().map(f -> f.getException()).toList());
      assertEquals(1, listener.getSummary().getTestsSucceededCount());
    }
  }
}
