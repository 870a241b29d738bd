#include "png_reader.h"

#include <png.h>

unsigned int image_png_library_version(void) { return png_access_version_number(); }
