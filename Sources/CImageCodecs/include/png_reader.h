// Reads a PNG from memory, row by row, as RGBA of eight bits a channel, alpha not multiplied in.
//
// No function lets libpng's longjmp out: each has its own landing place and returns a status. libpng is shown only the
// chunks that make up the pixels; all others are stepped over unread, so neither their size, their checksum nor what is
// compressed in them costs anything.
#ifndef CIMAGECODECS_PNG_READER_H
#define CIMAGECODECS_PNG_READER_H

#include <stddef.h>
#include <stdint.h>

// How a call ended.
typedef enum {
  IMAGE_PNG_OK = 0,
  // The bytes end before what was asked for.
  IMAGE_PNG_TRUNCATED = 1,
  // The bytes break the rules of PNG.
  IMAGE_PNG_CORRUPT = 2,
  IMAGE_PNG_NO_MEMORY = 3,
} image_png_status;

// What is read, and what libpng refuses.
typedef struct {
  // The longest side.
  uint32_t max_side;
  // The largest colour profile, in bytes, compressed or not; one that is larger counts as absent. 0: profiles aren't
  // read.
  uint32_t max_profile;
  // 1: checksums aren't looked at, since the caller has.
  int ignores_checksums;
} image_png_options;

// What the head of the file says.
typedef struct {
  uint32_t width;
  uint32_t height;
  // 1: the rows come in seven passes.
  int is_interlaced;
  // 1: all pixels are opaque.
  int is_opaque;
  // 1: the file has one channel of colour, which comes three times.
  int is_gray;
} image_png_info;

typedef struct image_png_reader image_png_reader;

// The version of libpng that runs.
unsigned int image_png_library_version(void);

// The checksum of PNG (CRC-32) of bytes that follow those with the checksum `before`; 0 for the first.
uint32_t image_png_checksum(uint32_t before, const uint8_t *bytes, size_t count);

// A reader of bytes that stay where they are until it is closed; NULL where there is no memory.
image_png_reader *image_png_open(const uint8_t *bytes, size_t count, image_png_options options);

// Gives back all memory; NULL is let through.
void image_png_close(image_png_reader *reader);

// Reads up to the pixels. Once, first.
image_png_status image_png_read_info(image_png_reader *reader, image_png_info *info);

// The colour profile, or NULL; stays until the reader is closed.
const uint8_t *image_png_profile(const image_png_reader *reader, size_t *count);

// Makes ready for rows. Once, after the head.
image_png_status image_png_begin(image_png_reader *reader);

// Reads the next rows as they are stored: those of an interlaced file pass by pass, each at the width of its pass, and
// none for a pass without pixels. Each goes `stride` bytes behind the one before; that is at least 4 bytes for each
// pixel of the file's width, whatever the pass. `complete` is how many were read whole; when that is less than `count`,
// the status says why.
image_png_status image_png_read_rows(
  image_png_reader *reader, uint8_t *rows, size_t stride, uint32_t count, uint32_t *complete);

// What was wrong, in libpng's words; stays until the reader is closed.
const char *image_png_message(const image_png_reader *reader);

#endif
