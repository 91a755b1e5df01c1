package lapse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lapse.support.JavaProgram;
import lapse.support.LapsedProcess;
import lapse.support.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

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
  void theFixtureForJunitRunsOneTestWithTheProjectOfThePage(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("pom.xml"), block("xml", "<project"));
    Path tests = Files.createDirectories(folder.resolve("src/test/java"));
    Files.writeString(tests.resolve("SessionsTest.java"), block("java", "class SessionsTest"));
    JavaProgram.Outcome outcome = JavaProgram.run(folder, List.of("mvn", "-B", "-Dstyle.color=never", "test"));
    assertEquals(0, outcome.code(), outcome.output());
    assertTrue(outcome.output().contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0"), outcome.output());
    assertFalse(outcome.output().contains("Exception"), outcome.output());
  }
}
