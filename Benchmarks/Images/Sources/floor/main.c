// One picture by the C libraries alone, and the most memory that the process held: what `ImageNumbers decode` prints for ours.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec_floor.h"

int main(int count, char **arguments) {
  FILE *file = count >= 3 ? fopen(arguments[1], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "usage: floor <file> <side> [whole]\n");
    return 64;
  }
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(size);
  if (!bytes || fread(bytes, 1, size, file) != (size_t)size) return 1;
  int width, height;
  if (!floor_decode(bytes, size, atoi(arguments[2]), count > 3, &width, &height)) return 1;
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  while (status && fgets(line, sizeof line, status)) {
    if (strncmp(line, "VmHWM:", 6) == 0) printf("%dx%d %s", width, height, line);
  }
  return 0;
}
