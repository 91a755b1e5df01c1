package lapse.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs commands as a user does: in a folder of their own, each in a process of its own. */
public final class JavaProgram {
  private static final int SECONDS_MAX = 300;

  /** How a program ended, and all that it printed. */
  public record Outcome(int code, String output) {}

  private JavaProgram() {}

  /** The class path of these tests: it has the SDK. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** `java FILE` with the SDK on the class path. */
  public static Outcome runJava(Path folder, String file, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", classPath(), file));
    return run(folder, command);
  }

  public static Outcome run(Path folder, List<String> command) throws Exception {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("did not end: " + command);
    }
    return new Outcome(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
  }
}
