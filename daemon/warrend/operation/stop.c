/* stop.c: the daemon's end. See stop.h.
 */
#include "operation/stop.h"

#include "access/audit.h"
#include "modes/hosts.h"
#include "operation/service.h"
#include "sessions/sessions.h"
#include "worlds/bots.h"
#include "worlds/loading.h"
#include "worlds/snapshots.h"
#include "worlds/turns.h"

enum { STOP_MS = 10000 /* for worlds to be saved; then the journal has to do */ };

/* stopping */

static void stop_too_long(void *context)
{
    wn_daemon *daemon = context;
    wn_log_line(
        WN_LEVEL_WARNING, "daemon",
        "worlds are not saved in time: the next start plays their journals again; if their mode is another build by "
        "then, hosts.on_upgrade says what becomes of them");
    wn_loop_stop(daemon->loop);
}

void wn_stop_open(wn_daemon *daemon)
{
    daemon->stop_timer = wn_timer_new(daemon->loop, stop_too_long, daemon);
}

void wn_stop_close(wn_daemon *daemon)
{
    wn_timer_free(daemon->stop_timer);
}

void wn_stop_begin(wn_daemon *daemon, const char *why)
{
    if (daemon->stopping) {
        return;
    }
    wn_log_line(WN_LEVEL_INFO, "daemon", "stopping %s", why);
    daemon->stopping = true;
    wn_audit_left_out(daemon, true);
    wn_service_stopping();
    wn_sessions_notice_all(daemon, WARREN__NOTICE_KIND__NOTICE_STOPPING, "The server is stopping.");
    wn_timer_set(daemon->stop_timer, STOP_MS);
}

/* Bit by bit, at the end of passes: turns in flight, snapshots, hosts. */
void wn_stop_go_on(wn_daemon *daemon)
{
    if (!wn_snapshots_all_there(daemon) || daemon->held_count > 0) {
        return;
    }
    if (!daemon->saved) {
        daemon->saved = true;
        wn_snapshots_ask_all(daemon);
        if (!wn_snapshots_all_there(daemon)) {
            wn_hosts_flush(daemon);
            return;
        }
    }
    wn_hosts_stop(daemon);
    if (wn_hosts_stopped(daemon)) {
        wn_loop_stop(daemon->loop);
    }
}

/* draining */

/* In every world where somebody hears it: as chat, which every frontend shows. */
static void tell_all(wn_daemon *daemon, const char *text)
{
    for (wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        if (game->seats_taken + game->watchers > 0 && game->state != WN_GAME_PARKED) {
            wn_turns_chat(game, "", text);
        }
    }
}

void wn_drain_begin(wn_daemon *daemon)
{
    if (daemon->draining) {
        return;
    }
    daemon->draining = true;
    wn_log_line(WN_LEVEL_INFO, "daemon",
                "draining: nobody new is taken, and it stops when the last seat is left seats=%u", daemon->seats_taken);
    tell_all(daemon, "This server is closing: go on as long as you like, but nobody new is let in, and it stops when "
                     "the last player has left.");
    for (wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        wn_bots_stop(game);
    }
}

void wn_drain_undo(wn_daemon *daemon)
{
    if (!daemon->draining) {
        return;
    }
    daemon->draining = false;
    wn_log_line(WN_LEVEL_INFO, "daemon", "draining no more");
    tell_all(daemon, "This server stays open after all.");
    for (wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        wn_bots_start(game);
    }
}

/* Not before every world is loaded: who has a seat is not known until then. */
void wn_drain_pass(wn_daemon *daemon)
{
    if (daemon->draining && daemon->seats_taken == 0 && wn_loading_done(daemon)) {
        wn_stop_begin(daemon, "drained");
    }
}

bool wn_drain_refuses(const wn_daemon *daemon, wn_error *error)
{
    if (!daemon->draining) {
        return false;
    }
    wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0,
                 "this server is closing: nobody new is let in, and it stops when the last player has left; try again "
                 "later");
    return true;
}
