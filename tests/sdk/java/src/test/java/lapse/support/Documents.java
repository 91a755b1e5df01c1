package lapse.support;

import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.FeedResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.function.Executable;

/** Small help with items and with answers. */
public final class Documents {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Documents() {}

  /** An item from JSON that has single quotes for double ones, so that it reads well within a Java string. */
  public static ObjectNode item(String json, Object... values) {
    return (ObjectNode) json(json, values);
  }

  public static JsonNode json(String json, Object... values) {
    try {
      return MAPPER.readTree(String.format(json, values).replace('\'', '"'));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The item without the properties that the server adds. */
  public static ObjectNode plain(JsonNode item) {
    ObjectNode copy = item.deepCopy();
    copy.remove(List.of("_rid", "_self", "_etag", "_ts", "_attachments", "_lsn"));
    return copy;
  }

  public static List<String> ids(Iterable<? extends JsonNode> items) {
    return StreamSupport.stream(items.spliterator(), false)
        .map(item -> item.get("id").asText())
        .collect(Collectors.toList());
  }

  /** As JSON. Numbers of different Java types are equal in it. */
  public static List<String> texts(Iterable<? extends JsonNode> values) {
    return StreamSupport.stream(values.spliterator(), false).map(JsonNode::toString).collect(Collectors.toList());
  }

  public static <T> List<T> all(Iterable<FeedResponse<T>> pages) {
    return StreamSupport.stream(pages.spliterator(), false)
        .flatMap(page -> page.getResults().stream())
        .collect(Collectors.toList());
  }

  /** The error with which the call must fail. */
  public static CosmosException failure(int status, Executable call) {
    CosmosException failure = Assertions.assertThrows(CosmosException.class, call);
    Assertions.assertEquals(status, failure.getStatusCode(), failure.getShortMessage());
    return failure;
  }
}
