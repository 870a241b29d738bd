// The functions that jump on errors are called from C only, in CImageCodecs.
#include <png.h>
