#ifndef CIMAGEFIXTURES_JPEG_H
#define CIMAGEFIXTURES_JPEG_H

#include <stddef.h>
#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) jpeg_fixture_process {
  // One scan.
  jpeg_fixture_process_baseline = 0,
  // Sequential, a scan for each component.
  jpeg_fixture_process_separate,
  // The library's own ten scans (six for gray).
  jpeg_fixture_process_progressive,
  // A scan of means and one of all else for each component, without successive bits.
  jpeg_fixture_process_spectral,
} jpeg_fixture_process;

typedef enum __attribute__((enum_extensibility(closed))) jpeg_fixture_colors {
  jpeg_fixture_colors_gray = 0,
  jpeg_fixture_colors_ycc,
  jpeg_fixture_colors_rgb,
  jpeg_fixture_colors_cmyk,
  jpeg_fixture_colors_ycck,
} jpeg_fixture_colors;

typedef struct jpeg_fixture {
  jpeg_fixture_process process;
  jpeg_fixture_colors colors;
  int32_t quality;
  // Samples of the first component for one of the others, 1 or 2 (3 and 4 are legal too).
  int32_t horizontal;
  int32_t vertical;
  // Rows of blocks between restart markers; 0 for none.
  int32_t restart_rows;
  int32_t is_arithmetic;
} jpeg_fixture;

// The file, to be given back by jpeg_fixture_free; NULL where the library refuses. Ink is stored inverted with Adobe's marker.
uint8_t *jpeg_fixture_write(const uint8_t *rgba, int32_t width, int32_t height, jpeg_fixture options, size_t *length);

// The whole picture as libjpeg gives it with its defaults, `components` bytes a pixel: 1 gray, 3 RGB, 4 CMYK as stored. To be given back
// by jpeg_fixture_free; NULL where the library refuses. `scale`: 1, 2, 4 or 8 for the picture at 1/scale.
uint8_t *jpeg_fixture_read(
    const uint8_t *data, size_t length, int32_t scale, int32_t *width, int32_t *height, int32_t *components);

void jpeg_fixture_free(uint8_t *memory);

#endif
