/* world.h: the core of warren-host as a library: a loaded mode, the worlds of it, their retained views. No process, no
 * socket: main.c adds those. Tests use it to run a mode in their own process.
 */
#ifndef WARREN_HOST_WORLD_H
#define WARREN_HOST_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <warren/mode.h>

#include "wire.h"

/* a loaded mode */

typedef struct wn_plugin wn_plugin;

/* Loads and checks a mode. NULL with a sentence that names the file: not found, no wn_mode(), an ABI that does not fit
 * (both versions named), a descriptor that breaks a rule of mode.h (which entry, which rule). */
wn_plugin *wn_plugin_open(const char *path, wn_error *error);
const wn_mode_descriptor *wn_plugin_descriptor(const wn_plugin *plugin);
const char *wn_plugin_build(const wn_plugin *plugin);              /* changes when the file's content does */
void wn_plugin_describe(const wn_plugin *plugin, wn_buffer *mode); /* appends an encoded warren.Mode */
void wn_plugin_close(wn_plugin *plugin);

/* For warren-mode-check. Loads the mode and passes each rule that its descriptor breaks to `found`, of each part of it
 * the first. false with a sentence: it cannot be loaded, so that there is nothing to look at. */
typedef void wn_lint_found(void *context, const char *rule);
bool wn_plugin_lint(const char *path, wn_lint_found *found, void *context, wn_error *error);
/* Worlds made from here on run `mode` in the place of the plugin's own: a copy whose callbacks stand between. It must
 * live as long as the plugin. */
void wn_plugin_replace(wn_plugin *plugin, const wn_mode_descriptor *mode);

/* a world */

typedef struct wn_hosted wn_hosted;

/* What becomes of log lines of worlds; level as in mode.h. */
typedef void wn_host_log(void *context, uint32_t world, wn_log_level level, const char *text);

typedef struct wn_world_options {
    uint32_t id;
    uint64_t seed;
    const Warren__SettingValue *const *settings; /* those not named take the default; values are checked here too */
    size_t setting_count;
    size_t memory_limit;    /* of the mode's wn_alloc(), bytes; 0: 64 MiB */
    uint64_t snapshot_turn; /* with a snapshot: the turn it was taken after */
    const void *snapshot;   /* NULL: a new world */
    size_t snapshot_size;
    wn_host_log *log; /* NULL: dropped */
    void *log_context;
} wn_world_options;

wn_hosted *wn_hosted_new(wn_plugin *plugin, const wn_world_options *options, wn_error *error);
void wn_hosted_free(wn_hosted *world);

uint64_t wn_hosted_turn_number(const wn_hosted *world);
uint32_t wn_hosted_wake_ms(const wn_hosted *world);    /* as last asked for; 0: not */
const char *wn_hosted_outcome(const wn_hosted *world); /* NULL: it is not over */
/* A seat as it stands: NULL if free, else the player; `executed` gets the number of its last command (may be NULL). */
const char *wn_hosted_seat(const wn_hosted *world, uint32_t seat, uint32_t *executed);

/* Appends for each taken seat a field `field`: a SeatState. (For WorldCreated and Replayed, whose numbers differ.) */
void wn_hosted_write_seats(const wn_hosted *world, wn_buffer *buffer, uint32_t field);
/* Appends a field `field`, a WorldOver, if the world is over. */
void wn_hosted_write_over(const wn_hosted *world, wn_buffer *buffer, uint32_t field);
/* Appends for each question that waits for an answer a field `field`, an Asked. */
void wn_hosted_write_asked(const wn_hosted *world, uint32_t after, wn_buffer *buffer, uint32_t field);
/* The next turn's answer is to hold the hash of the state after it. */
void wn_hosted_report_hash(wn_hosted *world);

/* Executes one turn and draws the views that are watched. `inputs` is the encoded Inputs, kept in what is written:
 * appends one frame (FromHost with a TurnDone) to `out`. false, nothing executed: `inputs` do not decode, or `turn` is
 * not the next. Inputs that name what is not there (a free seat, an unknown action) are skipped and logged; a command
 * so skipped counts as executed. */
bool wn_hosted_turn(wn_hosted *world, uint64_t turn, const void *inputs, size_t size, wn_buffer *out, wn_error *error);

/* The view's next update gets a number above `sequence`: it was published already, by a host that died. */
void wn_hosted_continue(wn_hosted *world, int32_t seat, uint64_t sequence);

/* Starts or stops drawing a view (seat, or WN_SPECTATORS). on: draws it if it was not watched, and appends a frame with
 * a ViewUpdate that holds its keyframe. */
void wn_hosted_watch(wn_hosted *world, int32_t seat, bool on, wn_buffer *out);

/* Appends the world's snapshot: the mode's save() with the host's own part (turn, generator, seats, wake, places). */
void wn_hosted_save(wn_hosted *world, wn_buffer *snapshot);

/* Executes the turns of a warren.host.Replay without drawing, compares hashes, and appends one frame (FromHost with a
 * Replayed). They leave the world, its hash and the messages kept for its views as the turns themselves did; scores,
 * effects and log lines are not repeated. With `show` the last turn has its effects and log lines, and the watched
 * views are drawn after it: as after any turn if there was no other, else anew, with a keyframe, because a mode draws
 * what its last turn changed, or everything. */
void wn_hosted_replay(wn_hosted *world, const Warren__Host__Replay *replay, wn_buffer *out);

/* A hash (XXH64) of what wn_hosted_save() would write: equal worlds have equal hashes. Who watches, what was drawn and
 * whether turns were live or replayed does not go into it. It costs what saving costs, and little more. */
uint64_t wn_hosted_hash(wn_hosted *world);

/* a view, for tests and for the encoder */

typedef struct wn_view_sprite {
    uint32_t id, at, tile, facing;
    const char *label; /* "": none */
} wn_view_sprite;

/* What a watched view shows now. NULL pointers and zeros if it is not watched. Asking brings the picture of a late view
 * up to what is due, so the world is not const. */
typedef struct wn_view_state {
    uint32_t width, height;
    const uint16_t *cells;
    const wn_view_sprite *sprites; /* sorted by id */
    uint32_t sprite_count;
    uint32_t focus; /* UINT32_MAX: none */
    const char *banner;
    uint64_t sequence;
} wn_view_state;
void wn_hosted_view(wn_hosted *world, int32_t seat, wn_view_state *state);
/* A status field: false if it was never set. `text` may be NULL to ask for numbers only. */
bool wn_hosted_status(wn_hosted *world, int32_t seat, uint32_t field, int64_t *number, int64_t *maximum,
                      const char **text);

/* What the mode holds of wn_alloc(), in bytes, as it counts against the limit. */
size_t wn_hosted_memory(const wn_hosted *world);

/* The mode's handle and state, so that a test can look at them. */
wn_world *wn_hosted_handle(wn_hosted *world);

#endif
