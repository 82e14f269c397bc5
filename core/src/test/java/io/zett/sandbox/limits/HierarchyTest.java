package io.zett.sandbox.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.UnixPath;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where control groups are mounted, and where this process is, in texts of real machines. */
class HierarchyTest {

  @Test
  void aHybridMachineHasATreeForEachControllerAndOneWithoutAny() {
    List<Hierarchy> found =
        Hierarchy.parse(
            """
            31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
            32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
            35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
            40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd
            41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
            """,
            """
            9:name=systemd:/
            4:memory:/process_api/9d7b3ef3c13ce096
            1:cpu:/
            0::/
            """);
    assertThat(found)
        .extracting(Hierarchy::own)
        .containsExactly(
            path("/sys/fs/cgroup/cpu"),
            path("/sys/fs/cgroup/memory/process_api/9d7b3ef3c13ce096"),
            path("/sys/fs/cgroup/systemd"),
            path("/sys/fs/cgroup/unified"));
    assertThat(found).extracting(Hierarchy::unified).containsExactly(false, false, false, true);
    assertThat(found.get(1).controllers()).contains("memory");
  }

  @Test
  void controllersThatShareATreeAreAllFound() {
    // Debian 10 and CentOS 7: the mount is called by both, the membership in the other order.
    List<Hierarchy> found =
        Hierarchy.parse(
            "30 25 0:26 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid,nodev,noexec,relatime shared:10"
                + " - cgroup cgroup rw,cpu,cpuacct\n",
            "4:cpuacct,cpu:/user.slice\n");
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().own()).isEqualTo(path("/sys/fs/cgroup/cpu,cpuacct/user.slice"));
    assertThat(found.getFirst().controllers()).containsAll(Set.of("cpu", "cpuacct"));
  }

  @Test
  void aSystemdMachineHasOneTree() {
    List<Hierarchy> found =
        Hierarchy.parse(
            "34 24 0:29 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2"
                + " cgroup2 rw,nsdelegate,memory_recursiveprot\n",
            "0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-r7.scope\n");
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().unified()).isTrue();
    assertThat(found.getFirst().own())
        .isEqualTo(
            path(
                "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/run-r7.scope"));
  }

  @Test
  void aContainerWithANamespaceIsAtTheTopOfWhatItSees() {
    List<Hierarchy> found =
        Hierarchy.parse(
            "1202 1198 0:27 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw\n",
            "0::/\n");
    assertThat(found.getFirst().own()).isEqualTo(path("/sys/fs/cgroup"));
  }

  @Test
  void aContainerWithoutANamespaceIsAtTheTopOfItsMount() {
    // Docker with version 1: the mount's root is the container's group.
    String group = "/docker/0a1b2c";
    List<Hierarchy> found =
        Hierarchy.parse(
            "700 690 0:30 " + group + " /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
            "9:memory:" + group + "\n");
    assertThat(found.getFirst().own()).isEqualTo(path("/sys/fs/cgroup/memory"));
    List<Hierarchy> below =
        Hierarchy.parse(
            "700 690 0:30 " + group + " /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
            "9:memory:" + group + "/inner\n");
    assertThat(below.getFirst().own()).isEqualTo(path("/sys/fs/cgroup/memory/inner"));
  }

  @Test
  void aGroupOutsideOfWhatIsMountedIsNotGuessed() {
    List<Hierarchy> found =
        Hierarchy.parse(
            "700 690 0:30 /a /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
            "9:memory:/../elsewhere\n");
    assertThat(found.getFirst().own()).isEqualTo(path("/sys/fs/cgroup/memory"));
  }

  @Test
  void mountPointsWithBlanksAreRead() {
    List<Hierarchy> found =
        Hierarchy.parse("34 24 0:29 / /my\\040groups rw - cgroup2 none rw\n", "0::/x\n");
    assertThat(found.getFirst().own()).isEqualTo(path("/my groups/x"));
  }

  @Test
  void whatIsNoControlGroupIsPassedOver() {
    assertThat(Hierarchy.parse("", "")).isEmpty();
    assertThat(Hierarchy.parse("nonsense\n1 2 - \n", "nonsense")).isEmpty();
    assertThat(Hierarchy.parse("23 1 8:1 / / rw - ext4 /dev/sda1 rw\n", "0::/\n")).isEmpty();
  }

  private static UnixPath path(String text) {
    return UnixPath.ofText(text);
  }
}
