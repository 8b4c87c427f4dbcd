/* hosts.h: the modes that were found, and a host process for each that is needed: start on demand, talk in batches,
 * notice crashes and hangs, restart, give up on a mode that keeps failing.
 */
#ifndef WARREN_HOSTS_H
#define WARREN_HOSTS_H

#include "daemon.h"

/* Looks for NAME.so in the directories of mode_path (the first of a name wins) and starts a host for each, to learn
 * what it is. false: no directory holds a mode; the sentence names them. */
bool wn_hosts_find(wn_daemon *daemon, wn_error *error);
/* Starts hosts for modes that have come since, and once more for those that were given up on. */
void wn_hosts_look_again(wn_daemon *daemon);
void wn_hosts_free(wn_daemon *daemon);

/* The mode of that name, whatever its state; NULL: there is none. */
wn_installed_mode *wn_hosts_lookup(wn_daemon *daemon, const char *mode);
/* true when every mode has said what it is, or failed. */
bool wn_hosts_settled(const wn_daemon *daemon);

/* Starts it unless it runs. Messages may be sent at once; they wait for it. */
void wn_host_start(wn_installed_mode *host);
/* Sends a message; `answered`: an answer will come, within the turn limit. */
void wn_host_send(wn_installed_mode *host, const Warren__Host__ToHost *message, bool answered);
/* The same for a message that is written in place, without the frame: into the buffer between the two calls. The
 * process must be there (pid). */
wn_buffer *wn_host_begin(wn_installed_mode *host);
void wn_host_end(wn_installed_mode *host);
/* Writes what was gathered for all hosts: one system call each. */
void wn_hosts_flush(wn_daemon *daemon);
/* What hosts said is done with: nothing of it is used any more. */
void wn_hosts_forget_answers(wn_daemon *daemon);
/* A world more or less: without any, the host is stopped after a while. */
void wn_host_add_game(wn_installed_mode *host, wn_game *game);
void wn_host_remove_game(wn_installed_mode *host, wn_game *game);
/* Asks all to finish and exit. */
void wn_hosts_stop(wn_daemon *daemon);
bool wn_hosts_stopped(const wn_daemon *daemon);
/* Ends them at once and waits for that. */
void wn_hosts_kill(wn_daemon *daemon);

#endif
