/* session.c: one question after the other to a daemon. It turns the client's events into answers and exit statuses. */
#include "session.h"

#include <stdio.h>
#include <time.h>

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Without a connection it was not the server that said ERROR_UNAVAILABLE, but the client that it is gone. */
static int status_of(const wn_session *session, Warren__ErrorCode code)
{
    switch (code) {
    case WARREN__ERROR_CODE__ERROR_NOT_ALLOWED:
    case WARREN__ERROR_CODE__ERROR_BANNED:
        return WN_EXIT_NOT_ALLOWED;
    case WARREN__ERROR_CODE__ERROR_UNAVAILABLE:
        return wn_client_get_state(session->client) == WN_CLIENT_CONNECTED ? WN_EXIT_LATER : WN_EXIT_UNAVAILABLE;
    default:
        return WN_EXIT_REFUSED;
    }
}

static void refuse(wn_session *session, const wn_error *error)
{
    fprintf(stderr, "warrenctl: %s\n", error->text);
    session->status = status_of(session, error->code);
}

/* Takes events until one settles it: the reply to `request`, or for request 0 the connection. */
static bool settle(wn_session *session, uint32_t request, const Warren__Reply **reply)
{
    wn_event event;
    while (wn_client_next(session->client, &event)) {
        if (event.kind == WN_EVENT_STATE && wn_client_get_state(session->client) == WN_CLIENT_REFUSED) {
            refuse(session, &event.error);
            return true;
        }
        if (event.request == 0 && event.kind == WN_EVENT_ERROR) {
            fprintf(stderr, "warrenctl: %s\n", event.error.text);
        }
        if (request != 0 && event.request == request && event.kind == WN_EVENT_ERROR) {
            refuse(session, &event.error);
            return true;
        }
        if (request != 0 && event.request == request && event.kind == WN_EVENT_REPLY) {
            *reply = event.reply;
            return true;
        }
    }
    return request == 0 && wn_client_get_state(session->client) == WN_CLIENT_CONNECTED;
}

static bool wait_for(wn_session *session, uint32_t request, const Warren__Reply **reply)
{
    const int64_t deadline = now_ms() + session->timeout_ms;
    while (!settle(session, request, reply)) {
        const int64_t left = deadline - now_ms();
        if (left <= 0) {
            session->status = WN_EXIT_UNAVAILABLE;
            return false;
        }
        wn_client_wait(session->client, (int)left);
    }
    return true;
}

bool wn_session_open(wn_session *session, const char *server, const char *player, uint32_t timeout_ms)
{
    wn_error error = {0};
    *session = (wn_session){.timeout_ms = timeout_ms};
    if (!wn_address_parse(&session->address, server, &error)) {
        fprintf(stderr, "warrenctl: %s\n", error.text);
        session->status = error.code == WARREN__ERROR_CODE__ERROR_NOT_FOUND ? WN_EXIT_UNAVAILABLE : WN_EXIT_USAGE;
        return false;
    }
    session->client = wn_client_new(&(wn_client_options){.address = &session->address,
                                                         .player = player,
                                                         .software = "warrenctl " WARREN_VERSION,
                                                         .reconnect_ms = 100},
                                    &error);
    if (session->client == NULL) {
        fprintf(stderr, "warrenctl: %s\n", error.text);
        session->status =
            error.code == WARREN__ERROR_CODE__ERROR_NOT_ALLOWED ? WN_EXIT_NOT_ALLOWED : WN_EXIT_UNAVAILABLE;
        return false;
    }
    const bool settled = wait_for(session, 0, NULL);
    const char *trouble = wn_client_trouble(session->client);
    trouble = trouble[0] == '\0' ? "Is warrend running there?" : trouble;
    if (!settled && wn_client_asks_key(session->client)) {
        fprintf(stderr,
                "warrenctl: The server at %s has not told its key within %.3g s. %s Give the "
                "key that its administrator has told you (?key=HEX after the address), or ?key=none if it has none.\n",
                session->address.control, timeout_ms / 1000.0, trouble);
    } else if (!settled) {
        fprintf(stderr,
                "warrenctl: No server answers at %s within %.3g s. %s Name another with "
                "--server, or wait longer with --timeout.\n",
                session->address.control, timeout_ms / 1000.0, trouble);
    }
    return session->status == WN_EXIT_DONE;
}

const Warren__Reply *wn_session_answer(wn_session *session, uint32_t request, Warren__Reply__BodyCase kind)
{
    const Warren__Reply *reply = NULL;
    if (!wait_for(session, request, &reply)) {
        fprintf(stderr, "warrenctl: The server at %s gave no answer within %.3g s. %s%sWait longer with --timeout.\n",
                session->address.control, session->timeout_ms / 1000.0,
                session->goes_on != NULL ? session->goes_on : "", session->goes_on != NULL ? " " : "");
        return NULL;
    }
    if (reply != NULL && reply->body_case != kind) {
        fprintf(stderr, "warrenctl: The server at %s answered something that was not asked. Is it a warrend?\n",
                session->address.control);
        session->status = WN_EXIT_UNAVAILABLE;
        return NULL;
    }
    return reply;
}

/* The fewest a second that the server takes of anyone like us; 0: as many as there are. */
static uint32_t request_rate(const wn_session *session)
{
    const Warren__Welcome *welcome = wn_client_welcome(session->client);
    const Warren__Limits *limits = welcome != NULL ? welcome->limits : NULL;
    uint32_t rate = 0;
    if (limits != NULL) {
        const uint32_t all[] = {limits->requests_per_second, limits->requests_per_player, limits->requests_per_address};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            rate = all[i] > 0 && (rate == 0 || all[i] < rate) ? all[i] : rate;
        }
    }
    return rate;
}

/* A world takes up to three requests. A burst of a second's passes anyway. */
void wn_session_pace(wn_session *session)
{
    enum { REQUESTS = 3 };
    const uint32_t rate = request_rate(session);
    session->paced += REQUESTS;
    if (rate > 0 && session->paced > rate) {
        const uint64_t ns = UINT64_C(1000000000) * REQUESTS / rate;
        clock_nanosleep(CLOCK_MONOTONIC, 0,
                        &(struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)},
                        NULL);
    }
}

void wn_session_close(wn_session *session)
{
    wn_client_free(session->client);
    session->client = NULL;
}
