// The program that links this has its own malloc: the C library's, counted. What the program defines comes before what the
// libraries do, for Swift's runtime and SQLite too, so that nothing has to be preloaded.

#include "allocation_counter.h"

#ifdef __linux__

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_uint_fast64_t count;
static atomic_uint_fast64_t bytes;

static void *counted(void *block) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  if (block) atomic_fetch_add_explicit(&bytes, malloc_usable_size(block), memory_order_relaxed);
  return block;
}

static void given_back(void *block) {
  if (block) atomic_fetch_sub_explicit(&bytes, malloc_usable_size(block), memory_order_relaxed);
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size)); }
void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *made = counted(__libc_memalign(alignment, size));
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}

void *realloc(void *block, size_t size) {
  given_back(block);
  return counted(__libc_realloc(block, size));
}

void free(void *block) {
  given_back(block);
  __libc_free(block);
}

uint64_t allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }
uint64_t allocated_bytes(void) { return atomic_load_explicit(&bytes, memory_order_relaxed); }

#else

uint64_t allocation_count(void) { return 0; }
uint64_t allocated_bytes(void) { return 0; }

#endif
