// Writes WebP by libwebp's encoder, and reads it as plainly as the library can, to compare with.
#ifndef CIMAGEFIXTURES_WEBP_FIXTURE_H
#define CIMAGEFIXTURES_WEBP_FIXTURE_H

#include <stddef.h>
#include <stdint.h>

// Memory that one of these functions gave, or NULL; free it by webp_fixture_free.
typedef struct {
  uint8_t *bytes;
  size_t count;
} webp_fixture_bytes;

void webp_fixture_free(webp_fixture_bytes bytes);

// A still picture from RGBA rows, alpha not multiplied in: lossy of that quality from 0 to 100, or lossless if it is below 0.
webp_fixture_bytes webp_fixture_encode(const uint8_t *rgba, int width, int height, float quality);

// All pixels of a still picture, decoded in one go: RGBA, colours multiplied by alpha.
webp_fixture_bytes webp_fixture_decode(const uint8_t *bytes, size_t count, int *width, int *height);

// All frames of an animation one after another, composed by the library's own WebPAnimDecoder: RGBA, colours multiplied by alpha.
webp_fixture_bytes webp_fixture_frames(const uint8_t *bytes, size_t count, int *width, int *height, int *frames);

// How far a picture is from the area-weighted mean of a larger one: of each channel the mean absolute difference. Both are RGBA.
void webp_fixture_difference(const uint8_t *large, int large_width, int large_height, const uint8_t *small, int width,
                             int height, double difference[4]);

#endif
