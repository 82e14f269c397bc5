package io.zett.sandbox.policyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.zett.sandbox.PolicyOptions;
import io.zett.sandbox.SandboxPolicy;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicySchemaTest {
  /**
   * {@code mvn -pl core,policyfile test -Dtest=PolicySchemaTest
   * -Dsurefire.failIfNoSpecifiedTests=false -Dzett.test.jvm=-Dzett.docs.write=true} makes it anew.
   */
  private static final boolean WRITE = Boolean.getBoolean("zett.docs.write");

  private static final Path MODULE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();

  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(SchemaText.text());

  @Test
  void theCommittedSchemaIsThatOfTheTable() throws IOException {
    for (String file :
        new String[] {
          "src/main/resources/io/zett/sandbox/policyfile/policy.schema.json",
          "../docs/policy.schema.json"
        }) {
      Path path = MODULE.resolve(file);
      if (WRITE) {
        Files.writeString(path, SchemaText.text());
      }
      assertThat(path).content().isEqualTo(SchemaText.text());
    }
    assertThat(PolicyFile.schema()).isEqualTo(SchemaText.text());
  }

  @Test
  void everyOptionOfTheBuilderHasAKey() {
    Set<String> options =
        Arrays.stream(PolicyOptions.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
            .filter(method -> method.getReturnType() == PolicyOptions.class)
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(options.remove("noTimeout")).isTrue(); // It is `timeout: none`.
    assertThat(Key.spellings()).containsExactlyInAnyOrderElementsOf(options);
  }

  @ParameterizedTest
  @EnumSource(Key.class)
  void theRangeOfANumberIsTheBuilders(Key key) {
    long least;
    long most;
    switch (key.kind()) {
      case Kind.Size size -> {
        least = size.least();
        most = 1L << 60;
      }
      case Kind.Count count -> {
        least = count.least();
        most = count.most();
      }
      default -> {
        return; // It is no such number.
      }
    }
    for (long fitting : new long[] {least, most}) {
      String text = key.spelling() + ": " + fitting;
      assertThat(policy(text)).isNotNull();
      assertThat(isValid(text)).isTrue();
    }
    for (long beyond : new long[] {least - 1, most + 1}) {
      String text = key.spelling() + ": " + beyond;
      assertThatThrownBy(() -> policy(text)).hasMessageStartingWith("policy:1:");
      assertThat(isValid(text)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "memory: 512MB",
        "memory: 1.5 GiB",
        "memory: .5g",
        "memory: 536870912",
        "cpus: 1.5",
        "cpus: 2",
        "timeout: none",
        "timeout: 2.5",
        "network: true",
        "network: none",
        "network: unrestricted",
        "requireIsolation: true",
        "writable: [build, ~/x]",
        "writable: []",
        "env: {A: b, PORT: 8080, DEBUG: true}",
        "env: {}",
        "home: private",
        "backend: bubblewrap",
        "memoryStrategy: rlimit",
        "{\"memory\": \"1G\", \"warm\": 2, \"denyRead\": [\".env\"]}"
      })
  void whatThisReadsTheSchemaAllows(String text) {
    assertThat(policy(text)).isNotNull();
    assertThat(isValid(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "- memory",
        "memry: 1G",
        "workspace: .",
        "memory: big",
        "memory: 1.5",
        "memory: [1G]",
        "memory: true",
        "memory: ~",
        "cpus: many",
        "cpus: 0",
        "cpuSeconds: 1.5",
        "processes: \"9\"",
        "timeout: 0",
        "timeout: never",
        "timeout: \"30\"",
        "network: yes",
        "network: some",
        "requireIsolation: on",
        "requireIsolation: 1",
        "writable: build",
        "writable: [null]",
        "writable: [1]",
        "writable: [\"\"]",
        "writable: [[a]]",
        "env: [A]",
        "env: {A: }",
        "env: {A: [b]}",
        "env: {A=B: c}",
        "home: attic",
        "backend: docker"
      })
  void whatThisRefusesTheSchemaRefuses(String text) {
    assertThatThrownBy(() -> policy(text)).isInstanceOf(PolicyFileException.class);
    assertThat(isValid(text)).isFalse();
  }

  private static SandboxPolicy policy(String text) {
    return PolicyFile.parse(text, Path.of("/srv/project"));
  }

  private static boolean isValid(String text) {
    return SCHEMA.validate(text, InputFormat.YAML).isEmpty();
  }
}
