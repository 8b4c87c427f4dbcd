/* replica-rows.c: what stands beside a map or names its parts: status, scoreboard, regions, messages. See
 * replica-internal.h. */
#include <stdlib.h>
#include <string.h>

#include "replica-internal.h"

enum { MESSAGES_SLACK = WN_CLIENT_MESSAGES / 4 /* the log is moved together once for so many new messages */ };

/* status, scoreboard, regions */

bool wn_replica_fields_valid(const wn_replica_data *replica, const wn_update_content *content)
{
    for (size_t i = 0; i < content->field_count; i++) {
        if (content->fields[i]->field >= replica->shown.mode->n_status) {
            return false;
        }
    }
    return true;
}

void wn_replica_apply_fields(wn_replica_data *replica, const wn_update_content *content)
{
    for (size_t i = 0; i < content->field_count; i++) {
        const Warren__FieldValue *value = content->fields[i];
        wn_field_state *field = &replica->fields[value->field];
        field->set = true;
        field->number = value->has_number ? value->number : field->number;
        field->maximum = value->has_maximum ? value->maximum : field->maximum;
        if (value->text) {
            wn_replica_copy(field->text, sizeof field->text, value->text);
        }
    }
}

static bool reserve_rows(wn_replica_data *replica, size_t count)
{
    wn_row_state *grown = wn_replica_grow(replica->rows, &replica->row_capacity, count, sizeof *grown);
    if (grown == NULL && count > 0) {
        return false;
    }
    replica->rows = grown;
    return true;
}

bool wn_replica_prepare_board(wn_replica_data *replica, const wn_update_content *content)
{
    uint32_t count = 0;
    for (size_t i = 0; i < content->board_count; i++) {
        const Warren__BoardRow *row = content->board[i];
        if (row->row >= WN_ROWS || row->n_columns > WN_COLUMNS) {
            return false;
        }
        count = row->n_columns > 0 && row->row >= count ? row->row + 1 : count;
    }
    return reserve_rows(replica, count);
}

void wn_replica_apply_board(wn_replica_data *replica, const wn_update_content *content)
{
    for (size_t i = 0; i < content->board_count; i++) {
        const Warren__BoardRow *change = content->board[i];
        if (change->row >= replica->row_capacity) {
            continue; /* the end of a row that is not there */
        }
        wn_row_state *row = &replica->rows[change->row];
        row->column_count = (uint32_t)change->n_columns;
        for (size_t column = 0; column < change->n_columns; column++) {
            wn_replica_copy(row->columns[column], sizeof row->columns[column], change->columns[column]);
        }
        if (change->n_columns > 0 && change->row >= replica->shown.row_count) {
            replica->shown.row_count = change->row + 1;
        }
    }
    while (replica->shown.row_count > 0 && replica->rows[replica->shown.row_count - 1].column_count == 0) {
        replica->shown.row_count--;
    }
}

static bool region_valid(const Warren__Region *region, uint32_t view_width, uint64_t cells)
{
    if (!region->has_at) {
        return region->region < WN_REGIONS;
    }
    return region->region < WN_REGIONS && region->at < cells && region->width > 0 && region->height > 0 &&
           region->at % view_width + (uint64_t)region->width <= view_width &&
           region->at / view_width + (uint64_t)region->height <= cells / view_width;
}

static bool reserve_regions(wn_replica_data *replica, size_t count)
{
    wn_region_state *grown = wn_replica_grow(replica->regions, &replica->region_capacity, count, sizeof *grown);
    if (grown == NULL && count > 0) {
        return false;
    }
    replica->regions = grown;
    return true;
}

bool wn_replica_prepare_regions(wn_replica_data *replica, const wn_update_content *content, uint32_t width,
                                uint64_t cells)
{
    uint32_t count = 0;
    for (size_t i = 0; i < content->region_count; i++) {
        const Warren__Region *region = content->regions[i];
        if (!region_valid(region, width, cells)) {
            return false;
        }
        count = region->has_at && region->region >= count ? region->region + 1 : count;
    }
    return reserve_regions(replica, count);
}

void wn_replica_apply_regions(wn_replica_data *replica, const wn_update_content *content)
{
    for (size_t i = 0; i < content->region_count; i++) {
        const Warren__Region *change = content->regions[i];
        if (change->region >= replica->region_capacity) {
            continue; /* the end of one that is not there */
        }
        wn_region_state *region = &replica->regions[change->region];
        region->at = change->at;
        region->width = change->has_at ? change->width : 0;
        region->height = change->height;
        wn_replica_copy(region->title, sizeof region->title, change->title ? change->title : "");
        if (change->has_at && change->region >= replica->shown.region_count) {
            replica->shown.region_count = change->region + 1;
        }
    }
    while (replica->shown.region_count > 0 && replica->regions[replica->shown.region_count - 1].width == 0) {
        replica->shown.region_count--;
    }
}

/* messages */

bool wn_replica_reserve_messages(wn_replica_data *replica, size_t more)
{
    const size_t end = replica->message_first + replica->shown.message_count;
    const size_t most = WN_CLIENT_MESSAGES + (more > MESSAGES_SLACK ? more : MESSAGES_SLACK);
    if (end + more <= replica->message_capacity) {
        return true;
    }
    if (replica->message_first > 0) {
        memmove(replica->messages, replica->messages + replica->message_first,
                replica->shown.message_count * sizeof *replica->messages);
        replica->message_first = 0;
        replica->shown.messages = replica->messages;
    }
    const size_t wanted = replica->shown.message_count + more;
    if (wanted <= replica->message_capacity) {
        return true;
    }
    const size_t capacity = wanted * 2 < most ? wanted * 2 : most;
    wn_message_state *grown = realloc(replica->messages, capacity * sizeof *grown);
    if (!grown) {
        return false;
    }
    replica->messages = grown;
    replica->shown.messages = grown;
    replica->message_capacity = capacity;
    return true;
}

void wn_replica_apply_messages(wn_replica_data *replica, const wn_update_content *content)
{
    for (size_t i = 0; i < content->message_count; i++) {
        const Warren__Message *message = content->messages[i];
        if (message->number <= replica->last_message) {
            continue;
        }
        wn_message_state *entry = &replica->messages[replica->message_first + replica->shown.message_count];
        entry->number = message->number;
        entry->kind = message->has_kind ? message->kind : WARREN__MESSAGE_KIND__MESSAGE_INFO;
        wn_replica_copy(entry->from, sizeof entry->from, message->from ? message->from : "");
        wn_replica_copy(entry->text, sizeof entry->text, message->text);
        replica->last_message = message->number;
        if (replica->shown.message_count < WN_CLIENT_MESSAGES) {
            replica->shown.message_count++;
        } else {
            replica->message_first++;
        }
    }
    replica->shown.messages = replica->messages + replica->message_first;
}
