/* watchers.c: see watchers.h. */
#include "sessions/watchers.h"

#include "memory.h"
#include "sessions/sessions.h"
#include "worlds/directory.h"

enum {
    GATHER_MS = 100 /* a crowd that comes at once is one piece of news */
};

static size_t list(const wn_game *game, char **names)
{
    size_t count = 0;
    const wn_daemon *daemon = game->daemon;
    for (wn_session *session = game->watchers > 0 ? zhashx_first(daemon->sessions) : NULL;
         session != NULL && count < WN_WATCHERS_NAMED; session = zhashx_next(daemon->sessions)) {
        if (wn_session_watches(session, game)) {
            names[count++] = session->player;
        }
    }
    return count;
}

static void tell(void *context)
{
    wn_daemon *daemon = context;
    for (size_t i = 0; i < daemon->watchers_news_count; i++) {
        wn_game *game = wn_game_by_id(daemon, daemon->watchers_news[i]);
        Warren__Notice notice = WARREN__NOTICE__INIT;
        if (game == NULL) {
            continue;
        }
        game->watchers_news = false;
        notice.kind = WARREN__NOTICE_KIND__NOTICE_WATCHERS;
        notice.watchers = daemon->watcher_names;
        notice.n_watchers = list(game, daemon->watcher_names);
        wn_sessions_send_notice(daemon, game, &notice);
    }
    daemon->watchers_news_count = 0;
}

void wn_watchers_changed(wn_game *game)
{
    wn_daemon *daemon = game->daemon;
    if (game->watchers_news || daemon->stopping) {
        return;
    }
    game->watchers_news = true;
    WN_GROW(daemon->watchers_news, daemon->watchers_news_count, daemon->watchers_news_capacity);
    daemon->watchers_news[daemon->watchers_news_count++] = game->id;
    if (!wn_timer_armed(daemon->watchers_timer)) {
        wn_timer_set(daemon->watchers_timer, GATHER_MS);
    }
}

void wn_watchers_fill(const wn_game *game, Warren__Joined *joined)
{
    wn_daemon *daemon = game->daemon;
    joined->watchers = daemon->watcher_names;
    joined->n_watchers = list(game, daemon->watcher_names);
}

void wn_watchers_open(wn_daemon *daemon)
{
    daemon->watchers_timer = wn_timer_new(daemon->loop, tell, daemon);
}

void wn_watchers_close(wn_daemon *daemon)
{
    wn_timer_free(daemon->watchers_timer);
    daemon->watchers_timer = NULL;
    free(daemon->watchers_news);
}
