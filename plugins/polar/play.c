/* play.c: what the commands of a seat do: moves and taking them back, going to levels, and what is shown of a slide
 * while it lasts. The board knows no time: a push is done at once, and shown bit by bit.
 */
#include "polar.h"

#include <stdio.h>

/* what can be seen and heard of it */

/* An effect at a cell of the seat's board, for the seat and, on its board there, for spectators. */
static void show(wn_world *world, uint32_t number, wn_effect_kind kind, uint32_t cell, uint32_t tile, const char *cue)
{
    const polar *game = polar_of(world);
    const polar_board *board = &game->seats[number].board;
    wn_effect effect = {.kind = kind, .radius = 1, .tile = tile, .cue = cue};
    effect.x = (int32_t)board_x(board, cell) + 1;
    effect.y = (int32_t)board_y(board, cell) + 1;
    wn_show_effect(world, (int32_t)number, &effect);
    if (kind != WN_SOUND) {
        uint32_t x, y;
        polar_find_board(game, number, &x, &y);
        effect.x += (int32_t)x;
        effect.y += (int32_t)y;
        wn_show_effect(world, WN_SPECTATORS, &effect);
    }
}

static void hear(wn_world *world, uint32_t number, const char *cue)
{
    show(world, number, WN_SOUND, polar_of(world)->seats[number].board.penguin, TILE_SNOW, cue);
}

static void announce_level(wn_world *world, uint32_t number)
{
    const polar *game = polar_of(world);
    const polar_seat *seat = &game->seats[number];
    const polar_level *level = &game->pack.levels[seat->level];
    const pack_text *title = &level->title, *author = &level->author, *note = &level->note;
    wn_say(world, (int32_t)number, WN_INFO, "Level %u of %u: %.*s%s%.*s", seat->level + 1, game->pack.count,
           title->length, title->text, author->text != NULL ? ", by " : "", author->length,
           author->text != NULL ? author->text : "");
    if (note->text != NULL) {
        wn_say(world, (int32_t)number, WN_INFO, "%.*s", note->length, note->text);
    }
}

/* levels */

void polar_start_level(polar *game, polar_seat *seat, uint32_t level)
{
    pack_board(&game->pack, level, &seat->board);
    seat->level = seat->chosen = level;
    seat->made = seat->length = seat->pushes = 0;
    seat->choosing = seat->sliding = false;
    seat->hint = 0;
    seat->calm = 0;
}

void polar_enter_level(wn_world *world, uint32_t number, uint32_t level)
{
    polar *game = polar_of(world);
    polar_start_level(game, &game->seats[number], level);
    polar_mark(game, ALL_SEATS); /* boards of another size move the others */
    announce_level(world, number);
    polar_place(world, number);
}

/* Keeps the fewest moves and pushes, as scores as well. false: it has been done in as few before. */
static bool record(wn_world *world, uint32_t number)
{
    const polar *game = polar_of(world);
    const polar_seat *seat = &game->seats[number];
    polar_best *best = &game->runners[seat->runner].best[seat->level];
    const pack_text *title = &game->pack.levels[seat->level].title;
    const char *pack = wn_setting_file(world, SETTING_PACK);
    char table[WN_MAX_TEXT], detail[WN_MAX_TEXT];
    snprintf(detail, sizeof detail, "%.*s: %u move%s, %u push%s", title->length, title->text, seat->made,
             plural(seat->made, "", "s"), seat->pushes, plural(seat->pushes, "", "es"));
    const bool moves = best->moves == 0 || seat->made < best->moves;
    const bool pushes = best->pushes == 0 || seat->pushes < best->pushes;
    if (moves) {
        best->moves = seat->made;
        snprintf(table, sizeof table, "moves %s %u", pack, seat->level + 1);
        wn_record_score(world, number, table, seat->made, detail);
    }
    if (pushes) {
        best->pushes = seat->pushes;
        snprintf(table, sizeof table, "pushes %s %u", pack, seat->level + 1);
        wn_record_score(world, number, table, seat->pushes, detail);
    }
    return moves || pushes;
}

static void clear_level(wn_world *world, uint32_t number)
{
    polar *game = polar_of(world);
    polar_seat *seat = &game->seats[number];
    seat->calm = game->calm_ms;
    polar_runner *runner = &game->runners[seat->runner];
    const pack_text *title = &game->pack.levels[seat->level].title;
    runner->cleared += runner->best[seat->level].moves == 0;
    const bool news = record(world, number);
    if (runner->reached <= seat->level && seat->level + 1 < game->pack.count) {
        runner->reached = seat->level + 1;
    }
    hear(world, number, "win");
    wn_say(world, news ? WN_EVERYONE : (int32_t)number, WN_GOOD, "%s has cleared level %u, %.*s: %u move%s, %u push%s.",
           runner->name, seat->level + 1, title->length, title->text, seat->made, plural(seat->made, "", "s"),
           seat->pushes, plural(seat->pushes, "", "es"));
}

/* After clearing a level: the next. Steps wait for a moment of calm, so that who repeats or holds a key sees what they
 * have done; an action of its own leads on at once. */
static void go_on(wn_world *world, uint32_t number)
{
    const polar *game = polar_of(world);
    const uint32_t next = game->seats[number].level + 1;
    if (next < game->pack.count) {
        polar_enter_level(world, number, next);
    }
}

/* slides */

static void end_push(wn_world *world, uint32_t number, const polar_move *move)
{
    polar_seat *seat = &polar_of(world)->seats[number];
    const polar_board *board = &seat->board;
    const int32_t stride = board_stride(board, move->heading);
    const uint32_t end = (uint32_t)(board->penguin + (move->distance + 1) * stride);
    switch (move->outcome) {
    case OUTCOME_CRUSHED:
        show(world, number, WN_FLASH, end, TILE_ICE, "dig");
        break;
    case OUTCOME_BLOWS_UP:
        show(world, number, WN_EXPLOSION, (uint32_t)((int32_t)end + stride), TILE_BOMB, "explode");
        break;
    case OUTCOME_GOES_HOME:
        show(world, number, WN_FLASH, (uint32_t)((int32_t)end + stride), TILE_HEART, "pick");
        break;
    }
    if (board->hearts == 0) {
        clear_level(world, number);
    }
}

void polar_end_slide(wn_world *world, uint32_t number)
{
    polar *game = polar_of(world);
    polar_seat *seat = &game->seats[number];
    if (seat->taken && seat->sliding) {
        const polar_move move = seat_last_move(seat);
        seat->sliding = false;
        polar_mark(game, seat_bit(number));
        end_push(world, number, &move);
    }
}

/* One picture more of each slide. */
static void slide_on(wn_world *world)
{
    polar *game = polar_of(world);
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        polar_seat *seat = &game->seats[i];
        if (!seat->taken || !seat->sliding) {
            continue;
        }
        const uint32_t distance = seat_last_move(seat).distance;
        const uint32_t shown = seat->shown + (distance + SLIDE_FRAMES - 1) / SLIDE_FRAMES;
        polar_mark(game, seat_bit(i));
        if (shown < distance) {
            seat->shown = (uint8_t)shown;
        } else {
            polar_end_slide(world, i);
        }
    }
}

/* So much time has passed, as far as a mode can tell. */
static void calm_down(polar *game, uint32_t milliseconds)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        polar_seat *seat = &game->seats[i];
        if (seat->taken && seat->calm > 0) {
            seat->calm -= milliseconds < seat->calm ? milliseconds : seat->calm;
            polar_mark(game, seat_bit(i));
        }
    }
}

static bool anything_slides(const polar *game)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].taken && game->seats[i].sliding) {
            return true;
        }
    }
    return false;
}

static bool anyone_is_calm(const polar *game)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].taken && game->seats[i].calm > 0) {
            return true;
        }
    }
    return false;
}

/* A slide that begins does not wait for a longer tick of somebody's calm. */
static void wind_clock(wn_world *world)
{
    polar *game = polar_of(world);
    const uint32_t wanted = anything_slides(game) ? game->slide_ms : anyone_is_calm(game) ? CALM_TICK_MS : 0;
    if (wanted > 0 && (game->waking == 0 || wanted < game->waking)) {
        game->waking = wanted;
        wn_wake(world, wanted);
    }
}

/* moves */

bool polar_reserve_moves(wn_world *world, polar_seat *seat, uint32_t count)
{
    enum { FIRST = 256 };
    uint32_t capacity = seat->capacity > 0 ? seat->capacity : FIRST;
    while (capacity < count) {
        if (capacity > UINT32_MAX / 2 / sizeof *seat->moves) {
            return false;
        }
        capacity *= 2;
    }
    if (capacity == seat->capacity) {
        return true;
    }
    packed_move *moves = wn_resize(world, seat->moves, capacity * sizeof *moves);
    if (moves == NULL) {
        return false;
    }
    seat->moves = moves;
    seat->capacity = capacity;
    return true;
}

/* What comes of a move that was made. */
static void follow(wn_world *world, uint32_t number, const polar_move *move)
{
    const polar *game = polar_of(world);
    polar_seat *seat = &polar_of(world)->seats[number];
    if (move->deed != DEED_PUSH) {
        hear(world, number, "step");
        polar_place(world, number);
        return;
    }
    seat->pushes++;
    if (move->distance > 0 && game->slide_ms > 0) {
        seat->sliding = true;
        seat->shown = 0;
    } else {
        end_push(world, number, move);
    }
}

static bool is_heading(uint32_t direction)
{
    return direction < WN_HERE && direction % 2 == 0;
}

static void step(wn_world *world, uint32_t number, uint32_t direction)
{
    polar_seat *seat = &polar_of(world)->seats[number];
    if (!polar_reserve_moves(world, seat, seat->made + 1)) {
        wn_say(world, (int32_t)number, WN_BAD, "There is no memory for more moves: take some back, or restart.");
        return;
    }
    const polar_heading heading = is_heading(direction) ? (polar_heading)(direction / 2) : HEADING_COUNT;
    const polar_move move =
        heading < HEADING_COUNT ? board_move(&seat->board, heading) : (polar_move){.deed = DEED_NOTHING};
    if (move.deed == DEED_NOTHING) {
        hear(world, number, "hit");
        return;
    }
    seat->moves[seat->made++] = move_pack(&move);
    seat->length = seat->made;
    follow(world, number, &move);
}

static void face(wn_world *world, uint32_t number, uint32_t direction)
{
    if (is_heading(direction) && direction / 2 != polar_of(world)->seats[number].board.facing) {
        step(world, number, direction);
    }
}

/* false: there is nothing to take back. */
static bool take_back(polar_seat *seat)
{
    if (seat->made == 0) {
        return false;
    }
    const polar_move move = seat_last_move(seat);
    board_undo(&seat->board, &move);
    seat->calm = 0;
    seat->made--;
    seat->pushes -= move.deed == DEED_PUSH;
    return true;
}

static void undo(wn_world *world, uint32_t number)
{
    polar_seat *seat = &polar_of(world)->seats[number];
    hear(world, number, take_back(seat) ? "step" : "hit");
    polar_place(world, number);
}

static void back(wn_world *world, uint32_t number)
{
    polar_seat *seat = &polar_of(world)->seats[number];
    const uint32_t pushes = seat->pushes;
    bool any = false;
    while (seat->pushes == pushes && take_back(seat)) {
        any = true;
    }
    hear(world, number, any ? "step" : "hit");
    polar_place(world, number);
}

static void redo(wn_world *world, uint32_t number)
{
    polar_seat *seat = &polar_of(world)->seats[number];
    if (seat->made == seat->length) {
        hear(world, number, "hit");
        return;
    }
    const polar_move move = board_move(&seat->board, (polar_heading)move_unpack(seat->moves[seat->made]).heading);
    seat->made++;
    follow(world, number, &move);
}

static void restart(wn_world *world, uint32_t number)
{
    polar_seat *seat = &polar_of(world)->seats[number];
    while (take_back(seat)) {
    }
    announce_level(world, number);
    polar_place(world, number);
}

/* levels to go to */

static void go_to(wn_world *world, uint32_t number, uint32_t level)
{
    polar *game = polar_of(world);
    if (polar_may_play(game, &game->seats[number], level)) {
        polar_enter_level(world, number, level);
    } else {
        hear(world, number, "hit");
        wn_say(world, (int32_t)number, WN_BAD, "%s",
               level < game->pack.count ? "Clear this level first: then there is the next."
                                        : "There is no level beyond this one.");
    }
}

static void choose(wn_world *world, uint32_t number, uint32_t direction)
{
    polar *game = polar_of(world);
    polar_seat *seat = &game->seats[number];
    const uint32_t to = seat->chosen + (direction == WN_SOUTH) - (direction == WN_NORTH);
    if (direction == WN_EAST) {
        polar_enter_level(world, number, seat->chosen);
    } else if (direction == WN_WEST) {
        seat->choosing = false;
    } else if (polar_may_play(game, seat, to)) {
        seat->chosen = to;
    }
}

/* commands */

/* While the list of levels is open, steps move in it, and everything else but playing closes it. */
static void act_in_list(wn_world *world, uint32_t number, const wn_command *command)
{
    polar_seat *seat = &polar_of(world)->seats[number];
    if (command->action == ACTION_STEP) {
        choose(world, number, command->argument);
    } else if (command->action == ACTION_PLAY) {
        polar_enter_level(world, number, seat->chosen);
    } else {
        seat->choosing = false;
    }
}

static void act(wn_world *world, const wn_command *command)
{
    static void (*const simple[])(wn_world * world, uint32_t number) = {
        [ACTION_UNDO] = undo, [ACTION_BACK] = back, [ACTION_REDO] = redo, [ACTION_RESTART] = restart};
    const uint32_t number = command->seat;
    polar_seat *seat = &polar_of(world)->seats[number];
    switch (command->action) {
    case ACTION_STEP:
        if (!seat_is_cleared(seat)) {
            step(world, number, command->argument);
        } else if (seat->calm == 0) {
            go_on(world, number);
        } else {
            seat->calm = polar_of(world)->calm_ms;
        }
        break;
    case ACTION_FACE:
        if (!seat_is_cleared(seat)) {
            face(world, number, command->argument);
        }
        break;
    case ACTION_PLAY:
        if (seat_is_cleared(seat)) {
            go_on(world, number);
        }
        break;
    case ACTION_NEXT:
        go_to(world, number, seat->level + 1);
        break;
    case ACTION_PREVIOUS:
        go_to(world, number, seat->level - 1); /* before the first: too large a number */
        break;
    case ACTION_HINT:
        if (!seat_is_cleared(seat)) {
            polar_ask_hint(world, number);
        }
        break;
    case ACTION_LEVELS:
        seat->choosing = true;
        seat->chosen = seat->level;
        break;
    default:
        simple[command->action](world, number);
        break;
    }
}

void polar_take_turn(wn_world *world, const wn_turn *turn)
{
    polar *game = polar_of(world);
    game->changed = game->fresh;
    if (turn->woken) {
        const uint32_t passed = game->waking;
        game->waking = 0;
        calm_down(game, passed);
        slide_on(world);
    }
    for (size_t i = 0; i < turn->count; i++) {
        const wn_command *command = &turn->commands[i];
        polar_seat *seat = &game->seats[command->seat];
        polar_end_slide(world, command->seat);
        seat->hint = 0;
        polar_mark(game, seat_bit(command->seat));
        if (seat->choosing) {
            act_in_list(world, command->seat, command);
        } else {
            act(world, command);
        }
    }
    wind_clock(world);
    game->fresh = 0;
}
