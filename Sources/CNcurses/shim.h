#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H

#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#define NCURSES_WIDECHAR 1
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>
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
  /* How long the library waits whether an escape is a key of its own, in milliseconds; by itself it waits a second. */
  set_escdelay(25);
  if (has_colors()) {
    start_color();
    use_default_colors();
  }
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
static inline void nc_refresh(void) { wrefresh(stdscr); }

/// Fits the screen to the size of the terminal, as the system knows it.
static inline void nc_fit(void) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
    resize_term(size.ws_row, size.ws_col);
}

/// Sends every cell again with the next refresh: what the terminal shows is not known any more.
static inline void nc_repaint(void) { clearok(stdscr, TRUE); }

/// Empties a line and goes to its start.
static inline void nc_begin_line(int row) {
  wattr_set(stdscr, A_NORMAL, 0, NULL);
  wmove(stdscr, row, 0);
  wclrtoeol(stdscr);
}

/// How many colours there are; 0 without any.
static inline int nc_colors(void) { return has_colors() ? COLORS : 0; }
/// How many pairs of colours can be in use at the same time, with that of the terminal's own.
static inline int nc_pairs(void) { return has_colors() ? COLOR_PAIRS : 1; }
/// Gives a pair its colours; -1 is the terminal's own.
static inline void nc_set_pair(int pair, int foreground, int background) {
  init_pair((short)pair, (short)foreground, (short)background);
}

/// What follows looks so; pair 0 is that of the terminal's own colours.
static inline void nc_style(enum nc_look look, int pair) {
  static const attr_t attributes[] = {A_NORMAL, A_DIM, A_BOLD, A_REVERSE};
  wattr_set(stdscr, attributes[look], (short)pair, NULL);
}

/// Writes characters, given by their Unicode numbers.
static inline void nc_add(const uint32_t *text, int count) { waddnwstr(stdscr, (const wchar_t *)text, count); }

/// How many columns a character takes; below 0 where it can't be shown.
static inline int nc_width(uint32_t character) { return wcwidth((wchar_t)character); }

/// Whether the locale knows no characters but those of one byte.
static inline bool nc_is_single_byte(void) { return MB_CUR_MAX == 1; }

/// The next key that was pressed: 0 for none, a character as its number, another key as the negative of its code.
static inline int nc_key(void) {
  wint_t character = 0;
  wtimeout(stdscr, 0);
  switch (wget_wch(stdscr, &character)) {
    case OK: return (int)character;
    case KEY_CODE_YES: return -(int)character;
    default: return 0;
  }
}

enum nc_keys {
  nc_up = KEY_UP, nc_down = KEY_DOWN, nc_page_up = KEY_PPAGE, nc_page_down = KEY_NPAGE, nc_home = KEY_HOME,
  nc_end = KEY_END, nc_enter = KEY_ENTER, nc_backspace = KEY_BACKSPACE
};

#endif
