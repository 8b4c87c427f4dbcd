/* complete-offers.h: what a server has that may stand on a command line: worlds, players, modes, settings, names and
 * what it keeps about who may do what.
 */
#ifndef WARREN_CTL_COMPLETE_OFFERS_H
#define WARREN_CTL_COMPLETE_OFFERS_H

#include <stdbool.h>
#include <stddef.h>

/* Where a word is being typed. */
typedef struct wn_offers {
    const char *server;  /* as for wn_session_open() */
    const char *last;    /* the word; offers begin with it */
    const char *command; /* that it is an argument of */
    char **words;        /* those of its arguments that came before */
    int word_count;
} wn_offers;

/* Prints the word if it begins with what was typed. */
void wn_offer(const wn_offers *at, const char *word);
/* Prints what may stand for `word` of the command's help, "WORLD" say, of `length` bytes. false: it is none that a
 * server has an answer to. Without a server nothing is printed. */
bool wn_offer_known(const wn_offers *at, const char *word, size_t length);

#endif
