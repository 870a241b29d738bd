#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// How often this process has asked for memory so far, on all threads; a block that is moved to be larger counts too.
uint64_t allocation_count(void);

/// How many bytes it has asked for and not given back, as far as the system rounds them up.
uint64_t allocated_bytes(void);

#endif
