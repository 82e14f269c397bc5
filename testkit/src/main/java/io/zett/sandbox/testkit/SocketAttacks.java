package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.List;

/** Reaching the host's servers. */
final class SocketAttacks {

  /** Sockets that are not where the host's table says, and what attacks call them. */
  private static final String[][] ELSEWHERE = {
    {"a socket that was moved", "stream:$H/far/away/stream"},
    {"a datagram socket that was moved", "dgram:$H/far/away/dgram"},
    {"a packet socket that was moved", "seq:$H/far/away/seq"},
    {"a socket in a directory that was renamed", "stream:$H/old/s.sock"},
    {"a socket that was bound by a relative path", "stream:$H/relative.sock"},
    {"a socket of another network namespace", "stream:$H/foreign.sock"}
  };

  private SocketAttacks() {}

  private static Attack unix(String name, String attempt) {
    return Attack.of(Kind.SOCKETS, Claim.SOCKETS, name, attempt);
  }

  private static Attack net(String name, String attempt) {
    return Attack.of(Kind.NETWORK, Claim.NETWORK, name, attempt);
  }

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    for (Setting setting : List.of(Setting.USUAL, Setting.NETWORK)) {
      String with = setting == Setting.NETWORK ? " with the network on" : "";
      for (String[] place : HostServices.PATHS) {
        all.add(
            unix(
                    "cannot connect to a socket in " + place[0] + with,
                    "$P connect stream:" + place[1])
                .in(setting));
      }
      all.add(
          unix("cannot send to a datagram socket" + with, "$P send-to dgram:$H/d.sock")
              .in(setting));
      all.add(
          unix("cannot connect to a packet socket" + with, "$P connect seq:$H/q.sock").in(setting));
      for (String[] place : ELSEWHERE) {
        all.add(unix("cannot connect to " + place[0] + with, "$P connect " + place[1]).in(setting));
      }
    }
    all.add(unix("cannot connect by a link", "ln -s $H/s.sock s$ID; $P connect stream:s$ID"));
    all.add(unix("cannot connect by ..", "$P connect stream:../H/s.sock"));
    all.add(unix("cannot connect by /proc", "$P connect stream:/proc/self/cwd/../H/s.sock"));
    all.add(unix("cannot connect by a descriptor", "$P connect-descriptor $H/s.sock"));
    all.add(
        unix(
            "cannot connect by a hard link",
            "$P hard-link $H/s.sock h$ID && $P connect stream:h$ID"));
    all.add(
        unix("cannot connect after moving it", "mv $H/s.sock m$ID && $P connect stream:m$ID")
            .provenBy("cp -l $H/s.sock m$ID && $P connect stream:m$ID"));
    all.add(unix("cannot connect to an abstract socket", "$P connect stream:$ABSTRACT"));
    all.add(unix("cannot send to an abstract socket", "$P send-to dgram:${ABSTRACT}d"));
    network(all);
    families(all);
    return all;
  }

  private static void network(List<Attack> all) {
    all.add(net("cannot connect to the host's loopback", "$P connect tcp:$PORT"));
    all.add(net("cannot connect to it by IPv6", "$P connect tcp6:$PORT6"));
    all.add(net("cannot reach it by UDP", "$P connect udp:$UDP"));
    all.add(
        net("cannot reach the cloud's metadata", "$P connect tcp:80 169.254.169.254")
            .unproven("depends on where the machine stands"));
    all.add(
        net(
            "cannot see an interface beside the loopback",
            "grep -v -e lo: -e '|' /proc/net/dev | grep -q :"));
    all.add(
        net("cannot see a route", "tail -n +2 /proc/net/route | grep -q .")
            .unproven("depends on where the machine stands"));
    all.add(net("cannot see the host's connections", "grep -qi \":$PORTHEX \" /proc/net/tcp"));
    all.add(net("cannot see the host's sockets", "grep -qF -e $ABSTRACT /proc/net/unix"));
    all.add(net("cannot add an address", "$P add-address"));
  }

  private static void families(List<Attack> all) {
    String[][] families = {
      {"vsock", "40 1 0"},
      {"vsock datagram", "40 2 0"},
      {"packet", "17 3 768"},
      {"alg", "38 5 0"},
      {"audit", "16 3 9"},
      {"netfilter", "16 3 12"},
      {"uevent", "16 3 15"},
      {"generic", "16 3 16"},
      {"socket diagnosis", "16 3 4"},
      {"transformation", "16 3 6"},
      {"connector", "16 3 11"},
      {"raw IPv4", "2 3 1"},
      {"raw IPv6", "10 3 58"},
      {"ping", "2 2 1"},
      {"Bluetooth", "31 3 1"},
      {"CAN", "29 3 1"},
      {"TIPC", "30 5 0"},
      {"RDS", "21 5 0"},
      {"XDP", "44 3 0"},
      {"key", "15 3 2"},
      {"MCTP", "45 2 0"},
      {"SMC", "43 1 0"},
      {"KCM", "41 5 0"},
      {"Phonet", "35 5 0"}
    };
    for (String[] family : families) {
      all.add(net("cannot open a " + family[0] + " socket", "$P family " + family[1]));
    }
    all.add(net("cannot open a TIPC pair", "$P pair 30 5"));
    all.add(
        net("cannot open a vsock socket with the network on", "$P family 40 1 0")
            .in(Setting.NETWORK));
    all.add(
        net("cannot open a packet socket with the network on", "$P family 17 3 768")
            .in(Setting.NETWORK));
    all.add(
        net("cannot open a raw socket with the network on", "$P family 2 3 1").in(Setting.NETWORK));
  }
}
