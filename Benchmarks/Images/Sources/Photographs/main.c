// Makes pictures with the statistics of photographs: large soft shapes, edges, texture, grain. The same ones each time.
//
//   Photographs <folder>     12 and 24 megapixels and one of a feed's size, as baseline and progressive JPEG, WebP and PNG
#include <stdio.h>

#include <jpeglib.h>
#include <math.h>
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>

static uint32_t mixed(uint32_t x, uint32_t y, uint32_t seed) {
  uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
  h ^= h >> 15;
  h *= 0x2C1B3C6Du;
  h ^= h >> 12;
  h *= 0x297A2D39u;
  return h ^ h >> 15;
}

// A value from 0 to 1 that changes smoothly over `cell` pixels.
static float smooth(int x, int y, int cell, uint32_t seed) {
  int cx = x / cell, cy = y / cell;
  float fx = (float)(x % cell) / (float)cell, fy = (float)(y % cell) / (float)cell;
  fx = fx * fx * (3 - 2 * fx);
  fy = fy * fy * (3 - 2 * fy);
  float corners[4];
  for (int i = 0; i < 4; i++) corners[i] = (float)(mixed(cx + (i & 1), cy + (i >> 1), seed) & 0xFFFF) / 65535.0f;
  float top = corners[0] + (corners[1] - corners[0]) * fx, bottom = corners[2] + (corners[3] - corners[2]) * fx;
  return top + (bottom - top) * fy;
}

static uint8_t *picture(int width, int height) {
  uint8_t *pixels = malloc((size_t)width * height * 3), *out = pixels;
  if (!pixels) exit(1);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      float soft = smooth(x, y, 900, 1), shape = smooth(x, y, 220, 2), texture = smooth(x, y, 17, 3), fine = smooth(x, y, 4, 4);
      // Where two fields cross, an edge.
      float edge = shape > soft ? 60.0f : 0.0f;
      float light = 40 + 110 * soft + edge + (shape > 0.55f ? 60 : 16) * (texture - 0.5f) + (shape > 0.4f ? 34 : 10) * (fine - 0.5f);
      uint32_t grain = mixed(x, y, 5);
      for (int channel = 0; channel < 3; channel++) {
        float tint = 26 * (smooth(x, y, 640, 10 + channel) - 0.5f);
        int value = (int)(light + tint + (float)((int)(grain >> (8 * channel) & 7) - 3) * 0.8f);
        *out++ = value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
      }
    }
  }
  return pixels;
}

static FILE *opened(const char *folder, const char *name, const char *suffix) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
  FILE *file = fopen(path, "wb");
  if (!file) {
    perror(path);
    exit(1);
  }
  return file;
}

static void jpeg(const uint8_t *pixels, int width, int height, int progressive, FILE *file) {
  struct jpeg_compress_struct info;
  struct jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  jpeg_stdio_dest(&info, file);
  info.image_width = width;
  info.image_height = height;
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 92, TRUE);
  if (progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)info.next_scanline * width * 3);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  fclose(file);
}

static void png(const uint8_t *pixels, int width, int height, FILE *file) {
  png_structp writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(writer);
  if (setjmp(png_jmpbuf(writer))) exit(1);
  png_init_io(writer, file);
  png_set_IHDR(writer, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(writer, 4);
  png_write_info(writer, info);
  for (int y = 0; y < height; y++) png_write_row(writer, pixels + (size_t)y * width * 3);
  png_write_end(writer, NULL);
  png_destroy_write_struct(&writer, &info);
  fclose(file);
}

static void webp(const uint8_t *pixels, int width, int height, int lossless, FILE *file) {
  WebPConfig config;
  if (lossless) {
    WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, 75);
    WebPConfigLosslessPreset(&config, 0);
  } else {
    WebPConfigPreset(&config, WEBP_PRESET_PHOTO, 80);
    config.method = 1;
  }
  WebPPicture image;
  WebPPictureInit(&image);
  image.use_argb = lossless;
  image.width = width;
  image.height = height;
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  image.writer = WebPMemoryWrite;
  image.custom_ptr = &writer;
  if (!WebPPictureImportRGB(&image, pixels, width * 3) || !WebPEncode(&config, &image)) {
    fprintf(stderr, "libwebp: error %d\n", image.error_code);
    exit(1);
  }
  fwrite(writer.mem, 1, writer.size, file);
  fclose(file);
  WebPMemoryWriterClear(&writer);
  WebPPictureFree(&image);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: Photographs <folder>\n");
    return 64;
  }
  const struct { const char *name; int width, height; } sizes[] = {{"12mp", 4032, 3024}, {"24mp", 6048, 4032}, {"feed", 1920, 1280}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int width = sizes[i].width, height = sizes[i].height;
    const char *folder = arguments[1], *name = sizes[i].name;
    uint8_t *pixels = picture(width, height);
    jpeg(pixels, width, height, 0, opened(folder, name, ".jpg"));
    jpeg(pixels, width, height, 1, opened(folder, name, "-progressive.jpg"));
    png(pixels, width, height, opened(folder, name, ".png"));
    webp(pixels, width, height, 0, opened(folder, name, ".webp"));
    if (height < 4000) webp(pixels, width, height, 1, opened(folder, name, "-lossless.webp"));
    free(pixels);
  }
  return 0;
}
