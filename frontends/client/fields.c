/* fields.c: a view's status fields as text. See fields.h. */
#include "fields.h"

#include <stdio.h>

void wn_field_value(const wn_replica *replica, uint32_t field, char *text, size_t size)
{
    const wn_field_state *state = &replica->fields[field];
    text[0] = '\0';
    if (!state->set)
        return;
    switch (replica->mode->status[field]->kind) {
    case WARREN__STATUS_KIND__STATUS_GAUGE:
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

bool wn_field_is_gauge(const wn_replica *replica, uint32_t field)
{
    return replica->mode->status[field]->kind == WARREN__STATUS_KIND__STATUS_GAUGE;
}

bool wn_field_is_low(const wn_replica *replica, uint32_t field)
{
    const wn_field_state *state = &replica->fields[field];
    return wn_field_is_gauge(replica, field) && state->number * 4 <= state->maximum;
}

const char *wn_mode_title(const Warren__Mode *mode)
{
    return mode->title == NULL || mode->title[0] == '\0' ? mode->name : mode->title;
}
