#ifndef CIMAGEFIXTURES_PNG_H
#define CIMAGEFIXTURES_PNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct png_fixture {
  uint32_t width;
  uint32_t height;
  // As in the file's head: 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGBA.
  int32_t color_type;
  int32_t bit_depth;
  int32_t is_interlaced;
  // Bytes of compressed data in a chunk; 0: as libpng likes.
  uint32_t chunk_size;
} png_fixture;

// Bytes and their number.
typedef struct png_fixture_bytes {
  const uint8_t *start;
  size_t count;
} png_fixture_bytes;

// The file, to be given back by png_fixture_free; NULL where the library refuses.
//
// `rows`: packed as in the file, the most significant byte and bit first, each row in whole bytes. `palette`: three bytes a colour.
// `transparency`: the content of tRNS, none where empty. `before`, `after`: chunks before the palette and the pixels, and after them, each
// as in the file without its checksum.
uint8_t *png_fixture_write(
    png_fixture fixture, const uint8_t *rows, png_fixture_bytes palette, png_fixture_bytes transparency,
    png_fixture_bytes before, png_fixture_bytes after, size_t *length);

// The whole picture as libpng gives it, RGBA of eight bits, alpha not multiplied in. To be given back by png_fixture_free; NULL where the
// library refuses.
uint8_t *png_fixture_read(const uint8_t *data, size_t length, uint32_t *width, uint32_t *height);

// CRC-32 of bytes, bit by bit.
uint32_t png_fixture_checksum(const uint8_t *data, size_t length);

void png_fixture_free(uint8_t *memory);

#endif
