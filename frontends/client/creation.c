/* creation.c: a new world. See creation.h. */
#include "creation.h"

#include <stdio.h>

#include "world-list.h"

enum { PAGE = 8 };

void wn_creation_begin(wn_creation *creation, wn_client *client)
{
    *creation = (wn_creation){.client = client, .modes_request = wn_client_list_modes(client)};
}

/* The world that is on its way is not entered any more; one that was asked for stands in the list. */
static void abandon(wn_creation *creation)
{
    wn_client_forget(creation->client, creation->create_request);
    wn_client_forget(creation->client, creation->join_request);
    creation->create_request = creation->join_request = 0;
    creation->busy = false;
}

void wn_creation_free(wn_creation *creation)
{
    abandon(creation);
    wn_client_forget(creation->client, creation->modes_request);
    if (creation->modes != NULL) {
        warren__mode_list__free_unpacked(creation->modes, NULL);
    }
    wn_form_free(&creation->form);
    *creation = (wn_creation){0};
}

/* rows */

static bool chooses(const wn_creation *creation)
{
    return creation->form.mode == NULL;
}

size_t wn_creation_rows(const wn_creation *creation)
{
    return !chooses(creation) ? creation->form.count : creation->modes == NULL ? 0 : creation->modes->n_modes;
}

size_t wn_creation_selected(const wn_creation *creation)
{
    return chooses(creation) ? creation->mode : creation->form.selected;
}

void wn_creation_move(wn_creation *creation, long by)
{
    const long wanted = (long)creation->mode + by, last = (long)wn_creation_rows(creation) - 1;
    if (!chooses(creation)) {
        wn_form_move(&creation->form, by);
    } else {
        creation->mode = wanted < 0 || last < 0 ? 0 : wanted > last ? (size_t)last : (size_t)wanted;
    }
}

void wn_creation_pick(wn_creation *creation, size_t row)
{
    if (row >= wn_creation_rows(creation) || creation->busy || creation->helps) {
        return;
    }
    wn_creation_move(creation, (long)row - (long)wn_creation_selected(creation));
    if (chooses(creation)) {
        wn_form_start(&creation->form, creation->modes->modes[row]);
    }
}

/* keys */

static long move_of_key(uint32_t key)
{
    return key == WN_KEY_UP || key == WN_KEY_BACK_TAB || key == WN_KEY_WHEEL_UP  ? -1
           : key == WN_KEY_DOWN || key == WN_KEY_TAB || key == WN_KEY_WHEEL_DOWN ? 1
           : key == WN_KEY_PAGE_UP                                               ? -PAGE
           : key == WN_KEY_PAGE_DOWN                                             ? PAGE
                                                                                 : 0;
}

/* One row beyond the last is the first, and the other way round; pages and the wheel stop there. */
static void move_by_key(wn_creation *creation, uint32_t key, long by)
{
    const long count = (long)wn_creation_rows(creation), wanted = (long)wn_creation_selected(creation) + by;
    const bool steps = (by == 1 || by == -1) && key != WN_KEY_WHEEL_UP && key != WN_KEY_WHEEL_DOWN;
    if (steps && (wanted < 0 || wanted >= count)) {
        by = wanted < 0 ? count - 1 : 1 - count;
    }
    wn_creation_move(creation, by);
}

static void form_key(wn_creation *creation, uint32_t key)
{
    if (key == WN_KEY_ESCAPE) {
        wn_form_free(&creation->form);
        abandon(creation);
    } else if (creation->busy) {
        return;
    } else if (key == WN_KEY_ENTER) {
        creation->create_request = wn_form_submit(&creation->form, creation->client);
        creation->busy = creation->create_request != 0;
    } else if (move_of_key(key) != 0) {
        move_by_key(creation, key, move_of_key(key));
    } else {
        wn_form_key(&creation->form, key);
    }
}

/* A question mark may be meant for a text. */
static bool asks_for_help(const wn_creation *creation, uint32_t key)
{
    return key == WN_KEY_F1 ||
           (key == '?' && (chooses(creation) || !wn_form_takes_text(&creation->form.fields[creation->form.selected])));
}

bool wn_creation_key(wn_creation *creation, uint32_t key)
{
    if (creation->helps || asks_for_help(creation, key)) {
        const bool closes = key == WN_KEY_ESCAPE || key == WN_KEY_ENTER || key == 'q' || key == '?' || key == WN_KEY_F1;
        creation->helps = !creation->helps || !closes;
        return true;
    }
    if (!chooses(creation)) {
        form_key(creation, key);
    } else if (key == WN_KEY_ESCAPE || key == 'q') {
        return false;
    } else if (key == WN_KEY_ENTER) {
        wn_creation_pick(creation, creation->mode);
    } else {
        move_by_key(creation, key, key == 'j' ? 1 : key == 'k' ? -1 : move_of_key(key));
    }
    return true;
}

/* events */

static uint32_t take_reply(wn_creation *creation, const wn_event *event)
{
    const Warren__Reply *reply = event->reply;
    if (event->request == creation->modes_request && reply->body_case == WARREN__REPLY__BODY_MODES) {
        creation->modes = (Warren__ModeList *)wn_message_copy(&reply->modes->base);
    } else if (event->request == creation->create_request && reply->body_case == WARREN__REPLY__BODY_WORLD) {
        creation->join_request = wn_client_join(creation->client, reply->world->name, 0);
    } else if (event->request == creation->join_request && reply->body_case == WARREN__REPLY__BODY_JOINED) {
        return reply->joined->world;
    }
    return 0;
}

/* Without a request: it was not understood, and may be what is waited for. */
static bool is_own(const wn_creation *creation, uint32_t request)
{
    return request == 0 ? creation->busy
                        : request == creation->modes_request || request == creation->create_request ||
                              request == creation->join_request;
}

uint32_t wn_creation_take(wn_creation *creation, const wn_event *event)
{
    if (event->kind == WN_EVENT_REPLY && event->request != 0) {
        return take_reply(creation, event);
    }
    if (event->kind == WN_EVENT_ERROR && is_own(creation, event->request)) {
        creation->busy = false;
        wn_form_fail(&creation->form, &event->error);
    }
    return 0;
}

/* what there is to say */

const char *wn_creation_no_modes(const wn_creation *creation)
{
    return creation->form.trouble[0] != '\0' ? creation->form.trouble
           : creation->modes == NULL         ? "asking for the modes"
           : creation->modes->n_modes == 0   ? "This server has no modes; its administrator can install some."
                                             : NULL;
}

const wn_key_help *wn_creation_help(const wn_creation *creation, size_t index)
{
    static const wn_key_help choosing[] = {
        {"Up Down j k", "choose a mode; below them stands what it is"},
        {"Enter", "go on to its settings"},
        {"F1 ?", "this help"},
        {"Esc q", "back to the list of worlds"},
    };
    static const wn_key_help filling[] = {
        {"Up Down Tab", "to another row; Page Up and Page Down go eight on"},
        {"Left Right Space", "take another of the values there are; in a text Left and Right move"},
        {"letters digits", "what is typed first in a number replaces it"},
        {"Space", "in a number that can be a word (off): that word"},
        {"Ctrl-R", "the row's default"},
        {"Enter", "create the world and enter it; what is as it was takes its default"},
        {"F1", "this help; so does ? where no text is typed"},
        {"Esc", "back to the modes"},
    };
    if (chooses(creation)) {
        return index < sizeof choosing / sizeof *choosing ? &choosing[index] : NULL;
    }
    return index < sizeof filling / sizeof *filling ? &filling[index] : NULL;
}

bool wn_creation_about(const wn_creation *creation, char *text, size_t size)
{
    text[0] = '\0';
    if (chooses(creation)) {
        const char *summary =
            creation->mode < wn_creation_rows(creation) ? creation->modes->modes[creation->mode]->summary : NULL;
        snprintf(text, size, "%s", summary == NULL ? "" : summary);
        return false;
    }
    const wn_form_field *field = &creation->form.fields[creation->form.selected];
    const char *wrong = field->error[0] != '\0' ? field->error : creation->form.trouble;
    if (wrong[0] != '\0') {
        snprintf(text, size, "%s", wrong);
    } else {
        wn_form_help(field, text, size);
    }
    return wrong[0] != '\0';
}
