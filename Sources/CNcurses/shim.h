#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H

#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#define NCURSES_WIDECHAR 1
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>
#include <curses.h>

/* Swift sees neither macros with casts nor the library's changing globals: these are the few that are needed. */

/// Opens the terminal; NULL when it can't be driven. Unlike initscr it does not end the program then.
static inline SCREEN *nc_open(void) {
  SCREEN *screen = newterm(NULL, stdout, stdin);
  if (screen == NULL) return NULL;
  cbreak();
  noecho();
  nonl();
  intrflush(stdscr, FALSE);
  keypad(stdscr, TRUE);
  curs_set(0);
  return screen;
}

/// Gives the terminal back as it was.
static inline void nc_close(SCREEN *screen) {
  endwin();
  delscreen(screen);
}

/// How a text looks.
enum nc_look { nc_plain, nc_faint, nc_strong, nc_inverse };

static inline int nc_rows(void) { return getmaxy(stdscr); }
static inline int nc_columns(void) { return getmaxx(stdscr); }
static inline void nc_erase(void) { werase(stdscr); }
static inline void nc_refresh(void) { wrefresh(stdscr); }
static inline void nc_move(int row, int column) { wmove(stdscr, row, column); }
static inline void nc_style(enum nc_look look) {
  static const attr_t attributes[] = {A_NORMAL, A_DIM, A_BOLD, A_REVERSE};
  wattrset(stdscr, (int)attributes[look]);
}

/// Writes characters, given by their Unicode numbers.
static inline void nc_add(const uint32_t *text, int count) { waddnwstr(stdscr, (const wchar_t *)text, count); }

/// How many columns a character takes; below 0 where it can't be shown.
static inline int nc_width(uint32_t character) { return wcwidth((wchar_t)character); }

/// Whether the locale knows no characters but those of one byte.
static inline bool nc_is_single_byte(void) { return MB_CUR_MAX == 1; }

/// Waits at most `milliseconds` for a key; below 0 when none came. A character that is no key comes as its number.
static inline int nc_key(int milliseconds) {
  wint_t character = 0;
  wtimeout(stdscr, milliseconds);
  return wget_wch(stdscr, &character) == ERR ? -1 : (int)character;
}

enum nc_keys {
  nc_up = KEY_UP, nc_down = KEY_DOWN, nc_page_up = KEY_PPAGE, nc_page_down = KEY_NPAGE, nc_home = KEY_HOME,
  nc_end = KEY_END, nc_resize = KEY_RESIZE
};

#endif
