package lapse.support;

import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import java.time.Duration;

/** Change feed processors for tests. */
public final class Processors {
  private Processors() {}

  /** The SDK's own intervals are many seconds long; with these a test has not long to wait. */
  public static ChangeFeedProcessorOptions quickOptions() {
    return new ChangeFeedProcessorOptions()
        .setFeedPollDelay(Duration.ofMillis(50))
        .setLeaseAcquireInterval(Duration.ofMillis(200))
        .setLeaseRenewInterval(Duration.ofMillis(500))
        .setLeaseExpirationInterval(Duration.ofSeconds(5));
  }
}
