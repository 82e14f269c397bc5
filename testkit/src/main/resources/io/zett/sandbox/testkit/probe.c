/* probe NAME [WORDS]: tries one thing and exits with 0 if it worked. Every form here is harmless when
   it works, or works on what it is given only. */
#include "probe.h"

int main(int count, char **words) {
  const struct attack *lists[] = {call_attacks,   mount_attacks,   mode_attacks, file_attacks,
                                  socket_attacks, process_attacks, limit_attacks};
  for (size_t i = 0; count > 1 && i < sizeof lists / sizeof *lists; i++)
    for (const struct attack *at = lists[i]; at->name != NULL; at++)
      if (strcmp(at->name, words[1]) == 0)
        return at->run(words + 2);
  fprintf(stderr, "probe: no attack of this name\n");
  return 2;
}
