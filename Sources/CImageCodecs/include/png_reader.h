// Reads a PNG from memory, row by row.
#ifndef CIMAGECODECS_PNG_READER_H
#define CIMAGECODECS_PNG_READER_H

// The version of libpng that runs.
unsigned int image_png_library_version(void);

#endif
