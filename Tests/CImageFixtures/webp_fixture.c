#include "webp_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

static const webp_fixture_bytes nothing = {NULL, 0};

void webp_fixture_free(webp_fixture_bytes bytes) { free(bytes.bytes); }

// Our own copy, so that all is freed alike.
static webp_fixture_bytes copy_of(const uint8_t *bytes, size_t count) {
  webp_fixture_bytes copy = {malloc(count), count};
  if (!copy.bytes) return nothing;
  memcpy(copy.bytes, bytes, count);
  return copy;
}

webp_fixture_bytes webp_fixture_encode(const uint8_t *rgba, int width, int height, float quality) {
  uint8_t *output = NULL;
  const size_t count = quality < 0 ? WebPEncodeLosslessRGBA(rgba, width, height, 4 * width, &output)
                                   : WebPEncodeRGBA(rgba, width, height, 4 * width, quality, &output);
  const webp_fixture_bytes result = count ? copy_of(output, count) : nothing;
  WebPFree(output);
  return result;
}

webp_fixture_bytes webp_fixture_decode(const uint8_t *bytes, size_t count, int *width, int *height) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return nothing;
  config.output.colorspace = MODE_rgbA;
  webp_fixture_bytes result = nothing;
  if (WebPDecode(bytes, count, &config) == VP8_STATUS_OK) {
    *width = config.output.width;
    *height = config.output.height;
    result = copy_of(config.output.u.RGBA.rgba, (size_t)4 * config.output.width * config.output.height);
  }
  WebPFreeDecBuffer(&config.output);
  return result;
}

webp_fixture_bytes webp_fixture_frames(const uint8_t *bytes, size_t count, int *width, int *height, int *frames) {
  WebPAnimDecoderOptions options;
  if (!WebPAnimDecoderOptionsInit(&options)) return nothing;
  options.color_mode = MODE_rgbA;
  const WebPData data = {bytes, count};
  WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, &options);
  if (!decoder) return nothing;
  WebPAnimInfo info;
  webp_fixture_bytes result = nothing;
  if (WebPAnimDecoderGetInfo(decoder, &info)) {
    *width = (int)info.canvas_width;
    *height = (int)info.canvas_height;
    *frames = 0;
    const size_t each = (size_t)4 * info.canvas_width * info.canvas_height;
    result.bytes = malloc(each * info.frame_count);
    while (result.bytes && WebPAnimDecoderHasMoreFrames(decoder)) {
      uint8_t *frame = NULL;
      int time = 0;
      if (!WebPAnimDecoderGetNext(decoder, &frame, &time)) break;
      memcpy(result.bytes + each * (size_t)(*frames)++, frame, each);
      result.count += each;
    }
  }
  WebPAnimDecoderDelete(decoder);
  return result;
}

// How much of the pixel at `index` lies between two borders.
static double share(int index, double from, double to) {
  return fmin(index + 1, to) - fmax(index, from);
}

void webp_fixture_difference(const uint8_t *large, int large_width, int large_height, const uint8_t *small, int width,
                             int height, double difference[4]) {
  const double down = (double)large_height / height, right = (double)large_width / width;
  for (int channel = 0; channel < 4; channel++) difference[channel] = 0;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      double sums[4] = {0, 0, 0, 0}, weights = 0;
      for (int row = (int)(y * down); row < large_height && row < (y + 1) * down; row++) {
        for (int column = (int)(x * right); column < large_width && column < (x + 1) * right; column++) {
          const double weight = share(row, y * down, (y + 1) * down) * share(column, x * right, (x + 1) * right);
          const uint8_t *pixel = large + 4 * ((size_t)row * large_width + column);
          weights += weight;
          for (int channel = 0; channel < 4; channel++) sums[channel] += weight * pixel[channel];
        }
      }
      const uint8_t *pixel = small + 4 * ((size_t)y * width + x);
      for (int channel = 0; channel < 4; channel++) {
        difference[channel] += fabs(round(sums[channel] / weights) - pixel[channel]);
      }
    }
  }
  for (int channel = 0; channel < 4; channel++) difference[channel] /= (double)width * height;
}
