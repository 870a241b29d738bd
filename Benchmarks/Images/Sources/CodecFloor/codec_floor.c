#include "codec_floor.h"

#include <stdio.h>

#include <jpeglib.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

// The mean of what each pixel covers, from rows that come one by one.
typedef struct {
  int width, height, out_width, out_height, row, out_row;
  float *sums, *line;
  int *first;
  float *part;
  uint8_t *out;
} Shrinker;

static int begin(Shrinker *s, int width, int height, int out_width, int out_height) {
  memset(s, 0, sizeof *s);
  s->width = width;
  s->height = height;
  s->out_width = out_width;
  s->out_height = out_height;
  s->sums = calloc((size_t)out_width * 4, sizeof *s->sums);
  s->line = malloc((size_t)out_width * 4 * sizeof *s->line);
  s->first = malloc((size_t)(out_width + 1) * sizeof *s->first);
  s->part = malloc((size_t)(out_width + 1) * sizeof *s->part);
  s->out = malloc((size_t)out_width * out_height * 4);
  for (int x = 0; x <= out_width; x++) {
    double edge = (double)x * width / out_width;
    s->first[x] = (int)edge;
    s->part[x] = (float)(edge - (int)edge);
  }
  return s->sums && s->line && s->first && s->part && s->out;
}

static void end(Shrinker *s) {
  free(s->sums);
  free(s->line);
  free(s->first);
  free(s->part);
}

static void flush(Shrinker *s) {
  float scale = (float)((double)s->out_width * s->out_height / ((double)s->width * s->height));
  uint8_t *out = s->out + (size_t)s->out_row * s->out_width * 4;
  for (int i = 0; i < s->out_width * 4; i++) {
    float value = s->sums[i] * scale + 0.5f;
    out[i] = value >= 255 ? 255 : (uint8_t)value;
  }
  s->out_row++;
}

static void add(Shrinker *s, const uint8_t *row) {
  for (int x = 0; x < s->out_width; x++) {
    int from = s->first[x], to = s->first[x + 1];
    float before = s->part[x], after = s->part[x + 1];
    uint32_t sum[4] = {0, 0, 0, 0};
    for (int i = from; i < to; i++) {
      for (int c = 0; c < 4; c++) sum[c] += row[i * 4 + c];
    }
    for (int c = 0; c < 4; c++) {
      float value = (float)sum[c] - before * row[from * 4 + c];
      if (after > 0) value += after * row[to * 4 + c];
      s->line[x * 4 + c] = value;
    }
  }
  double edge = (double)(s->out_row + 1) * s->height / s->out_height;
  if (s->row + 1 < edge) {
    for (int i = 0; i < s->out_width * 4; i++) s->sums[i] += s->line[i];
  } else {
    float part = (float)(edge - s->row);
    for (int i = 0; i < s->out_width * 4; i++) s->sums[i] += s->line[i] * part;
    flush(s);
    for (int i = 0; i < s->out_width * 4; i++) s->sums[i] = s->line[i] * (1 - part);
  }
  s->row++;
}

static void fitted(int width, int height, int side, int *out_width, int *out_height) {
  double factor = side / (double)(width > height ? width : height);
  if (factor > 1) factor = 1;
  *out_width = (int)(width * factor + 0.5);
  *out_height = (int)(height * factor + 0.5);
}

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf landing;
} Errors;

static void landed(j_common_ptr info) { longjmp(((Errors *)info->err)->landing, 1); }

static uint8_t *jpeg(const uint8_t *bytes, size_t count, int side, int whole, int *width, int *height) {
  struct jpeg_decompress_struct info;
  Errors errors;
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = landed;
  if (setjmp(errors.landing)) return NULL;
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes, count);
  jpeg_read_header(&info, TRUE);
  fitted(info.image_width, info.image_height, side, width, height);
  info.out_color_space = JCS_EXT_RGBA;
  info.scale_num = 1;
  info.scale_denom = 1;
  for (int denominator = whole ? 1 : 8; denominator > 1; denominator /= 2) {
    if ((int)(info.image_width + denominator - 1) / denominator >= *width && (int)(info.image_height + denominator - 1) / denominator >= *height) {
      info.scale_denom = denominator;
      break;
    }
  }
  jpeg_start_decompress(&info);
  Shrinker s;
  if (!begin(&s, info.output_width, info.output_height, *width, *height)) return NULL;
  uint8_t *rows = malloc((size_t)info.output_width * 4 * 16);
  JSAMPROW pointers[16];
  for (int i = 0; i < 16; i++) pointers[i] = rows + (size_t)i * info.output_width * 4;
  while (info.output_scanline < info.output_height) {
    int read = jpeg_read_scanlines(&info, pointers, 16);
    for (int i = 0; i < read; i++) add(&s, pointers[i]);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  free(rows);
  end(&s);
  return s.out;
}

typedef struct {
  const uint8_t *next;
  size_t left;
} Bytes;

static void read_bytes(png_structp reader, png_bytep out, size_t count) {
  Bytes *bytes = png_get_io_ptr(reader);
  if (count > bytes->left) png_error(reader, "short");
  memcpy(out, bytes->next, count);
  bytes->next += count;
  bytes->left -= count;
}

static uint8_t *png(const uint8_t *data, size_t count, int side, int *width, int *height) {
  png_structp reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(reader);
  if (setjmp(png_jmpbuf(reader))) return NULL;
  Bytes bytes = {data, count};
  png_set_read_fn(reader, &bytes, read_bytes);
  png_read_info(reader, info);
  png_set_expand(reader);
  png_set_strip_16(reader);
  png_set_gray_to_rgb(reader);
  png_set_add_alpha(reader, 255, PNG_FILLER_AFTER);
  png_read_update_info(reader, info);
  int in_width = png_get_image_width(reader, info), in_height = png_get_image_height(reader, info);
  fitted(in_width, in_height, side, width, height);
  Shrinker s;
  if (!begin(&s, in_width, in_height, *width, *height)) return NULL;
  uint8_t *row = malloc((size_t)in_width * 4);
  for (int y = 0; y < in_height; y++) {
    png_read_row(reader, row, NULL);
    add(&s, row);
  }
  png_destroy_read_struct(&reader, &info, NULL);
  free(row);
  end(&s);
  return s.out;
}

static uint8_t *webp(const uint8_t *bytes, size_t count, int side, int whole, int *width, int *height) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config) || WebPGetFeatures(bytes, count, &config.input) != VP8_STATUS_OK) return NULL;
  fitted(config.input.width, config.input.height, side, width, height);
  config.output.colorspace = MODE_rgbA;
  if (!whole) {
    config.options.use_scaling = 1;
    config.options.scaled_width = *width;
    config.options.scaled_height = *height;
  }
  if (WebPDecode(bytes, count, &config) != VP8_STATUS_OK) return NULL;
  uint8_t *out = NULL;
  if (whole) {
    Shrinker s;
    if (!begin(&s, config.input.width, config.input.height, *width, *height)) return NULL;
    for (int y = 0; y < config.input.height; y++) add(&s, config.output.u.RGBA.rgba + (size_t)y * config.output.u.RGBA.stride);
    end(&s);
    out = s.out;
  } else {
    out = malloc((size_t)*width * *height * 4);
    if (out) memcpy(out, config.output.u.RGBA.rgba, (size_t)*width * *height * 4);
  }
  WebPFreeDecBuffer(&config.output);
  return out;
}

uint8_t *floor_decode(const uint8_t *bytes, size_t count, int side, int whole, int *width, int *height) {
  if (count < 16) return NULL;
  if (bytes[0] == 0xFF) return jpeg(bytes, count, side, whole, width, height);
  if (bytes[0] == 0x89) return png(bytes, count, side, width, height);
  return webp(bytes, count, side, whole, width, height);
}
