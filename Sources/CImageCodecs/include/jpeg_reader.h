// Reads a JPEG from memory, row by row, at one of the scales that libjpeg computes fast.
#ifndef CIMAGECODECS_JPEG_READER_H
#define CIMAGECODECS_JPEG_READER_H

// The number of the libjpeg API that this is compiled for.
int image_jpeg_library_version(void);

#endif
