#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/// What tells SQLite to take a copy of what is bound. Its own constant for that is a cast, which Swift doesn't import.
static inline sqlite3_destructor_type csqlite_copies(void) { return SQLITE_TRANSIENT; }

#endif
