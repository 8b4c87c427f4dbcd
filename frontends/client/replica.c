/* replica.c: a view as it stands here. An update is checked as a whole before it changes anything, so that a replica
 * is never half of one picture and half of another. It knows nothing of sockets and asks for no keyframes.
 *
 * Costs: a delta costs what it changes, plus moving the sprites behind one that comes or goes.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum {
    CELL_SKIP,
    CELL_FILL,
    CELL_COPY,
    CELL_VALUES = 1 << 16,
    FACING_NONE = 8,
    REGIONS = 64,
    MESSAGES_SLACK = WN_CLIENT_MESSAGES / 4 /* the log is moved together once for so many new messages */
};

/* One sprite of an update, in the order in which they are applied. */
typedef struct sprite_change {
    uint32_t id;
    uint32_t index; /* in the update */
    bool fresh;     /* the first of an id that is not there */
} sprite_change;

typedef struct replica_data {
    wn_replica shown; /* first: what frontends hold is a pointer to it */
    uint16_t *cells;
    size_t cell_capacity;
    wn_sprite_state *sprites;
    size_t sprite_capacity;
    wn_field_state *fields;
    wn_row_state *rows;
    size_t row_capacity;
    char banner[WN_BANNER_BYTES + 1];
    wn_message_state *messages; /* the log is messages[message_first ...] */
    size_t message_capacity, message_first;
    uint32_t last_message;
    wn_region_state *regions;
    size_t region_capacity;

    sprite_change *changes; /* of the update at hand, by id and index */
    size_t change_capacity, fresh_count;
    uint32_t *gone; /* likewise: ids that are there and leave, ascending */
    size_t gone_capacity, gone_count;
} replica_data;

/* What keyframes and deltas have in common. */
typedef struct update_content {
    const uint32_t *cells;
    size_t cell_count;
    Warren__Sprite *const *sprites;
    size_t sprite_count;
    const uint32_t *gone;
    size_t gone_count;
    Warren__FieldValue *const *fields;
    size_t field_count;
    bool has_focus, has_facing;
    uint32_t focus, facing;
    Warren__Region *const *regions;
    size_t region_count;
    Warren__BoardRow *const *board;
    size_t board_count;
    const char *banner;
    Warren__Message *const *messages;
    size_t message_count;
} update_content;

/* memory */

/* Room for `count` items; those added are zeroed. false: no memory, nothing changed. */
static bool reserve(void *items, size_t *capacity, size_t count, size_t item_size)
{
    void **array = items;
    if (count <= *capacity) {
        return true;
    }
    size_t wanted = *capacity ? *capacity : 4;
    while (wanted < count) {
        wanted *= 2;
    }
    char *grown = realloc(*array, wanted * item_size);
    if (!grown) {
        return false;
    }
    memset(grown + *capacity * item_size, 0, (wanted - *capacity) * item_size);
    *array = grown;
    *capacity = wanted;
    return true;
}

static void copy_text(char *to, size_t capacity, const char *from)
{
    const size_t size = strnlen(from, capacity - 1);
    memcpy(to, from, size);
    to[size] = '\0';
}

/* Room for `more` messages behind the log: grown up to a bound, then what is older than the log is dropped. */
static bool reserve_messages(replica_data *replica, size_t more)
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

/* cells */

/* The operations stay within `total` cells, and their cells below `limit`. */
static bool cells_valid(const uint32_t *numbers, size_t size, uint64_t total, uint32_t limit)
{
    uint64_t at = 0;
    for (size_t i = 0; i < size;) {
        const uint32_t count = numbers[i] >> 2;
        const uint32_t kind = numbers[i] & 3;
        const uint32_t values = kind == CELL_COPY ? count : kind == CELL_FILL;
        i++;
        if (kind > CELL_COPY || count > total - at || values > size - i) {
            return false;
        }
        for (const size_t end = i + values; i < end; i++) {
            if (numbers[i] >= limit) {
                return false;
            }
        }
        at += count;
    }
    return true;
}

static void cells_apply(uint16_t *cells, const uint32_t *numbers, size_t size)
{
    for (size_t i = 0; i < size;) {
        const uint32_t count = numbers[i] >> 2;
        const uint32_t kind = numbers[i] & 3;
        i++;
        if (kind == CELL_FILL) {
            for (uint32_t k = 0; k < count; k++) {
                cells[k] = (uint16_t)numbers[i];
            }
            i++;
        } else if (kind == CELL_COPY) {
            for (uint32_t k = 0; k < count; k++) {
                cells[k] = (uint16_t)numbers[i + k];
            }
            i += count;
        }
        cells += count;
    }
}

/* sprites */

/* The index of the first sprite, below `count`, whose id is not less. */
static uint32_t lower_bound(const wn_sprite_state *sprites, uint32_t count, uint32_t id)
{
    uint32_t low = 0;
    while (count > 0) {
        const uint32_t half = count / 2;
        if (sprites[low + half].id < id) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

static wn_sprite_state *find_sprite(const replica_data *replica, uint32_t id)
{
    const uint32_t at = lower_bound(replica->sprites, replica->shown.sprite_count, id);
    return at < replica->shown.sprite_count && replica->sprites[at].id == id ? &replica->sprites[at] : NULL;
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static int compare_changes(const void *a, const void *b)
{
    const sprite_change *left = a;
    const sprite_change *right = b;
    const int by_id = (left->id > right->id) - (left->id < right->id);
    return by_id ? by_id : (left->index > right->index) - (left->index < right->index);
}

/* Fills in `gone`. Ids that are not there may be named: the picture is the same without them. */
static bool prepare_gone(replica_data *replica, const update_content *content)
{
    replica->gone_count = 0;
    if (!reserve(&replica->gone, &replica->gone_capacity, content->gone_count, sizeof *replica->gone)) {
        return false;
    }
    size_t known = 0;
    bool ascending = true;
    for (size_t i = 0; i < content->gone_count; i++) {
        if (find_sprite(replica, content->gone[i])) {
            ascending = ascending && (known == 0 || replica->gone[known - 1] < content->gone[i]);
            replica->gone[known++] = content->gone[i];
        }
    }
    if (!ascending) {
        qsort(replica->gone, known, sizeof *replica->gone, compare_ids);
    }
    for (size_t i = 0; i < known; i++) {
        if (i == 0 || replica->gone[i] != replica->gone[replica->gone_count - 1]) {
            replica->gone[replica->gone_count++] = replica->gone[i];
        }
    }
    return true;
}

static bool sprite_valid(const replica_data *replica, const Warren__Sprite *sprite, uint64_t cells, bool fresh)
{
    return (!fresh || (sprite->has_at && sprite->has_tile)) && (!sprite->has_at || sprite->at < cells) &&
           (!sprite->has_tile || sprite->tile < replica->shown.mode->n_tiles) &&
           (!sprite->has_facing || sprite->facing <= FACING_NONE);
}

/* Fills in `changes`, once `gone` is. */
static bool prepare_sprites(replica_data *replica, const update_content *content, uint64_t cells, bool keyframe)
{
    replica->fresh_count = 0;
    if (!reserve(&replica->changes, &replica->change_capacity, content->sprite_count, sizeof *replica->changes)) {
        return false;
    }
    bool ascending = true;
    for (size_t i = 0; i < content->sprite_count; i++) {
        replica->changes[i] = (sprite_change){.id = content->sprites[i]->id, .index = (uint32_t)i};
        ascending = ascending && (i == 0 || replica->changes[i - 1].id < replica->changes[i].id);
    }
    if (!ascending) {
        qsort(replica->changes, content->sprite_count, sizeof *replica->changes, compare_changes);
    }
    for (size_t i = 0; i < content->sprite_count; i++) {
        sprite_change *change = &replica->changes[i];
        const bool repeated = i > 0 && replica->changes[i - 1].id == change->id;
        const bool leaves = replica->gone_count > 0 &&
                            bsearch(&change->id, replica->gone, replica->gone_count, sizeof change->id, compare_ids);
        const bool there = !keyframe && !leaves && find_sprite(replica, change->id);
        change->fresh = !repeated && !there;
        replica->fresh_count += change->fresh;
        if (!sprite_valid(replica, content->sprites[change->index], cells, change->fresh)) {
            return false;
        }
    }
    const size_t kept = keyframe ? 0 : replica->shown.sprite_count - replica->gone_count;
    const size_t total = kept + replica->fresh_count;
    return total <= WN_SPRITES &&
           reserve(&replica->sprites, &replica->sprite_capacity, total, sizeof *replica->sprites);
}

/* Closes the gaps that those gone leave, moving each run between two of them once. */
static void remove_gone(replica_data *replica)
{
    wn_sprite_state *sprites = replica->sprites;
    uint32_t to = 0;
    uint32_t from = 0;
    for (size_t i = 0; i < replica->gone_count; i++) {
        const uint32_t at = lower_bound(sprites + from, replica->shown.sprite_count - from, replica->gone[i]) + from;
        memmove(sprites + to, sprites + from, (at - from) * sizeof *sprites);
        to += at - from;
        from = at + 1;
    }
    if (from > 0) {
        const uint32_t rest = replica->shown.sprite_count - from;
        memmove(sprites + to, sprites + from, rest * sizeof *sprites);
        replica->shown.sprite_count = to + rest;
    }
}

/* Opens the gaps for fresh sprites from the back, moving each run once. */
static void insert_fresh(replica_data *replica, size_t change_count)
{
    wn_sprite_state *sprites = replica->sprites;
    uint32_t end = replica->shown.sprite_count;
    uint32_t left = (uint32_t)replica->fresh_count;
    replica->shown.sprite_count += left;
    for (size_t i = change_count; left > 0; i--) {
        const sprite_change *change = &replica->changes[i - 1];
        if (change->fresh) {
            const uint32_t at = lower_bound(sprites, end, change->id);
            memmove(sprites + at + left, sprites + at, (end - at) * sizeof *sprites);
            end = at;
            left--;
            sprites[at + left].id = change->id;
            sprites[at + left].facing = FACING_NONE;
            sprites[at + left].label[0] = '\0';
        }
    }
}

static void apply_sprites(replica_data *replica, const update_content *content)
{
    remove_gone(replica);
    insert_fresh(replica, content->sprite_count);
    for (size_t i = 0; i < content->sprite_count; i++) {
        const Warren__Sprite *change = content->sprites[replica->changes[i].index];
        wn_sprite_state *sprite = find_sprite(replica, change->id);
        sprite->at = change->has_at ? change->at : sprite->at;
        sprite->tile = change->has_tile ? change->tile : sprite->tile;
        sprite->facing = change->has_facing ? change->facing : sprite->facing;
        if (change->label) {
            copy_text(sprite->label, sizeof sprite->label, change->label);
        }
    }
}

/* fields, scoreboard, messages */

static bool fields_valid(const replica_data *replica, const update_content *content)
{
    for (size_t i = 0; i < content->field_count; i++) {
        if (content->fields[i]->field >= replica->shown.mode->n_status) {
            return false;
        }
    }
    return true;
}

static void apply_fields(replica_data *replica, const update_content *content)
{
    for (size_t i = 0; i < content->field_count; i++) {
        const Warren__FieldValue *value = content->fields[i];
        wn_field_state *field = &replica->fields[value->field];
        field->set = true;
        field->number = value->has_number ? value->number : field->number;
        field->maximum = value->has_maximum ? value->maximum : field->maximum;
        if (value->text) {
            copy_text(field->text, sizeof field->text, value->text);
        }
    }
}

static bool prepare_board(replica_data *replica, const update_content *content)
{
    uint32_t count = 0;
    for (size_t i = 0; i < content->board_count; i++) {
        const Warren__BoardRow *row = content->board[i];
        if (row->row >= WN_ROWS || row->n_columns > WN_COLUMNS) {
            return false;
        }
        count = row->n_columns > 0 && row->row >= count ? row->row + 1 : count;
    }
    return reserve(&replica->rows, &replica->row_capacity, count, sizeof *replica->rows);
}

static void apply_board(replica_data *replica, const update_content *content)
{
    for (size_t i = 0; i < content->board_count; i++) {
        const Warren__BoardRow *change = content->board[i];
        if (change->row >= replica->row_capacity) {
            continue; /* the end of a row that is not there */
        }
        wn_row_state *row = &replica->rows[change->row];
        row->column_count = (uint32_t)change->n_columns;
        for (size_t column = 0; column < change->n_columns; column++) {
            copy_text(row->columns[column], sizeof row->columns[column], change->columns[column]);
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
        return region->region < REGIONS;
    }
    return region->region < REGIONS && region->at < cells && region->width > 0 && region->height > 0 &&
           region->at % view_width + (uint64_t)region->width <= view_width &&
           region->at / view_width + (uint64_t)region->height <= cells / view_width;
}

static bool prepare_regions(replica_data *replica, const update_content *content, uint32_t width, uint64_t cells)
{
    uint32_t count = 0;
    for (size_t i = 0; i < content->region_count; i++) {
        const Warren__Region *region = content->regions[i];
        if (!region_valid(region, width, cells)) {
            return false;
        }
        count = region->has_at && region->region >= count ? region->region + 1 : count;
    }
    return reserve(&replica->regions, &replica->region_capacity, count, sizeof *replica->regions);
}

static void apply_regions(replica_data *replica, const update_content *content)
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
        copy_text(region->title, sizeof region->title, change->title ? change->title : "");
        if (change->has_at && change->region >= replica->shown.region_count) {
            replica->shown.region_count = change->region + 1;
        }
    }
    while (replica->shown.region_count > 0 && replica->regions[replica->shown.region_count - 1].width == 0) {
        replica->shown.region_count--;
    }
}

static void apply_messages(replica_data *replica, const update_content *content)
{
    for (size_t i = 0; i < content->message_count; i++) {
        const Warren__Message *message = content->messages[i];
        if (message->number <= replica->last_message) {
            continue;
        }
        wn_message_state *entry = &replica->messages[replica->message_first + replica->shown.message_count];
        entry->number = message->number;
        entry->kind = message->has_kind ? message->kind : WARREN__MESSAGE_KIND__MESSAGE_INFO;
        copy_text(entry->from, sizeof entry->from, message->from ? message->from : "");
        copy_text(entry->text, sizeof entry->text, message->text);
        replica->last_message = message->number;
        if (replica->shown.message_count < WN_CLIENT_MESSAGES) {
            replica->shown.message_count++;
        } else {
            replica->message_first++;
        }
    }
    replica->shown.messages = replica->messages + replica->message_first;
}

/* updates */

static bool focus_valid(const update_content *content, uint64_t cells)
{
    return !content->has_focus || content->focus < cells || content->focus == WN_NO_FOCUS;
}

/* Checks everything and takes all memory that applying will need. */
static bool prepare(replica_data *replica, const update_content *content, uint32_t width, uint64_t cells, bool keyframe)
{
    const size_t tiles = replica->shown.mode->n_tiles;
    const uint32_t limit = tiles * 2 < CELL_VALUES ? (uint32_t)(tiles * 2) : CELL_VALUES;
    const bool valid = cells_valid(content->cells, content->cell_count, cells, limit) &&
                       prepare_gone(replica, content) && prepare_sprites(replica, content, cells, keyframe) &&
                       fields_valid(replica, content) && focus_valid(content, cells) &&
                       prepare_board(replica, content) && prepare_regions(replica, content, width, cells) &&
                       (!content->has_facing || content->facing <= FACING_NONE) &&
                       content->message_count <= WN_MESSAGES && reserve_messages(replica, content->message_count);
    replica->shown.sprites = replica->sprites; /* may have moved, whatever came of it */
    replica->shown.rows = replica->rows;
    replica->shown.regions = replica->regions;
    return valid;
}

static void apply(replica_data *replica, const update_content *content)
{
    if (content->cell_count > 0) {
        cells_apply(replica->cells, content->cells, content->cell_count);
    }
    apply_sprites(replica, content);
    apply_fields(replica, content);
    if (content->has_focus) {
        replica->shown.focus = content->focus;
    }
    if (content->has_facing) {
        replica->shown.facing = content->facing;
    }
    if (content->region_count > 0) {
        apply_regions(replica, content);
    }
    if (content->board_count > 0) {
        apply_board(replica, content);
    }
    if (content->banner) {
        copy_text(replica->banner, sizeof replica->banner, content->banner);
    }
    if (content->message_count > 0) {
        apply_messages(replica, content);
    }
}

static void clear_picture(replica_data *replica)
{
    replica->shown.sprite_count = 0;
    replica->shown.row_count = 0;
    replica->shown.region_count = 0;
    replica->shown.focus = WN_NO_FOCUS;
    replica->shown.facing = FACING_NONE;
    replica->banner[0] = '\0';
    memset(replica->fields, 0, replica->shown.mode->n_status * sizeof *replica->fields);
    for (size_t i = 0; i < replica->row_capacity; i++) {
        replica->rows[i].column_count = 0;
    }
    for (size_t i = 0; i < replica->region_capacity; i++) {
        replica->regions[i].width = 0;
    }
}

/* A keyframe has the newest messages. If they are older than ours, or none, the view began anew with its numbers. */
static void compare_messages(replica_data *replica, const Warren__Keyframe *keyframe)
{
    uint32_t newest = 0;
    for (size_t i = 0; i < keyframe->n_messages; i++) {
        newest = keyframe->messages[i]->number > newest ? keyframe->messages[i]->number : newest;
    }
    if (newest < replica->last_message) {
        replica->last_message = 0;
    }
}

static bool apply_keyframe(replica_data *replica, const Warren__Keyframe *keyframe)
{
    const update_content content = {.cells = keyframe->cells,
                                    .cell_count = keyframe->n_cells,
                                    .sprites = keyframe->sprites,
                                    .sprite_count = keyframe->n_sprites,
                                    .fields = keyframe->fields,
                                    .field_count = keyframe->n_fields,
                                    .has_focus = keyframe->has_focus,
                                    .focus = keyframe->focus,
                                    .has_facing = keyframe->has_facing,
                                    .facing = keyframe->facing,
                                    .regions = keyframe->regions,
                                    .region_count = keyframe->n_regions,
                                    .board = keyframe->board,
                                    .board_count = keyframe->n_board,
                                    .banner = keyframe->banner,
                                    .messages = keyframe->messages,
                                    .message_count = keyframe->n_messages};
    if (keyframe->width < 1 || keyframe->width > WN_SIDE || keyframe->height < 1 || keyframe->height > WN_SIDE ||
        replica->shown.mode->n_tiles == 0) {
        return false;
    }
    const size_t cells = (size_t)keyframe->width * keyframe->height;
    if (!prepare(replica, &content, keyframe->width, cells, true) ||
        !reserve(&replica->cells, &replica->cell_capacity, cells, sizeof *replica->cells)) {
        return false;
    }
    clear_picture(replica);
    memset(replica->cells, 0, cells * sizeof *replica->cells);
    replica->shown.cells = replica->cells;
    replica->shown.width = keyframe->width;
    replica->shown.height = keyframe->height;
    replica->shown.ready = true;
    compare_messages(replica, keyframe);
    apply(replica, &content);
    return true;
}

static bool apply_delta(replica_data *replica, const Warren__Delta *delta)
{
    const update_content content = {.cells = delta->cells,
                                    .cell_count = delta->n_cells,
                                    .sprites = delta->sprites,
                                    .sprite_count = delta->n_sprites,
                                    .gone = delta->gone,
                                    .gone_count = delta->n_gone,
                                    .fields = delta->fields,
                                    .field_count = delta->n_fields,
                                    .has_focus = delta->has_focus,
                                    .focus = delta->focus,
                                    .has_facing = delta->has_facing,
                                    .facing = delta->facing,
                                    .regions = delta->regions,
                                    .region_count = delta->n_regions,
                                    .board = delta->board,
                                    .board_count = delta->n_board,
                                    .banner = delta->banner,
                                    .messages = delta->messages,
                                    .message_count = delta->n_messages};
    if (!prepare(replica, &content, replica->shown.width, (uint64_t)replica->shown.width * replica->shown.height,
                 false)) {
        return false;
    }
    apply(replica, &content);
    return true;
}

wn_apply wn_replica_apply(wn_replica *shown, const Warren__Update *update)
{
    replica_data *replica = (replica_data *)shown;
    const bool keyframe = update->body_case == WARREN__UPDATE__BODY_KEYFRAME;
    if (!keyframe && (!shown->ready || update->sequence != shown->sequence + 1)) {
        return WN_APPLY_GAP;
    }
    if (keyframe ? !apply_keyframe(replica, update->keyframe)
                 : update->body_case == WARREN__UPDATE__BODY_DELTA && !apply_delta(replica, update->delta)) {
        return WN_APPLY_INVALID;
    }
    shown->sequence = update->sequence;
    shown->turn = update->has_turn ? update->turn : shown->turn;
    shown->executed = update->has_executed ? update->executed : shown->executed;
    return WN_APPLY_DONE;
}

/* lifetime */

wn_replica *wn_replica_new(const Warren__Mode *mode)
{
    replica_data *replica = calloc(1, sizeof *replica);
    wn_field_state *fields = calloc(mode->n_status + 1, sizeof *fields);
    if (!replica || !fields) {
        free(replica);
        free(fields);
        return NULL;
    }
    replica->fields = fields;
    replica->shown = (wn_replica){.name = "", .seat = -1, .mode = mode, .focus = WN_NO_FOCUS, .facing = FACING_NONE};
    replica->shown.fields = fields;
    replica->shown.banner = replica->banner;
    return &replica->shown;
}

void wn_replica_free(wn_replica *shown)
{
    if (!shown) {
        return;
    }
    replica_data *replica = (replica_data *)shown;
    free(replica->cells);
    free(replica->sprites);
    free(replica->fields);
    free(replica->rows);
    free(replica->messages);
    free(replica->regions);
    free(replica->changes);
    free(replica->gone);
    free(replica);
}

void wn_replica_name(wn_replica *replica, uint32_t world, const char *name, int32_t seat)
{
    replica->world = world;
    replica->name = name;
    replica->seat = seat;
}

void wn_replica_watchers(wn_replica *replica, char *const *names, size_t count)
{
    replica->watcher_count = 0;
    for (size_t i = 0; i < count && i < WN_CLIENT_WATCHERS; i++) {
        copy_text(replica->watchers[replica->watcher_count++], sizeof replica->watchers[0], names[i]);
    }
}

bool wn_replica_restart(wn_replica *shown, const Warren__Mode *mode)
{
    replica_data *replica = (replica_data *)shown;
    wn_field_state *fields = calloc(mode->n_status + 1, sizeof *fields);
    if (!fields) {
        return false;
    }
    free(replica->fields);
    replica->fields = fields;
    shown->fields = fields;
    shown->mode = mode;
    shown->ready = false;
    shown->width = 0;
    shown->height = 0;
    shown->executed = 0;
    clear_picture(replica);
    return true;
}
