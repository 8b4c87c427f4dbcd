/* sessions-notices.c: what sessions are told without having asked. See sessions.h.
 */
#include "network/control.h"
#include "sessions/sessions-internal.h"

static void send_notice(wn_daemon *daemon, const wn_session *session, Warren__Notice *notice)
{
    Warren__Reply reply = WARREN__REPLY__INIT;
    if (session->peer != NULL) {
        reply.body_case = WARREN__REPLY__BODY_NOTICE;
        reply.notice = notice;
        wn_control_reply(daemon, session->peer, 0, &reply);
    }
}

void wn_session_notice(wn_daemon *daemon, const wn_session *session, Warren__NoticeKind kind, const wn_game *game,
                       const char *text)
{
    Warren__Notice notice = WARREN__NOTICE__INIT;
    notice.kind = kind;
    notice.has_world = game != NULL;
    notice.world = game != NULL ? game->id : 0;
    notice.text = (char *)(uintptr_t)text;
    send_notice(daemon, session, &notice);
}

void wn_sessions_send_notice(wn_daemon *daemon, const wn_game *game, Warren__Notice *notice)
{
    uint32_t seat = 0;
    notice->has_world = true;
    notice->world = game->id;
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        if (wn_session_has_seat(session, game, &seat) || wn_session_watches(session, game)) {
            send_notice(daemon, session, notice);
        }
    }
}

void wn_sessions_notice_game(wn_daemon *daemon, const wn_game *game, Warren__NoticeKind kind, const char *text)
{
    Warren__Notice notice = WARREN__NOTICE__INIT;
    notice.kind = kind;
    notice.text = (char *)(uintptr_t)text;
    wn_sessions_send_notice(daemon, game, &notice);
}

void wn_sessions_notice_all(wn_daemon *daemon, Warren__NoticeKind kind, const char *text)
{
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        wn_session_notice(daemon, session, kind, NULL, text);
    }
}
