#include <stdio.h>
#include <webp/decode.h>
