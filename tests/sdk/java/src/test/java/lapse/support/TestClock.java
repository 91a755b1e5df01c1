package lapse.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The test clock of a server: its time stands still and jumps when a test says so. */
public final class TestClock {
  private final URI url;

  TestClock(String endpoint) {
    url = URI.create(endpoint).resolve("/_lapse/clock");
  }

  /** Returns the second at which it stands. */
  public long freeze() throws Exception {
    return change("{\"freeze\": true}");
  }

  public long advance(long seconds) throws Exception {
    return change("{\"advance\": " + seconds + "}");
  }

  private long change(String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new IOException(answer.body());
    JsonNode state = new ObjectMapper().readTree(answer.body());
    return state.get("now").asLong();
  }
}
