package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.List;

/** Devices and terminals. */
final class DeviceAttacks {

  private DeviceAttacks() {}

  private static Attack device(String name, String attempt) {
    return Attack.of(Kind.DEVICES, Claim.DEVICES, name, attempt);
  }

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    for (String name :
        List.of(
            "mem",
            "port",
            "kmsg",
            "fuse",
            "kvm",
            "net/tun",
            "vhost-vsock",
            "vhost-net",
            "vsock",
            "loop-control",
            "mapper/control",
            "userfaultfd",
            "rtc0",
            "nvram",
            "hwrng",
            "uinput",
            "dri/card0",
            "snd/timer",
            "console",
            "tty0",
            "tty1")) {
      all.add(device("cannot open /dev/" + name, "$P open-read /dev/" + name));
    }
    all.add(
        device(
            "cannot open a disk",
            "tail -n +3 /proc/partitions | while read a b c d; do $P open-read /dev/$d && exit 9;"
                + " done; test $? = 9"));
    all.add(
        device("cannot make a node of memory", "$P device m$ID c 1 1 || $P device $H/m$ID c 1 1"));
    all.add(device("cannot make a node of /dev/null", "$P device n$ID c 1 3"));
    all.add(device("cannot make a node of a disk", "$P device b$ID b 8 0"));
    all.add(
        device("cannot make a file in /dev", ": > /dev/zett-attack-$ID").provenBy("test -w /dev"));
    all.add(
        device("cannot remove a device", "rm -f /dev/null && test ! -e /dev/null")
            .provenBy("test -w /dev"));
    all.add(device("cannot see a file of the host's /dev/shm", "cat $SHARED"));
    all.add(
        Attack.of(
                Kind.DEVICES,
                Claim.TERMINAL,
                "cannot open a terminal of its caller",
                ": > /dev/tty")
            .unproven("the suite has no terminal"));
    all.add(
        Attack.of(
                Kind.DEVICES,
                Claim.TERMINAL,
                "cannot open a terminal of anybody",
                "for t in /dev/pts/[0-9]*; do $P open-write $t && exit 0; done; exit 1")
            .unproven("nobody may be there"));
    return all;
  }
}
