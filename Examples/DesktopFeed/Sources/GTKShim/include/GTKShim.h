#pragma once
#include <gtk/gtk.h>

// MARK: - A list model that asks Swift

/// A row as GTK knows it: an object without content, which says by being the same that the row is the same.
gpointer feed_row_new(void);

/// Gives the row at a position; the caller owns a reference.
typedef gpointer (*FeedRowAt)(gpointer context, guint position);

/// A GListModel of `feed_model_set_count` rows, each asked of `row_at`. `context` must outlive it.
GListModel *feed_model_new(FeedRowAt row_at, gpointer context);

/// Tells GTK that `removed` rows at `position` made room for `added` others.
void feed_model_splice(GListModel *model, guint position, guint removed, guint added);

// MARK: - Signals

typedef void (*FeedAction)(gpointer context);
/// Calls `action` when `instance` sends a signal, whatever else the signal says.
void feed_connect(gpointer instance, const char *signal, FeedAction action, gpointer context);

typedef void (*FeedPositionAction)(gpointer context, GtkPositionType edge);
/// Calls `action` when somebody scrolls a scrolled window beyond an edge.
void feed_connect_overshot(gpointer scrolled, FeedPositionAction action, gpointer context);

/// Presses a button, as a click does.
void feed_click(gpointer button);

/// Pulls beyond an edge, as a finger does.
void feed_overshoot(gpointer scrolled, GtkPositionType edge);

typedef void (*FeedItemAction)(gpointer context, GtkListItem *item);
/// A factory of rows: widgets are made in `setup`, get a row in `bind` and lose it in `unbind`.
GtkListItemFactory *feed_factory_new(
    FeedItemAction setup, FeedItemAction bind, FeedItemAction unbind, FeedItemAction teardown, gpointer context);

// MARK: - The main actor

/// Calls `action` from GTK's loop whenever the main dispatch queue has work.
void feed_watch_main_queue(FeedAction action);
/// Runs what the main dispatch queue has. On the main thread only.
void feed_drain_main_queue(void);
