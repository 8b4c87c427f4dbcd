/* session-file.h: the session of a running `warren` as a file, so that after kill -9 the next one can go on with it. It
 * knows no protocol: a token is bytes that belong to a server's address and a wanted name.
 *
 * Files are session-1, session-2, ... in a directory of the user's own; each is locked while its process lives, so that
 * two of them never take each other's. */
#ifndef WARREN_CLIENT_SESSION_FILE_H
#define WARREN_CLIENT_SESSION_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

enum { WN_SESSION_FILES = 64 }; /* the most that are kept; then what nobody uses is overwritten */

typedef struct wn_session_file {
    int directory, file; /* descriptors; -1: nothing is kept */
    unsigned number;     /* of session-N */
    char server[256];
    char player[WN_NAME_BYTES + 1];
    uint8_t token[WN_KEY_BYTES];
    bool kept; /* the file has `token` */
} wn_session_file;

/* $XDG_RUNTIME_DIR/warren/sessions, else $XDG_STATE_HOME/warren/sessions, else ~/.local/state/warren/sessions. false:
 * none of them can be named. */
bool wn_session_directory(char *path, size_t size);

/* Takes the first file that no living process holds and that is of this server and wanted name ("": a guest's), else a
 * new one; with `fresh` always a new one. Found, `kept` and `token` say so. The directory is made if it is not there;
 * NULL: there is none. false with a sentence in `problem`: nothing can be kept. The file can be used all the same, and
 * does nothing. */
bool wn_session_file_open(wn_session_file *file, const char *directory, const char *server, const char *player,
                          bool fresh, wn_error *problem);
/* Keeps the token: after this returns, and not before, it is there for the next process; never half of it. */
bool wn_session_file_write(wn_session_file *file, const uint8_t token[WN_KEY_BYTES], wn_error *problem);
/* Lets go of it. `keep`: for the next process; else it is removed, as is one that nothing was ever written to. */
void wn_session_file_close(wn_session_file *file, bool keep);

#endif
