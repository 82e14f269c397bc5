/* Counts the primes up to a bound, and multiplies matrices over a prime field. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 64

static long count_primes(long bound) {
  unsigned char *composite = calloc((size_t)bound + 1, 1);
  long count = 0;
  if (composite == NULL) {
    perror("calloc");
    exit(1);
  }
  for (long n = 2; n <= bound; n++) {
    if (composite[n]) continue;
    count++;
    for (long multiple = n * n; multiple <= bound; multiple += n) composite[multiple] = 1;
  }
  free(composite);
  return count;
}

static void multiply(uint64_t product[SIZE][SIZE], const uint64_t a[SIZE][SIZE],
                     const uint64_t b[SIZE][SIZE], uint64_t prime) {
  for (int row = 0; row < SIZE; row++) {
    for (int column = 0; column < SIZE; column++) {
      uint64_t sum = 0;
      for (int i = 0; i < SIZE; i++) sum = (sum + a[row][i] * b[i][column]) % prime;
      product[row][column] = sum;
    }
  }
}

static uint64_t trace_of_power(int power, uint64_t prime) {
  static uint64_t base[SIZE][SIZE], result[SIZE][SIZE], next[SIZE][SIZE];
  for (int row = 0; row < SIZE; row++) {
    for (int column = 0; column < SIZE; column++) {
      base[row][column] = (uint64_t)(row * 31 + column * 17 + 1) % prime;
      result[row][column] = row == column;
    }
  }
  for (int i = 0; i < power; i++) {
    multiply(next, result, base, prime);
    for (int row = 0; row < SIZE; row++)
      for (int column = 0; column < SIZE; column++) result[row][column] = next[row][column];
  }
  uint64_t trace = 0;
  for (int i = 0; i < SIZE; i++) trace = (trace + result[i][i]) % prime;
  return trace;
}

int main(int argc, char **argv) {
  char *end = NULL;
  errno = 0;
  long bound = argc == 2 ? strtol(argv[1], &end, 10) : 0;
  if (argc != 2 || errno != 0 || *end != '\0' || bound < 2 || bound > 100000000) {
    fprintf(stderr, "usage: %s BOUND (2 to 100000000)\n", argv[0]);
    return 2;
  }
  printf("primes up to %ld: %ld\n", bound, count_primes(bound));
  printf("trace of the 20th power: %llu\n", (unsigned long long)trace_of_power(20, 1000003));
  return 0;
}
