#include "png_reader.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct image_png_reader {
  const uint8_t *bytes;
  size_t count;
  size_t offset;
  // Where the chunk after the one that is read begins.
  size_t next_chunk;
  image_png_options options;

  png_structp png;
  png_infop info;
  const uint8_t *profile;
  size_t profile_count;
  // A row of three channels, for files that need a fourth added; else NULL.
  uint8_t *narrow_row;
  uint32_t width;
  uint32_t height;
  int is_interlaced;

  // Where the function that was entered last lands; set by each before it calls libpng.
  jmp_buf landing;
  image_png_status status;
  char message[128];
};

unsigned int image_png_library_version(void) { return png_access_version_number(); }

// MARK: What libpng calls

static void fail(image_png_reader *reader, image_png_status status, const char *message) {
  // What made the bytes end too early stays known, whatever libpng makes of it.
  if (reader->status == IMAGE_PNG_OK) {
    reader->status = status;
    strncpy(reader->message, message, sizeof reader->message - 1);
  }
}

static void land(png_structp png, png_const_charp message) {
  image_png_reader *reader = png_get_error_ptr(png);
  fail(reader, IMAGE_PNG_CORRUPT, message);
  longjmp(reader->landing, 1);
}

static void drop_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static png_voidp take_memory(png_structp png, png_alloc_size_t size) {
  void *memory = malloc(size);
  image_png_reader *reader = png_get_mem_ptr(png);
  if (memory == NULL && reader != NULL) fail(reader, IMAGE_PNG_NO_MEMORY, "out of memory");
  return memory;
}

static void give_memory(png_structp png, png_voidp memory) {
  (void)png;
  free(memory);
}

static uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int is_letter(uint8_t byte) { return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z'); }

// Whether pixels are the same without the chunk.
static int can_skip(const image_png_reader *reader, const uint8_t *type, uint32_t length) {
  for (int index = 0; index < 4; index++) {
    if (!is_letter(type[index])) return 0;
  }
  if (type[0] < 'a' || memcmp(type, "tRNS", 4) == 0) return 0;
  return memcmp(type, "iCCP", 4) != 0 || length > reader->options.max_profile;
}

// libpng is about to read the head of a chunk: steps over those that it need not see.
static void skip_chunks(image_png_reader *reader) {
  while (reader->count - reader->offset >= 12) {
    const uint8_t *head = reader->bytes + reader->offset;
    uint32_t length = big_endian(head);
    size_t left = reader->count - reader->offset - 12;
    if (can_skip(reader, head + 4, length)) {
      // One that reaches past the end is all that is left; libpng would take memory for as much as it says it is.
      reader->offset = length <= left ? reader->offset + 12 + (size_t)length : reader->count;
      continue;
    }
    // One that reaches past the end is the last one.
    reader->next_chunk = length <= left ? reader->offset + 12 + length : SIZE_MAX;
    return;
  }
}

// libpng asks for stretches of pixel data and takes none of one that is cut short, so what is left of a cut chunk is
// offered in stretches that get shorter.
static void divide_rest(png_structp png, const image_png_reader *reader) {
  size_t half = (reader->count - reader->offset) / 2;
  png_set_compression_buffer_size(png, half < 1 ? 1 : half > 8192 ? 8192 : half);
}

static void read_bytes(png_structp png, png_bytep target, size_t count) {
  image_png_reader *reader = png_get_io_ptr(png);
  if (reader->offset == reader->next_chunk) skip_chunks(reader);
  if (count > reader->count - reader->offset) {
    fail(reader, IMAGE_PNG_TRUNCATED, "the file ends too early");
    png_error(png, "the file ends too early");
  }
  memcpy(target, reader->bytes + reader->offset, count);
  reader->offset += count;
  if (reader->next_chunk == SIZE_MAX) divide_rest(png, reader);
}

// MARK: The reader

image_png_reader *image_png_open(const uint8_t *bytes, size_t count, image_png_options options) {
  image_png_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->bytes = bytes;
  reader->count = count;
  reader->next_chunk = 8;
  reader->options = options;
  // Where libpng fails before it has all it needs to say so.
  if (setjmp(reader->landing)) {
    image_png_close(reader);
    return NULL;
  }
  reader->png = png_create_read_struct_2(
    PNG_LIBPNG_VER_STRING, reader, land, drop_warning, reader, take_memory, give_memory);
  if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
  if (reader->info == NULL) {
    image_png_close(reader);
    return NULL;
  }
  return reader;
}

void image_png_close(image_png_reader *reader) {
  if (reader == NULL) return;
  if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader->narrow_row);
  free(reader);
}

const char *image_png_message(const image_png_reader *reader) { return reader->message; }

image_png_status image_png_read_info(image_png_reader *reader, image_png_info *result) {
  if (setjmp(reader->landing)) return reader->status;
  png_structp png = reader->png;
  png_set_read_fn(png, reader, read_bytes);
  png_set_benign_errors(png, 1);
  png_set_user_limits(png, reader->options.max_side, reader->options.max_side);
  png_set_chunk_cache_max(png, 16);
  // Holds for profiles alone, since other chunks that hold something compressed aren't read; 0 would mean no limit.
  png_set_chunk_malloc_max(png, reader->options.max_profile > 1 << 16 ? reader->options.max_profile : 1 << 16);
#ifdef PNG_MAXIMUM_INFLATE_WINDOW
  // Some writers announce a smaller window than they use.
  png_set_option(png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
#endif
  // A chunk that pixels can do without counts as absent where its checksum is wrong; pixels must have theirs right.
  int checksums = reader->options.ignores_checksums ? PNG_CRC_QUIET_USE : PNG_CRC_DEFAULT;
  png_set_crc_action(png, checksums, checksums);
  png_read_info(png, reader->info);

  reader->width = png_get_image_width(png, reader->info);
  reader->height = png_get_image_height(png, reader->info);
  reader->is_interlaced = png_get_interlace_type(png, reader->info) != PNG_INTERLACE_NONE;
  png_charp name;
  int method;
  png_bytep profile;
  png_uint_32 count;
  if (png_get_iCCP(png, reader->info, &name, &method, &profile, &count) == PNG_INFO_iCCP) {
    reader->profile = profile;
    reader->profile_count = count;
  }
  result->width = reader->width;
  result->height = reader->height;
  result->is_interlaced = reader->is_interlaced;
  // One out of place is known to be there, and stands for nothing.
  int transparent_count = 0;
  png_get_tRNS(png, reader->info, NULL, &transparent_count, NULL);
  result->is_opaque = (png_get_color_type(png, reader->info) & PNG_COLOR_MASK_ALPHA) == 0 && transparent_count == 0;
  result->is_gray = (png_get_color_type(png, reader->info) & PNG_COLOR_MASK_COLOR) == 0;
  return IMAGE_PNG_OK;
}

const uint8_t *image_png_profile(const image_png_reader *reader, size_t *count) {
  *count = reader->profile_count;
  return reader->profile;
}

image_png_status image_png_begin(image_png_reader *reader) {
  if (reader->status != IMAGE_PNG_OK) return reader->status;
  if (setjmp(reader->landing)) return reader->status;
  png_structp png = reader->png;
  // Palettes and few bits become bytes, tRNS becomes alpha; 16 bits are rounded to 8, not cut.
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_read_update_info(png, reader->info);
  size_t channels = png_get_channels(png, reader->info);
  if (channels < 3 || png_get_rowbytes(png, reader->info) != channels * reader->width) {
    fail(reader, IMAGE_PNG_CORRUPT, "rows of another length than the head says");
  } else if (channels == 3) {
    // The fourth channel is added faster here than in libpng, which moves bytes one by one.
    reader->narrow_row = malloc(3 * (size_t)reader->width);
    if (reader->narrow_row == NULL) fail(reader, IMAGE_PNG_NO_MEMORY, "out of memory");
  }
  return reader->status;
}

// Adds a fourth channel of 255.
static void widen(const uint8_t *narrow, uint8_t *wide, size_t count) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  // Four bytes at a time, one of them of the next pixel; the last pixel has none after it.
  for (; count > 1; count--, narrow += 3, wide += 4) {
    uint32_t pixel;
    memcpy(&pixel, narrow, 4);
    pixel |= 0xFF000000;
    memcpy(wide, &pixel, 4);
  }
#endif
  for (; count > 0; count--, narrow += 3, wide += 4) {
    wide[0] = narrow[0];
    wide[1] = narrow[1];
    wide[2] = narrow[2];
    wide[3] = 0xFF;
  }
}

// Whether libpng had a row whole when it failed: it looks past the last one for the end of the data.
static int had_last_row(const image_png_reader *reader) {
  if (reader->is_interlaced) return png_get_current_pass_number(reader->png) >= 7;
  return png_get_current_row_number(reader->png) >= reader->height;
}

image_png_status image_png_read_rows(
  image_png_reader *reader, uint8_t *rows, size_t stride, uint32_t count, uint32_t *complete
) {
  *complete = 0;
  if (reader->status != IMAGE_PNG_OK) return reader->status;
  if (setjmp(reader->landing)) {
    // A file that only lacks what comes after its pixels is whole.
    if (reader->status != IMAGE_PNG_TRUNCATED || !had_last_row(reader)) return reader->status;
    if (reader->narrow_row != NULL) widen(reader->narrow_row, rows + *complete * stride, reader->width);
    *complete += 1;
    return *complete == count ? IMAGE_PNG_OK : reader->status;
  }
  while (*complete < count) {
    uint8_t *row = rows + *complete * stride;
    if (reader->narrow_row != NULL) {
      png_read_row(reader->png, reader->narrow_row, NULL);
      widen(reader->narrow_row, row, reader->width);
    } else {
      png_read_row(reader->png, row, NULL);
    }
    *complete += 1;
  }
  return IMAGE_PNG_OK;
}

// MARK: Checksums

uint32_t image_png_checksum(uint32_t before, const uint8_t *bytes, size_t count) {
  // Four bits at a time: a table that needs no start-up.
  static const uint32_t table[16] = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
  };
  uint32_t sum = ~before;
  for (size_t index = 0; index < count; index++) {
    sum ^= bytes[index];
    sum = sum >> 4 ^ table[sum & 15];
    sum = sum >> 4 ^ table[sum & 15];
  }
  return ~sum;
}
