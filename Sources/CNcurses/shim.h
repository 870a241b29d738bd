#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H

#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#define NCURSES_WIDECHAR 1
#include <locale.h>
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

static inline int nc_rows(void) { return getmaxy(stdscr); }
static inline int nc_columns(void) { return getmaxx(stdscr); }
static inline void nc_erase(void) { werase(stdscr); }
static inline void nc_refresh(void) { wrefresh(stdscr); }
static inline void nc_move(int row, int column) { wmove(stdscr, row, column); }
static inline void nc_add(const wchar_t *text, int count) { waddnwstr(stdscr, text, count); }
static inline void nc_reverse(bool on) { if (on) wattron(stdscr, A_REVERSE); else wattroff(stdscr, A_REVERSE); }
static inline void nc_dim(bool on) { if (on) wattron(stdscr, A_DIM); else wattroff(stdscr, A_DIM); }
static inline void nc_bold(bool on) { if (on) wattron(stdscr, A_BOLD); else wattroff(stdscr, A_BOLD); }

/// Waits at most `milliseconds` for a key; ERR (-1) when none came. Characters that are no keys come as themselves.
static inline int nc_key(int milliseconds) {
  wint_t character = 0;
  wtimeout(stdscr, milliseconds);
  int kind = wget_wch(stdscr, &character);
  return kind == ERR ? ERR : (int)character;
}

enum {
  nc_up = KEY_UP, nc_down = KEY_DOWN, nc_page_up = KEY_PPAGE, nc_page_down = KEY_NPAGE, nc_home = KEY_HOME,
  nc_end = KEY_END, nc_resize = KEY_RESIZE
};

#endif
