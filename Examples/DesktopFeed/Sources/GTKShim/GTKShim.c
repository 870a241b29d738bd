#include "GTKShim.h"
#include <glib-unix.h>
#include <sys/eventfd.h>

// MARK: - A list model that asks Swift

typedef struct { GObject parent; } FeedRow;
typedef struct { GObjectClass parent; } FeedRowClass;
G_DEFINE_TYPE(FeedRow, feed_row, G_TYPE_OBJECT)
static void feed_row_class_init(FeedRowClass *klass) {}
static void feed_row_init(FeedRow *row) {}
gpointer feed_row_new(void) { return g_object_new(feed_row_get_type(), NULL); }

typedef struct {
  GObject parent;
  FeedRowAt row_at;
  gpointer context;
  guint count;
} FeedModel;
typedef struct { GObjectClass parent; } FeedModelClass;

static GType item_type(GListModel *model) { return feed_row_get_type(); }
static guint item_count(GListModel *model) { return ((FeedModel *)model)->count; }
static gpointer item_at(GListModel *model, guint position) {
  FeedModel *feed = (FeedModel *)model;
  return position < feed->count ? feed->row_at(feed->context, position) : NULL;
}
static void feed_model_list_init(GListModelInterface *list) {
  list->get_item_type = item_type;
  list->get_n_items = item_count;
  list->get_item = item_at;
}
G_DEFINE_TYPE_WITH_CODE(FeedModel, feed_model, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, feed_model_list_init))
static void feed_model_class_init(FeedModelClass *klass) {}
static void feed_model_init(FeedModel *model) {}

GListModel *feed_model_new(FeedRowAt row_at, gpointer context) {
  FeedModel *feed = g_object_new(feed_model_get_type(), NULL);
  feed->row_at = row_at;
  feed->context = context;
  return G_LIST_MODEL(feed);
}

void feed_model_splice(GListModel *model, guint position, guint removed, guint added) {
  FeedModel *feed = (FeedModel *)model;
  feed->count = feed->count - removed + added;
  g_list_model_items_changed(model, position, removed, added);
}

// MARK: - Signals

void feed_connect(gpointer instance, const char *signal, FeedAction action, gpointer context) {
  // Swapped, so that the context comes first and what else the signal says is left over.
  g_signal_connect_swapped(instance, signal, G_CALLBACK(action), context);
}

void feed_connect_overshot(gpointer scrolled, FeedPositionAction action, gpointer context) {
  g_signal_connect_swapped(scrolled, "edge-overshot", G_CALLBACK(action), context);
}

void feed_overshoot(gpointer scrolled, GtkPositionType edge) { g_signal_emit_by_name(scrolled, "edge-overshot", edge); }

void feed_click(gpointer button) { g_signal_emit_by_name(button, "clicked"); }

GtkListItemFactory *feed_factory_new(
    FeedItemAction setup, FeedItemAction bind, FeedItemAction unbind, FeedItemAction teardown, gpointer context) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect_swapped(factory, "setup", G_CALLBACK(setup), context);
  g_signal_connect_swapped(factory, "bind", G_CALLBACK(bind), context);
  g_signal_connect_swapped(factory, "unbind", G_CALLBACK(unbind), context);
  g_signal_connect_swapped(factory, "teardown", G_CALLBACK(teardown), context);
  return factory;
}

// MARK: - The main actor

// Exported by libdispatch for run loops that are not its own; Foundation's CFRunLoop is built on them too. On Linux the handle is
// an event file descriptor, which is readable while the queue has work.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

static gboolean main_queue_has_work(gint descriptor, GIOCondition condition, gpointer action) {
  eventfd_t count;
  eventfd_read(descriptor, &count);
  ((FeedAction)action)(NULL);
  return G_SOURCE_CONTINUE;
}

void feed_watch_main_queue(FeedAction action) {
  g_unix_fd_add(_dispatch_get_main_queue_handle_4CF(), G_IO_IN, main_queue_has_work, action);
}

void feed_drain_main_queue(void) { _dispatch_main_queue_callback_4CF(NULL); }
