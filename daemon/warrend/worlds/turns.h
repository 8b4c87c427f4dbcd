/* turns.h: what goes into worlds and what comes out. Inputs are gathered until the end of the loop's pass; then every
 * world that has some, and no turn at its host, gets one turn. Answers are held until the store has taken the journal
 * entries of all of them; only then does anybody hear of them: append, then publish.
 */
#ifndef WARREN_TURNS_H
#define WARREN_TURNS_H

#include "daemon.h"

/* Inputs for the world's next turn. */
void wn_turns_join(wn_game *game, uint32_t seat, const char *player, uint32_t entry);
void wn_turns_leave(wn_game *game, uint32_t seat);
bool wn_turns_chat(wn_game *game, const char *from, const char *text); /* false: too much is waiting */
/* The seat is free: a join or leave of it that was not given out yet must not meet who takes it next. */
void wn_turns_forget_seat(wn_game *game, uint32_t seat);
/* A seat's command. false: its queue is full. */
/* An answer to a question of the world's; NULL: there is none. */
void wn_turns_answer_job(wn_game *game, uint32_t serial, const void *answer, size_t size);
/* Commands of a seat that may wait: what the mode wants, up to the daemon's limit. */
uint32_t wn_turns_type_ahead(const wn_game *game);
bool wn_turns_command(wn_game *game, wn_seat *seat, const wn_queued_command *command);

/* Marks a world that may have something for a turn, for the end of the pass. */
void wn_turns_due(wn_game *game);
/* Sets the world's wake-up as its mode asked for. 0: none. */
void wn_turns_wake(wn_game *game, uint32_t milliseconds);
/* Gives every due world its turn. */
void wn_turns_dispatch(wn_daemon *daemon);
/* No turn comes any more: refuses the commands that wait. */
void wn_turns_refuse_waiting(wn_game *game, const wn_error *error);
/* The turn in flight will not be answered: drops it, with an error to whoever sent its commands (`blamed`), or asks
 * for it again. */
void wn_turns_drop_flight(wn_game *game, const char *reason);
void wn_turns_repeat_flight(wn_game *game);

/* A host's answer. It lives in the host's arena until wn_turns_commit() has made it public. false: it is a lie, and the
 * error says which. */
bool wn_turns_answer(wn_installed_mode *mode, Warren__Host__FromHost *message, wn_error *error);
/* Makes the journal entries of all held answers durable, then makes the answers public. */
void wn_turns_commit(wn_daemon *daemon);

#endif
