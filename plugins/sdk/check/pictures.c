/* pictures.c: how two views that should show the same differ, in words. */
#include "game.h"

#include <string.h>

static bool messages_differ(size_t count, void *ours, size_t other_count, void *theirs)
{
    wn_buffer one = {0}, other = {0};
    for (size_t i = 0; i < count; i++) {
        wn_encode(&one, ((ProtobufCMessage **)ours)[i]);
    }
    for (size_t i = 0; i < other_count; i++) {
        wn_encode(&other, ((ProtobufCMessage **)theirs)[i]);
    }
    const bool differ = one.size != other.size || (one.size > 0 && memcmp(one.data, other.data, one.size) != 0);
    wn_buffer_free(&one);
    wn_buffer_free(&other);
    return differ;
}

static const char *tile_name(const wn_mode_descriptor *mode, uint16_t cell)
{
    return mode->tiles[cell >> 1].name;
}

static bool cells_differ(const wn_mode_descriptor *mode, const wn_view_state *one, const wn_view_state *other,
                         char words[CHECK_TEXT])
{
    for (uint32_t at = 0; at < one->width * one->height; at++) {
        if (one->cells[at] != other->cells[at]) {
            snprintf(words, CHECK_TEXT, "cell (%u, %u) is %s%s in one and %s%s in the other", at % one->width,
                     at / one->width, one->cells[at] & 1 ? "remembered " : "", tile_name(mode, one->cells[at]),
                     other->cells[at] & 1 ? "remembered " : "", tile_name(mode, other->cells[at]));
            return true;
        }
    }
    return false;
}

static bool sprites_differ(const wn_mode_descriptor *mode, const wn_view_state *one, const wn_view_state *other,
                           char words[CHECK_TEXT])
{
    for (uint32_t i = 0; i < one->sprite_count && i < other->sprite_count; i++) {
        const wn_view_sprite *ours = &one->sprites[i], *theirs = &other->sprites[i];
        if (ours->id != theirs->id || ours->at != theirs->at || ours->tile != theirs->tile ||
            ours->facing != theirs->facing || strcmp(ours->label, theirs->label) != 0) {
            snprintf(words, CHECK_TEXT,
                     "sprite %u (%s) stands at (%u, %u) in one, sprite %u (%s) at (%u, %u) in the other, or their "
                     "facing or label differs",
                     ours->id, mode->tiles[ours->tile].name, ours->at % one->width, ours->at / one->width, theirs->id,
                     mode->tiles[theirs->tile].name, theirs->at % one->width, theirs->at / one->width);
            return true;
        }
    }
    if (one->sprite_count != other->sprite_count) {
        snprintf(words, CHECK_TEXT, "one has %u sprites and the other %u", one->sprite_count, other->sprite_count);
    }
    return one->sprite_count != other->sprite_count;
}

static bool fields_differ(const wn_mode_descriptor *mode, int32_t seat, wn_hosted *one, wn_hosted *other,
                          char words[CHECK_TEXT])
{
    for (uint32_t i = 0; i < mode->status_count; i++) {
        int64_t number = 0, maximum = 0, their_number = 0, their_maximum = 0;
        const char *text = "", *their_text = "";
        const bool set = wn_hosted_status(one, seat, i, &number, &maximum, &text);
        const bool they_set = wn_hosted_status(other, seat, i, &their_number, &their_maximum, &their_text);
        if (set != they_set) {
            snprintf(words, CHECK_TEXT, "status field %s is shown in %s and not in the other", mode->status[i].name,
                     set ? "the first" : "the second");
            return true;
        }
        if (number != their_number || maximum != their_maximum || strcmp(text, their_text) != 0) {
            snprintf(words, CHECK_TEXT, "status field %s differs", mode->status[i].name);
            return true;
        }
    }
    return false;
}

static const Warren__BoardRow *row_numbered(const Warren__Keyframe *picture, uint32_t number)
{
    for (size_t i = 0; i < picture->n_board; i++) {
        if (picture->board[i]->row == number) {
            return picture->board[i];
        }
    }
    return NULL;
}

static void print_row(const Warren__BoardRow *row, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "%s", row ? "\"" : "not there");
    for (size_t i = 0; row && i < row->n_columns && used < room; i++) {
        used += (size_t)snprintf(text + used, room - used, "%s%s", i > 0 ? " | " : "", row->columns[i]);
    }
    if (row && used < room) {
        snprintf(text + used, room - used, "\"");
    }
}

static bool boards_differ(const Warren__Keyframe *ours, const Warren__Keyframe *theirs, char words[CHECK_TEXT])
{
    char one[200], other[200];
    for (uint32_t row = 0; row < WN_MAX_ROWS; row++) {
        print_row(row_numbered(ours, row), one, sizeof one);
        print_row(row_numbered(theirs, row), other, sizeof other);
        if (strcmp(one, other) != 0) {
            snprintf(words, CHECK_TEXT, "row %u of the scoreboard is %s in one and %s in the other", row, one, other);
            return true;
        }
    }
    return false;
}

/* The focus stays where it was while a player is outside of the view, so it may differ. */
bool pictures_differ(const wn_mode_descriptor *mode, int32_t seat, wn_hosted *one, const Warren__Keyframe *ours,
                     wn_hosted *other, const Warren__Keyframe *theirs, char words[CHECK_TEXT])
{
    wn_view_state here, there;
    wn_hosted_view(one, seat, &here);
    wn_hosted_view(other, seat, &there);
    if (here.width != there.width || here.height != there.height) {
        snprintf(words, CHECK_TEXT, "one is %u by %u cells and the other %u by %u", here.width, here.height,
                 there.width, there.height);
        return true;
    }
    if (cells_differ(mode, &here, &there, words) || sprites_differ(mode, &here, &there, words) ||
        fields_differ(mode, seat, one, other, words) || boards_differ(ours, theirs, words)) {
        return true;
    }
    const struct {
        const char *what;
        bool differs;
    } rest[] = {
        {"their banners differ", strcmp(here.banner, there.banner) != 0},
        {"their regions differ", messages_differ(ours->n_regions, ours->regions, theirs->n_regions, theirs->regions)}};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        if (rest[i].differs) {
            snprintf(words, CHECK_TEXT, "%s", rest[i].what);
            return true;
        }
    }
    return false;
}
