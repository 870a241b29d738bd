// What libjpeg and libpng need from C: they leave their functions by longjmp on errors, and that may not cross a Swift
// frame. Each function here sets its own landing place and returns a status.
#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H

#include "jpeg_reader.h"
#include "png_reader.h"

#endif
