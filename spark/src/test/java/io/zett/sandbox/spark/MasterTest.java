package io.zett.sandbox.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.zett.sandbox.SandboxUnavailableException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MasterTest {

  private static Master of(String url) {
    return Master.of(url, _ -> Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local",
        "local[*]",
        "local[4]",
        "local[*, 3]",
        "spark://127.0.0.1:7077",
        "spark://[::1]:7077,127.0.0.1:7078"
      })
  void whatSparkTakesHereIsTaken(String url) {
    assertThat(of(url).isHere()).isTrue();
  }

  /** A job with the network on, or another user, reaches the driver's port. */
  @Test
  void whoReachesADriverHereMustKnowASecret() {
    SparkConf settings = SparkRun.settings(of("local[2]"));
    assertThat(settings.get("spark.authenticate")).isEqualTo("true");
    assertThat(settings.get("spark.authenticate.secret"))
        .hasSize(64)
        .isNotEqualTo(SparkRun.settings(of("local[2]")).get("spark.authenticate.secret"));
    assertThat(SparkRun.settings(of("spark://127.0.0.1:7077")).contains("spark.authenticate"))
        .isFalse(); // The cluster's own setting.
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "local[]",
        "local[0]",
        "local[two]",
        "lokal",
        "spark://",
        "spark://host",
        "spark://host:port",
        "spark://host:99999",
        "spark://host:7077,",
        "yarn",
        "k8s://https://host"
      })
  void anythingElseIsToldWithAMend(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(url))
        .withMessageContaining("--master: \"" + url + "\"")
        .withMessageContaining("local[*]");
  }

  @Test
  void executorsOfThisMachineNeedAnInstallation(@TempDir Path home) throws Exception {
    String url = "local-cluster[2,1,1024]";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Master.of(url, _ -> Optional.of(home.toString())))
        .withMessageContaining(url)
        .withMessageContaining("SPARK_HOME");
    Files.createDirectory(home.resolve("jars"));
    assertThat(Master.of(url, _ -> Optional.of(home.toString())).isHere()).isTrue();
  }

  @Test
  void aMasterThatDoesNotAnswerIsToldAtOnce() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
      of("spark://127.0.0.1:" + port).reach();
    }
    String url = "spark://127.0.0.1:" + port;
    assertThatExceptionOfType(SandboxUnavailableException.class)
        .isThrownBy(() -> of(url).reach())
        .withMessageContaining("--master")
        .withMessageContaining(url)
        .withMessageContaining("start-master");
    of("local[2]").reach();
  }
}
