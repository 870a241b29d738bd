#include "jpeg_fixture.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

struct landing {
  struct jpeg_error_mgr errors;
  jmp_buf place;
};

static void on_error(j_common_ptr info) { longjmp(((struct landing *)info->err)->place, 1); }
static void on_message(j_common_ptr info, int level) { (void)info, (void)level; }

static struct jpeg_error_mgr *quiet(struct landing *landing) {
  jpeg_std_error(&landing->errors);
  landing->errors.error_exit = on_error;
  landing->errors.emit_message = on_message;
  return &landing->errors;
}

// MARK: - Writing

static J_COLOR_SPACE stored_space(jpeg_fixture_colors colors) {
  switch (colors) {
  case jpeg_fixture_colors_gray: return JCS_GRAYSCALE;
  case jpeg_fixture_colors_ycc: return JCS_YCbCr;
  case jpeg_fixture_colors_rgb: return JCS_RGB;
  case jpeg_fixture_colors_cmyk: return JCS_CMYK;
  case jpeg_fixture_colors_ycck: return JCS_YCCK;
  }
  return JCS_UNKNOWN;
}

// As Adobe's programs do: what is left of the light, not the ink.
static void inks(const uint8_t *rgba, uint8_t *row, int32_t width) {
  for (int32_t x = 0; x < width; x++, rgba += 4, row += 4) {
    int light = rgba[0] > rgba[1] ? rgba[0] : rgba[1];
    if (rgba[2] > light) light = rgba[2];
    for (int channel = 0; channel < 3; channel++) {
      row[channel] = (uint8_t)(light == 0 ? 255 : (rgba[channel] * 255 + light / 2) / light);
    }
    row[3] = (uint8_t)light;
  }
}

static int spectral_scans(struct jpeg_compress_struct *info, jpeg_scan_info *scans) {
  int count = 0;
  for (int component = 0; component < info->num_components; component++) {
    scans[count++] = (jpeg_scan_info){.comps_in_scan = 1, .component_index = {component}};
  }
  for (int component = 0; component < info->num_components; component++) {
    scans[count++] = (jpeg_scan_info){.comps_in_scan = 1, .component_index = {component}, .Ss = 1, .Se = 63};
  }
  return count;
}

static int separate_scans(struct jpeg_compress_struct *info, jpeg_scan_info *scans) {
  for (int component = 0; component < info->num_components; component++) {
    scans[component] = (jpeg_scan_info){.comps_in_scan = 1, .component_index = {component}, .Se = 63};
  }
  return info->num_components;
}

static void configure(struct jpeg_compress_struct *info, jpeg_fixture options, jpeg_scan_info *scans) {
  jpeg_set_defaults(info);
  jpeg_set_colorspace(info, stored_space(options.colors));
  jpeg_set_quality(info, options.quality, TRUE);
  if (info->num_components > 1) {
    info->comp_info[0].h_samp_factor = options.horizontal;
    info->comp_info[0].v_samp_factor = options.vertical;
    for (int index = 1; index < 3; index++) {
      info->comp_info[index].h_samp_factor = info->comp_info[index].v_samp_factor = 1;
    }
  }
  if (info->num_components == 4) {
    info->comp_info[3].h_samp_factor = options.horizontal;
    info->comp_info[3].v_samp_factor = options.vertical;
  }
  info->arith_code = options.is_arithmetic != 0;
  info->restart_in_rows = options.restart_rows;
  switch (options.process) {
  case jpeg_fixture_process_baseline: break;
  case jpeg_fixture_process_progressive: jpeg_simple_progression(info); break;
  case jpeg_fixture_process_separate:
    info->num_scans = separate_scans(info, scans);
    info->scan_info = scans;
    break;
  case jpeg_fixture_process_spectral:
    info->num_scans = spectral_scans(info, scans);
    info->scan_info = scans;
    break;
  }
}

uint8_t *jpeg_fixture_write(const uint8_t *rgba, int32_t width, int32_t height, jpeg_fixture options, size_t *length) {
  struct jpeg_compress_struct info;
  struct landing landing;
  jpeg_scan_info scans[8];
  const int has_ink = options.colors == jpeg_fixture_colors_cmyk || options.colors == jpeg_fixture_colors_ycck;
  uint8_t *row = malloc((size_t)width * 4);
  unsigned char *volatile file = NULL;
  unsigned char *memory = NULL;
  unsigned long size = 0;
  info.err = quiet(&landing);
  if (row == NULL || setjmp(landing.place)) {
    free(row);
    return NULL;
  }
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, &memory, &size);
  info.image_width = (JDIMENSION)width;
  info.image_height = (JDIMENSION)height;
  info.input_components = 4;
  info.in_color_space = has_ink ? JCS_CMYK : JCS_EXT_RGBX;
  configure(&info, options, scans);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    const uint8_t *source = rgba + (size_t)info.next_scanline * (size_t)width * 4;
    if (has_ink) inks(source, row, width);
    JSAMPROW pointer = has_ink ? row : (JSAMPROW)source;
    jpeg_write_scanlines(&info, &pointer, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  free(row);
  file = memory;
  *length = size;
  return file;
}

// MARK: - Reading

uint8_t *jpeg_fixture_read(
    const uint8_t *data, size_t length, int32_t scale, int32_t *width, int32_t *height, int32_t *components) {
  struct jpeg_decompress_struct info;
  struct landing landing;
  uint8_t *volatile pixels = NULL;
  info.err = quiet(&landing);
  if (setjmp(landing.place)) {
    jpeg_destroy_decompress(&info);
    free(pixels);
    return NULL;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, data, length);
  jpeg_read_header(&info, TRUE);
  if (info.jpeg_color_space == JCS_YCCK) info.out_color_space = JCS_CMYK;
  info.scale_denom = (unsigned int)scale;
  jpeg_start_decompress(&info);
  const size_t row_bytes = (size_t)info.output_width * (size_t)info.output_components;
  pixels = malloc(row_bytes * info.output_height);
  if (pixels == NULL) longjmp(landing.place, 1);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = pixels + row_bytes * info.output_scanline;
    jpeg_read_scanlines(&info, &row, 1);
  }
  *width = (int32_t)info.output_width;
  *height = (int32_t)info.output_height;
  *components = info.output_components;
  jpeg_destroy_decompress(&info);
  return pixels;
}

void jpeg_fixture_free(uint8_t *memory) { free(memory); }
