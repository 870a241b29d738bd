// Writes pictures for tests with the C libraries' encoders, and reads them back plainly, to compare with.
// One part a format; each in a file of its own.
#ifndef CIMAGEFIXTURES_H
#define CIMAGEFIXTURES_H

#include "jpeg_fixture.h"
#include "png_fixture.h"
#include "webp_fixture.h"

#endif
