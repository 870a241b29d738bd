// The functions that jump on errors are called from C only, in CImageCodecs.
#include <stdio.h>
#include <jpeglib.h>
