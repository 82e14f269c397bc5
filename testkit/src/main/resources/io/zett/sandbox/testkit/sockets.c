/* Sockets of every kind: the host's servers, and what reaches for them. A place is TYPE:WHERE with TYPE
   one of stream, dgram, seq (a path, or @NAME for an abstract one), tcp, tcp6, udp (a port). */
#include "probe.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <poll.h>

static int kind(const char *place) {
  switch (place[0]) {
  case 's':
    return place[1] == 'e' ? SOCK_SEQPACKET : SOCK_STREAM;
  case 'd':
  case 'u':
    return SOCK_DGRAM;
  default:
    return SOCK_STREAM;
  }
}

static socklen_t address(const char *place, const char *host, struct sockaddr_storage *at) {
  const char *where = strchr(place, ':') + 1;
  memset(at, 0, sizeof *at);
  if (strncmp(place, "tcp6", 4) == 0) {
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)at;
    in6->sin6_family = AF_INET6;
    in6->sin6_port = htons((uint16_t)atoi(where));
    inet_pton(AF_INET6, host != NULL ? host : "::1", &in6->sin6_addr);
    return sizeof *in6;
  }
  if (place[0] == 't' || place[0] == 'u') {
    struct sockaddr_in *in = (struct sockaddr_in *)at;
    in->sin_family = AF_INET;
    in->sin_port = htons((uint16_t)atoi(where));
    inet_pton(AF_INET, host != NULL ? host : "127.0.0.1", &in->sin_addr);
    return sizeof *in;
  }
  struct sockaddr_un *un = (struct sockaddr_un *)at;
  un->sun_family = AF_UNIX;
  memcpy(un->sun_path, where, strlen(where));
  if (where[0] == '@')
    un->sun_path[0] = 0;
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(where) + (where[0] != '@'));
}

/* What a server does between binding places: 1 when it was done, 0 when the word is a place, -1 when
   it cannot be done. "move FROM TO" and "enter DIRECTORY" are words of their own. */
static int between(char ***w) {
  if (strcmp(**w, "move") == 0) {
    *w += 2;
    return rename((*w)[-1], (*w)[0]) < 0 ? -1 : 1;
  }
  if (strcmp(**w, "enter") == 0) {
    *w += 1;
    return chdir(**w) < 0 ? -1 : 1;
  }
  if (strcmp(**w, "leave-network") == 0)
    return unshare(CLONE_NEWNET) < 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0 ? -1 : 1;
  return 0;
}

/* Binds all places, says so in one line (the ports of IP sockets), and answers until its input ends. */
static int serve(char **w) {
  struct pollfd polls[64] = {{0, POLLIN, 0}};
  nfds_t count = 1;
  for (; *w != NULL && count < 64; w++) {
    int done = between(&w);
    if (done < 0)
      break; /* What needs it is not there, and attacks on it are not proven. */
    if (done > 0)
      continue;
    struct sockaddr_storage at;
    socklen_t length = address(*w, NULL, &at);
    int fd = socket(at.ss_family, kind(*w), 0);
    if (bind(fd, (struct sockaddr *)&at, length) < 0 ||
        (kind(*w) != SOCK_DGRAM && listen(fd, 16) < 0)) {
      printf("- ");
      continue;
    }
    length = sizeof at;
    getsockname(fd, (struct sockaddr *)&at, &length);
    printf("%d ", at.ss_family == AF_UNIX ? 1 : ntohs(((struct sockaddr_in *)&at)->sin_port));
    polls[count++] = (struct pollfd){fd, POLLIN, 0};
  }
  printf("\n");
  fflush(stdout);
  for (;;) {
    char some[16];
    poll(polls, count, -1);
    if (polls[0].revents != 0 && read(0, some, sizeof some) <= 0)
      return 0;
    for (nfds_t i = 1; i < count; i++)
      if (polls[i].revents != 0) {
        struct sockaddr_storage from;
        socklen_t length = sizeof from;
        int peer = accept(polls[i].fd, NULL, NULL);
        if (peer >= 0) {
          (void)!write(peer, "here", 4);
          close(peer);
        } else if (recvfrom(polls[i].fd, some, sizeof some, MSG_DONTWAIT, (struct sockaddr *)&from,
                            &length) >= 0)
          sendto(polls[i].fd, "here", 4, MSG_DONTWAIT, (struct sockaddr *)&from, length);
      }
  }
}

/* connect PLACE [HOST]: whether somebody answers there. */
static int connect_to(char **w) {
  struct sockaddr_storage at;
  socklen_t length = address(w[0], w[1], &at);
  int fd = socket(at.ss_family, kind(w[0]), 0);
  struct timeval limit = {3, 0};
  char answer[4];
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (connect(fd, (struct sockaddr *)&at, length) < 0)
    return worked(-1);
  if (kind(w[0]) == SOCK_DGRAM && at.ss_family == AF_UNIX)
    return 0;
  if (kind(w[0]) == SOCK_DGRAM && send(fd, "x", 1, 0) < 0)
    return worked(-1);
  return worked(recv(fd, answer, sizeof answer, 0) - 1);
}

/* Without a connection. */
static int send_to(char **w) {
  struct sockaddr_storage at;
  socklen_t length = address(w[0], w[1], &at);
  int fd = socket(at.ss_family, SOCK_DGRAM, 0);
  return worked(sendto(fd, "x", 1, MSG_DONTWAIT, (struct sockaddr *)&at, length));
}

/* Reached by a path of a directory that is open, for a name that is too long otherwise. */
static int connect_by_descriptor(char **w) {
  char place[100];
  int found = open(w[0], O_PATH);
  snprintf(place, sizeof place, "stream:/proc/self/fd/%d", found);
  return connect_to((char *[]){place, NULL});
}

static int family(char **w) {
  return worked(socket(atoi(w[0]), atoi(w[1]), atoi(w[2])));
}

static int pair(char **w) {
  int fds[2];
  return worked(socketpair(atoi(w[0]), atoi(w[1]), 0, fds));
}

/* Asks for another address of the loopback: 127.9.9.9/32; it goes with the namespace, or at once. */
static int add_address(char **w) {
  struct {
    struct nlmsghdr header;
    struct ifaddrmsg message;
    struct rtattr attribute;
    uint8_t address[4];
  } ask = {{sizeof ask, RTM_NEWADDR, NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE, 1, 0},
           {AF_INET, 32, 0, 0, 1},
           {8, IFA_LOCAL},
           {127, 9, 9, 9}};
  struct {
    struct nlmsghdr header;
    struct nlmsgerr error;
    char rest[512];
  } answer;
  int fd;
  (void)w;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0 && unshare(CLONE_NEWNET) < 0 &&
      getenv("ZETT_ON_THE_HOST") != NULL)
    return 1;
  fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  (void)!write(fd, &ask, sizeof ask);
  if (recv(fd, &answer, sizeof answer, 0) < (ssize_t)sizeof answer.header)
    return 1;
  return answer.error.error == 0 ? 0 : 1;
}

/* More than the loopback to send by. */
static int interfaces(char **w) {
  FILE *file = fopen("/proc/net/dev", "r");
  char line[512];
  int count = -3;
  (void)w;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    count++;
  return count > 0 ? 0 : 1;
}

const struct attack socket_attacks[] = {{"serve", serve},
                                        {"connect", connect_to},
                                        {"send-to", send_to},
                                        {"connect-descriptor", connect_by_descriptor},
                                        {"family", family},
                                        {"pair", pair},
                                        {"add-address", add_address},
                                        {"interfaces", interfaces},
                                        {NULL, NULL}};
