/* describe.c: the descriptor as the protocol's Mode, from which frontends render. Called once per process, so it is
 * plain rather than fast.
 */
#include "plugin.h"

#include "pb.h"

static void describe_tile(const wn_tile *tile, wn_buffer *buffer)
{
    wn_pb_string(buffer, 1, tile->name);
    wn_pb_string(buffer, 2, tile->glyph);
    wn_pb_string(buffer, 3, tile->ascii);
    if (tile->foreground != WN_COLOUR_NONE) {
        wn_pb_varint(buffer, 4, (uint32_t)tile->foreground);
    }
    if (tile->background != WN_COLOUR_NONE) {
        wn_pb_varint(buffer, 5, (uint32_t)tile->background);
    }
    if (tile->flags) {
        wn_pb_varint(buffer, 6, tile->flags);
    }
    if (tile->height) {
        wn_pb_varint(buffer, 7, tile->height);
    }
}

static void describe_action(const wn_action *action, wn_buffer *buffer)
{
    wn_pb_varint(buffer, 1, action->id);
    wn_pb_string(buffer, 2, action->name);
    wn_pb_string(buffer, 3, action->help);
    wn_pb_varint(buffer, 4, action->argument);
    for (const wn_key *key = action->keys; key && key->key; key++) {
        const size_t mark = wn_pb_begin(buffer, 5);
        wn_pb_string(buffer, 1, key->key);
        if (action->argument == WN_ARGUMENT_DIRECTION) {
            wn_pb_varint(buffer, 2, key->argument);
        }
        wn_pb_end(buffer, mark);
    }
    if (action->purpose != WN_PURPOSE_OTHER) {
        wn_pb_varint(buffer, 6, action->purpose);
    }
}

static void describe_setting(const wn_setting *setting, wn_buffer *buffer)
{
    wn_pb_string(buffer, 1, setting->name);
    wn_pb_varint(buffer, 2, setting->type);
    if (setting->minimum != 0 || setting->maximum != 0) {
        wn_pb_varint(buffer, 3, (uint64_t)setting->minimum);
        wn_pb_varint(buffer, 4, (uint64_t)setting->maximum);
    }
    wn_pb_string(buffer, 5, setting->standard);
    for (const char *const *choice = setting->choices; choice && *choice; choice++) {
        wn_pb_string(buffer, 6, *choice);
    }
    wn_pb_string(buffer, 7, setting->help);
}

static void describe_status(const wn_status *field, wn_buffer *buffer)
{
    wn_pb_string(buffer, 1, field->name);
    wn_pb_varint(buffer, 2, field->kind);
    wn_pb_string(buffer, 3, field->title);
}

static void describe_column(const wn_column *column, wn_buffer *buffer)
{
    wn_pb_string(buffer, 1, column->title);
    if (column->right) {
        wn_pb_varint(buffer, 2, 1);
    }
}

static void describe_entry(const wn_entry *entry, wn_buffer *buffer)
{
    wn_pb_string(buffer, 1, entry->name);
    wn_pb_string(buffer, 2, entry->help);
    wn_pb_string(buffer, 3, entry->key);
}

static void describe_score_table(const wn_score_table *table, wn_buffer *buffer)
{
    wn_pb_string(buffer, 1, table->name);
    wn_pb_string(buffer, 2, table->title);
    wn_pb_varint(buffer, 3, table->kind);
    wn_pb_varint(buffer, 4, table->decimals);
}

/* Each entry of `table` as a field `number`, written by `describe`. */
#define DESCRIBE_TABLE(buffer, number, table, count, describe)                                                         \
    for (uint32_t i = 0; i < (count); i++) {                                                                           \
        const size_t mark = wn_pb_begin(buffer, number);                                                               \
        describe(&(table)[i], buffer);                                                                                 \
        wn_pb_end(buffer, mark);                                                                                       \
    }

void wn_descriptor_describe(const wn_mode_descriptor *mode, wn_buffer *buffer)
{
    wn_pb_string(buffer, 1, mode->name);
    wn_pb_string(buffer, 2, mode->title);
    wn_pb_string(buffer, 3, mode->summary);
    wn_pb_string(buffer, 4, mode->version);
    wn_pb_string(buffer, 5, mode->authors);
    wn_pb_string(buffer, 6, mode->licence);
    DESCRIBE_TABLE(buffer, 7, mode->tiles, mode->tile_count, describe_tile)
    DESCRIBE_TABLE(buffer, 8, mode->actions, mode->action_count, describe_action)
    DESCRIBE_TABLE(buffer, 9, mode->settings, mode->setting_count, describe_setting)
    DESCRIBE_TABLE(buffer, 10, mode->status, mode->status_count, describe_status)
    DESCRIBE_TABLE(buffer, 11, mode->columns, mode->column_count, describe_column)
    wn_pb_varint(buffer, 12, mode->max_seats);
    DESCRIBE_TABLE(buffer, 13, mode->entries, mode->entry_count, describe_entry)
    DESCRIBE_TABLE(buffer, 14, mode->tables, mode->table_count, describe_score_table)
    if (mode->players_title) {
        wn_pb_string(buffer, 16, mode->players_title);
    }
    if (mode->spectators_title) {
        wn_pb_string(buffer, 17, mode->spectators_title);
    }
    if (mode->type_ahead > 0) {
        wn_pb_varint(buffer, 15, mode->type_ahead);
    }
}
