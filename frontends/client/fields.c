/* fields.c: a view's status fields as text. See fields.h. */
#include "fields.h"

#include <stdio.h>

void wn_field_value(const wn_replica *replica, uint32_t field, char *text, size_t size)
{
    const wn_field_state *state = &replica->fields[field];
    text[0] = '\0';
    if (!state->set) {
        return;
    }
    switch (replica->mode->status[field]->kind) {
    case WARREN__STATUS_KIND__STATUS_GAUGE:
    case WARREN__STATUS_KIND__STATUS_LOAD:
        snprintf(text, size, "%lld/%lld", (long long)state->number, (long long)state->maximum);
        return;
    case WARREN__STATUS_KIND__STATUS_NUMBER:
        snprintf(text, size, "%lld", (long long)state->number);
        return;
    default:
        snprintf(text, size, "%s", state->text);
    }
}

const char *wn_field_title(const wn_replica *replica, uint32_t field)
{
    const Warren__StatusField *status = replica->mode->status[field];
    return status->title == NULL || status->title[0] == '\0' ? status->name : status->title;
}

bool wn_field_is_shown(const wn_replica *replica, uint32_t field)
{
    return replica->fields[field].set;
}

bool wn_field_is_gauge(const wn_replica *replica, uint32_t field)
{
    const Warren__StatusKind kind = replica->mode->status[field]->kind;
    return kind == WARREN__STATUS_KIND__STATUS_GAUGE || kind == WARREN__STATUS_KIND__STATUS_LOAD;
}

bool wn_field_is_low(const wn_replica *replica, uint32_t field)
{
    const wn_field_state *state = &replica->fields[field];
    const int64_t quarter = state->maximum / 4;
    if (replica->mode->status[field]->kind == WARREN__STATUS_KIND__STATUS_LOAD) {
        return state->number >= state->maximum - quarter;
    }
    return wn_field_is_gauge(replica, field) && state->number <= quarter;
}

const char *wn_mode_title(const Warren__Mode *mode)
{
    return mode->title == NULL || mode->title[0] == '\0' ? mode->name : mode->title;
}
