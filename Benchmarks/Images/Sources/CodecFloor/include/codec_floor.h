// What the C libraries need for a thumbnail when C calls them directly: the floor that our decoders are measured against.
#ifndef CODEC_FLOOR_H
#define CODEC_FLOOR_H

#include <stddef.h>
#include <stdint.h>

// Decodes a file's bytes into RGBA pixels that fit into `side` x `side`: scaled by the library where it can, the rest by area.
// With `whole`, the library decodes at the file's own size. Returns memory for free(), or NULL.
uint8_t *floor_decode(const uint8_t *bytes, size_t count, int side, int whole, int *width, int *height);

#endif
