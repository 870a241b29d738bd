// Reads a JPEG from memory, row by row, at one of the scales that libjpeg computes fast.
//
// libjpeg leaves its functions by longjmp on errors. Every function here sets its own landing place first and returns a
// status, so no jump crosses a frame of the caller. A reader is for one thread at a time; different readers share
// nothing.
#ifndef CIMAGECODECS_JPEG_READER_H
#define CIMAGECODECS_JPEG_READER_H

#include <stddef.h>
#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) image_jpeg_status {
  image_jpeg_status_ok = 0,
  // The file breaks the rules of the format.
  image_jpeg_status_corrupt,
  // The bytes ended before the picture did.
  image_jpeg_status_truncated,
  // A kind of JPEG that the library can't read.
  image_jpeg_status_unsupported,
  // More scans than are allowed.
  image_jpeg_status_scans,
  // More memory than is allowed, or than there is.
  image_jpeg_status_memory,
} image_jpeg_status;

// Bytes of the file from `start` on, up to and without `end`.
typedef struct image_jpeg_range {
  size_t start;
  size_t end;
} image_jpeg_range;

// What the head of the file says.
typedef struct image_jpeg_head {
  uint32_t width;
  uint32_t height;
  // 1 for gray, 3 for colours, 4 for inks.
  int32_t components;
  // Whether 255 is no ink, as Adobe's programs write it; their marker says that it was one of them.
  int32_t is_inverted;
  // Whether all scans must be read before there are rows.
  int32_t is_multiple_scans;
} image_jpeg_head;

typedef struct image_jpeg_reader image_jpeg_reader;

// A reader of those ranges of `data`, one after another; an end of image is added behind them. The bytes must stay
// until the reader is closed; the ranges are copied. `tolerant`: what is missing or damaged becomes gray and ends
// nothing. NULL without memory.
image_jpeg_reader *image_jpeg_open(
    const uint8_t *data, const image_jpeg_range *ranges, size_t count, int32_t tolerant);

// Gives back everything; the reader may be NULL.
void image_jpeg_close(image_jpeg_reader *reader);

// Reads up to the first scan. Call once, first.
image_jpeg_status image_jpeg_read_head(image_jpeg_reader *reader, image_jpeg_head *head);

// Chooses the scale 1/`denominator` (1, 2, 4 or 8) and allocates; `max_bytes` bounds the store of coefficients.
// `smooths`: estimates what later scans would bring. `keeps_inks`: rows of four components come as they are stored.
// Tells the size of the rows that come. Call once, after the head.
image_jpeg_status image_jpeg_start(
    image_jpeg_reader *reader, int32_t denominator, int32_t smooths, int32_t keeps_inks, size_t max_bytes,
    uint32_t *width, uint32_t *height);

// Reads at most `steps` rows of blocks of a file with several scans, and ends with a status at scan `max_scans` + 1.
// Call until `done` is 1, before the first rows; a file with one scan is done at once.
image_jpeg_status image_jpeg_absorb(image_jpeg_reader *reader, int32_t steps, int32_t max_scans, int32_t *done);

// Writes the next rows, at most `rows` of them, as opaque RGBA (or inks) into `pixels`, `row_bytes` apart. `count`: how
// many, also when an error ends it early; 0 with ok after the last row.
image_jpeg_status image_jpeg_read_rows(
    image_jpeg_reader *reader, uint8_t *pixels, size_t row_bytes, int32_t rows, int32_t *count);

// The number of the scan that was read last, counted from 1; 0 before the first.
int32_t image_jpeg_scan(const image_jpeg_reader *reader);

// What the last failure was, in the library's words; valid until the reader is closed.
const char *image_jpeg_message(const image_jpeg_reader *reader);

// Where the compressed data that begins at `offset` ends: the offset of the next marker that is no restart marker;
// `length` where there is none yet.
size_t image_jpeg_scan_end(const uint8_t *data, size_t length, size_t offset);

#endif
