#include "png_fixture.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct memory_file {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  size_t offset;
} memory_file;

static void write_memory(png_structp png, png_bytep data, size_t count) {
  memory_file *file = png_get_io_ptr(png);
  if (file->count + count > file->capacity) {
    size_t capacity = 2 * file->capacity + count + 4096;
    uint8_t *bytes = realloc(file->bytes, capacity);
    if (bytes == NULL) png_error(png, "out of memory");
    file->bytes = bytes;
    file->capacity = capacity;
  }
  memcpy(file->bytes + file->count, data, count);
  file->count += count;
}

static void flush_memory(png_structp png) { (void)png; }

static void ignore_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void leave(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void write_chunks(png_structp png, png_fixture_bytes chunks) {
  size_t offset = 0;
  while (offset + 8 <= chunks.count) {
    const uint8_t *head = chunks.start + offset;
    uint32_t length = png_get_uint_32(head);
    png_write_chunk(png, head + 4, head + 8, length);
    offset += 8 + (size_t)length;
  }
}

static size_t row_bytes(png_fixture fixture) {
  static const int channels[7] = {1, 0, 3, 1, 2, 0, 4};
  return ((size_t)fixture.width * channels[fixture.color_type] * fixture.bit_depth + 7) / 8;
}

uint8_t *png_fixture_write(
    png_fixture fixture, const uint8_t *rows, png_fixture_bytes palette, png_fixture_bytes transparency,
    png_fixture_bytes before, png_fixture_bytes after, size_t *length) {
  memory_file file = {0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, leave, ignore_warning);
  png_infop info = png == NULL ? NULL : png_create_info_struct(png);
  if (info == NULL) {
    png_destroy_write_struct(&png, NULL);
    return NULL;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    free(file.bytes);
    return NULL;
  }
  png_set_write_fn(png, &file, write_memory, flush_memory);
  png_set_user_limits(png, 0x7FFFFFFF, 0x7FFFFFFF);
  if (fixture.chunk_size > 0) png_set_compression_buffer_size(png, fixture.chunk_size);
  png_set_IHDR(
      png, info, fixture.width, fixture.height, fixture.bit_depth, fixture.color_type,
      fixture.is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info_before_PLTE(png, info);
  write_chunks(png, before);
  if (palette.count > 0) png_write_chunk(png, (png_const_bytep) "PLTE", palette.start, palette.count);
  if (transparency.count > 0) png_write_chunk(png, (png_const_bytep) "tRNS", transparency.start, transparency.count);
  int passes = fixture.is_interlaced ? png_set_interlace_handling(png) : 1;
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t row = 0; row < fixture.height; row++) png_write_row(png, rows + row * row_bytes(fixture));
  }
  write_chunks(png, after);
  png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
  png_destroy_write_struct(&png, &info);
  *length = file.count;
  return file.bytes;
}

static void read_memory(png_structp png, png_bytep data, size_t count) {
  memory_file *file = png_get_io_ptr(png);
  if (count > file->count - file->offset) png_error(png, "no more bytes");
  memcpy(data, file->bytes + file->offset, count);
  file->offset += count;
}

uint8_t *png_fixture_read(const uint8_t *data, size_t length, uint32_t *width, uint32_t *height) {
  memory_file file = {(uint8_t *)data, length, length, 0};
  uint8_t *volatile pixels = NULL;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, leave, ignore_warning);
  png_infop info = png == NULL ? NULL : png_create_info_struct(png);
  if (info == NULL) {
    png_destroy_read_struct(&png, NULL, NULL);
    return NULL;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    free(pixels);
    return NULL;
  }
  png_set_read_fn(png, &file, read_memory);
  png_read_info(png, info);
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  if (!(png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) && !png_get_valid(png, info, PNG_INFO_tRNS)) {
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  }
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  *width = png_get_image_width(png, info);
  *height = png_get_image_height(png, info);
  size_t stride = 4 * (size_t)*width;
  pixels = calloc(*height, stride);
  if (pixels == NULL || png_get_rowbytes(png, info) != stride) png_error(png, "no room");
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t row = 0; row < *height; row++) png_read_row(png, pixels + row * stride, NULL);
  }
  png_destroy_read_struct(&png, &info, NULL);
  return pixels;
}

uint32_t png_fixture_checksum(const uint8_t *data, size_t length) {
  uint32_t sum = 0xFFFFFFFF;
  for (size_t index = 0; index < length; index++) {
    sum ^= data[index];
    for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >> 1 ^ 0xEDB88320 : sum >> 1;
  }
  return ~sum;
}

void png_fixture_free(uint8_t *memory) { free(memory); }
