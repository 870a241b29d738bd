#include "jpeg_reader.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

// Files of real cameras have a few; one with more is noise.
static const int64_t max_warnings = 100;

struct image_jpeg_reader {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  jmp_buf landing;
  const uint8_t *data;
  image_jpeg_range *ranges;
  size_t range_count;
  size_t next_range;
  // Whether libjpeg asked for bytes after the last range.
  int has_ended;
  int is_tolerant;
  int is_started;
  int is_output_started;
  int is_mixing_inks;
  int64_t warnings;
  image_jpeg_status status;
  char message[JMSG_LENGTH_MAX];
};

// MARK: - Errors

static image_jpeg_status status_of(const image_jpeg_reader *reader, int code) {
  switch (code) {
  case JERR_OUT_OF_MEMORY:
  case JERR_NO_BACKING_STORE:
    return image_jpeg_status_memory;
  case JERR_ARITH_NOTIMPL:
  case JERR_BAD_PRECISION:
  case JERR_CCIR601_NOTIMPL:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_FRACT_SAMPLE_NOTIMPL:
  case JERR_IMAGE_TOO_BIG:
  case JERR_NOTIMPL:
  case JERR_NOT_COMPILED:
  case JERR_SOF_UNSUPPORTED:
  case JERR_WIDTH_OVERFLOW:
    return image_jpeg_status_unsupported;
  default:
    return reader->has_ended ? image_jpeg_status_truncated : image_jpeg_status_corrupt;
  }
}

// Leaves libjpeg for the entry of this file that called it.
static void leave(image_jpeg_reader *reader, image_jpeg_status status) {
  reader->status = status;
  reader->errors.format_message((j_common_ptr)&reader->info, reader->message);
  longjmp(reader->landing, 1);
}

static void on_error(j_common_ptr info) {
  image_jpeg_reader *reader = info->client_data;
  leave(reader, status_of(reader, info->err->msg_code));
}

// Whether the data that ran short was needed for more than the edge of the picture.
static int misses_rows(const image_jpeg_reader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  return info->Ss == 0 && info->Ah == 0 && info->input_iMCU_row + 1 < info->total_iMCU_rows;
}

static void on_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  image_jpeg_reader *reader = info->client_data;
  reader->warnings++;
  if (reader->is_tolerant) return;
  if (info->err->msg_code == JWRN_HIT_MARKER) {
    if (reader->has_ended) leave(reader, image_jpeg_status_truncated);
    if (misses_rows(reader)) leave(reader, image_jpeg_status_corrupt);
  }
  if (reader->warnings > max_warnings) leave(reader, image_jpeg_status_corrupt);
}

static void print_nothing(j_common_ptr info) { (void)info; }

// MARK: - Bytes

static void source_begins_or_ends(j_decompress_ptr info) { (void)info; }

static boolean next_bytes(j_decompress_ptr info) {
  static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};
  image_jpeg_reader *reader = info->client_data;
  while (reader->next_range < reader->range_count) {
    const image_jpeg_range range = reader->ranges[reader->next_range++];
    if (range.end <= range.start) continue;
    info->src->next_input_byte = reader->data + range.start;
    info->src->bytes_in_buffer = range.end - range.start;
    return TRUE;
  }
  // Arithmetic coding takes what is missing for zeros and says nothing.
  const int is_inside = reader->is_started && info->input_iMCU_row + 1 < info->total_iMCU_rows;
  if (!reader->has_ended && info->arith_code && !reader->is_tolerant && is_inside) {
    info->err->msg_code = JWRN_JPEG_EOF;
    leave(reader, image_jpeg_status_truncated);
  }
  reader->has_ended = 1;
  info->src->next_input_byte = end_of_image;
  info->src->bytes_in_buffer = sizeof end_of_image;
  return TRUE;
}

static void skip_bytes(j_decompress_ptr info, long count) {
  image_jpeg_reader *reader = info->client_data;
  while (count > 0 && (size_t)count > info->src->bytes_in_buffer) {
    if (reader->has_ended) return;
    count -= (long)info->src->bytes_in_buffer;
    next_bytes(info);
  }
  if (count <= 0 || reader->has_ended) return;
  info->src->next_input_byte += count;
  info->src->bytes_in_buffer -= (size_t)count;
}

// MARK: - A reader's life

static int create(image_jpeg_reader *reader) {
  if (setjmp(reader->landing)) return 0;
  // Keeps `err` and `client_data`.
  jpeg_create_decompress(&reader->info);
  return 1;
}

image_jpeg_reader *image_jpeg_open(
    const uint8_t *data, const image_jpeg_range *ranges, size_t count, int32_t tolerant) {
  image_jpeg_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->ranges = calloc(count > 0 ? count : 1, sizeof *ranges);
  if (reader->ranges == NULL) {
    free(reader);
    return NULL;
  }
  if (count > 0) memcpy(reader->ranges, ranges, count * sizeof *ranges);
  reader->range_count = count;
  reader->data = data;
  reader->is_tolerant = tolerant != 0;
  reader->info.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = on_error;
  reader->errors.emit_message = on_message;
  reader->errors.output_message = print_nothing;
  reader->info.client_data = reader;
  if (!create(reader)) {
    image_jpeg_close(reader);
    return NULL;
  }
  reader->source.init_source = source_begins_or_ends;
  reader->source.fill_input_buffer = next_bytes;
  reader->source.skip_input_data = skip_bytes;
  reader->source.resync_to_restart = jpeg_resync_to_restart;
  reader->source.term_source = source_begins_or_ends;
  reader->info.src = &reader->source;
  return reader;
}

void image_jpeg_close(image_jpeg_reader *reader) {
  if (reader == NULL) return;
  if (reader->info.mem != NULL && !setjmp(reader->landing)) jpeg_destroy_decompress(&reader->info);
  free(reader->ranges);
  free(reader);
}

int32_t image_jpeg_scan(const image_jpeg_reader *reader) { return reader->info.input_scan_number; }
const char *image_jpeg_message(const image_jpeg_reader *reader) { return reader->message; }

// MARK: - Decoding

image_jpeg_status image_jpeg_read_head(image_jpeg_reader *reader, image_jpeg_head *head) {
  if (setjmp(reader->landing)) return reader->status;
  struct jpeg_decompress_struct *info = &reader->info;
  jpeg_read_header(info, TRUE);
  head->width = info->image_width;
  head->height = info->image_height;
  head->components = info->num_components;
  head->is_inverted = info->saw_Adobe_marker ? 1 : 0;
  head->is_multiple_scans = jpeg_has_multiple_scans(info) ? 1 : 0;
  return image_jpeg_status_ok;
}

image_jpeg_status image_jpeg_start(
    image_jpeg_reader *reader, int32_t denominator, int32_t smooths, int32_t keeps_inks, size_t max_bytes,
    uint32_t *width, uint32_t *height) {
  if (setjmp(reader->landing)) return reader->status;
  struct jpeg_decompress_struct *info = &reader->info;
  switch (info->jpeg_color_space) {
  case JCS_CMYK:
  case JCS_YCCK:
    info->out_color_space = JCS_CMYK;
    reader->is_mixing_inks = !keeps_inks;
    break;
  default:
    info->out_color_space = JCS_EXT_RGBA;
  }
  info->scale_num = 1;
  info->scale_denom = (unsigned int)denominator;
  info->do_block_smoothing = smooths != 0;
  // Bounds the arrays of coefficients only, which are all that grows with the picture. There is no store on disk: what
  // goes over it fails.
  info->mem->max_memory_to_use = max_bytes > (size_t)INT64_MAX / 2 ? (long)(INT64_MAX / 2) : (long)max_bytes;
  // The scans are read in steps, so that the caller may stop between them.
  info->buffered_image = jpeg_has_multiple_scans(info);
  reader->is_started = 1;
  jpeg_start_decompress(info);
  *width = info->output_width;
  *height = info->output_height;
  return image_jpeg_status_ok;
}

image_jpeg_status image_jpeg_absorb(image_jpeg_reader *reader, int32_t steps, int32_t max_scans, int32_t *done) {
  if (setjmp(reader->landing)) return reader->status;
  struct jpeg_decompress_struct *info = &reader->info;
  *done = 0;
  for (int32_t step = 0; info->buffered_image && step < steps; step++) {
    const int result = jpeg_consume_input(info);
    if (info->input_scan_number > max_scans) return image_jpeg_status_scans;
    if (result == JPEG_REACHED_EOI || result == JPEG_SUSPENDED) {
      *done = 1;
      return image_jpeg_status_ok;
    }
  }
  *done = !info->buffered_image;
  return image_jpeg_status_ok;
}

static inline uint8_t product(unsigned int a, unsigned int b) {
  const unsigned int sum = a * b + 128;
  return (uint8_t)((sum + (sum >> 8)) >> 8);
}

// Cyan, magenta, yellow and black as amounts of ink, or of what is left of the light, become RGBA in place.
static void mix_inks(uint8_t *row, uint32_t width, int is_inverted) {
  const unsigned int flip = is_inverted ? 0 : 255;
  for (uint32_t x = 0; x < width; x++, row += 4) {
    const unsigned int light = row[3] ^ flip;
    row[0] = product(row[0] ^ flip, light);
    row[1] = product(row[1] ^ flip, light);
    row[2] = product(row[2] ^ flip, light);
    row[3] = 255;
  }
}

image_jpeg_status image_jpeg_read_rows(
    image_jpeg_reader *reader, uint8_t *pixels, size_t row_bytes, int32_t rows, int32_t *count) {
  *count = 0;
  if (setjmp(reader->landing)) return reader->status;
  struct jpeg_decompress_struct *info = &reader->info;
  if (info->buffered_image && !reader->is_output_started) {
    jpeg_start_output(info, info->input_scan_number);
    reader->is_output_started = 1;
  }
  while (*count < rows && info->output_scanline < info->output_height) {
    // One call gives at most the rows that the library has at hand.
    enum { group = 8 };
    JSAMPROW pointers[group];
    JDIMENSION wanted = (JDIMENSION)(rows - *count) < group ? (JDIMENSION)(rows - *count) : group;
    for (JDIMENSION row = 0; row < wanted; row++) pointers[row] = pixels + (size_t)(*count + (int32_t)row) * row_bytes;
    const JDIMENSION got = jpeg_read_scanlines(info, pointers, wanted);
    if (got == 0) break;
    if (reader->is_mixing_inks) {
      for (JDIMENSION row = 0; row < got; row++) mix_inks(pointers[row], info->output_width, info->saw_Adobe_marker);
    }
    *count += (int32_t)got;
  }
  return image_jpeg_status_ok;
}

// MARK: - Markers

size_t image_jpeg_scan_end(const uint8_t *data, size_t length, size_t offset) {
  while (offset < length) {
    const uint8_t *found = memchr(data + offset, 0xFF, length - offset);
    if (found == NULL) return length;
    const size_t start = (size_t)(found - data);
    size_t next = start + 1;
    while (next < length && data[next] == 0xFF) next++;
    if (next == length) return length;
    const uint8_t code = data[next];
    if (code != 0 && (code < 0xD0 || code > 0xD7)) return start;
    offset = next + 1;
  }
  return length;
}
