#include <stdio.h>
#include <jpeglib.h>

#include "jpeg_reader.h"

int image_jpeg_library_version(void) { return JPEG_LIB_VERSION; }
