/* pack.c: see pack.h. The text is read line by line; a level is checked as a whole when a blank line, or the end,
 * closes it.
 */
#include "pack.h"

#include "moves.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A line without its comment and the white space around it. */
typedef struct pack_line {
    const char *start; /* of the whole line: columns count from here */
    const char *text, *end;
    uint32_t number;
    bool comment; /* there was one: an empty line with a comment is not a blank line */
} pack_line;

typedef struct pack_reader {
    polar_pack *pack;
    const char *name;
    const char *at, *end;
    uint32_t number; /* of lines read */
    pack_line line;  /* the last one */
    /* of the level that is being read */
    polar_level level;
    bool open, started;    /* has any line; has a start line */
    pack_line start, last; /* that start line; the last line with something on it */
    bool house;
    char *error;
} pack_reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Columns count characters: bytes that do not go on with a UTF-8 sequence. */
static uint32_t column_of(const pack_line *line, const char *at)
{
    uint32_t column = 1;
    for (const char *c = line->start; c < at; c++) {
        column += ((uint8_t)*c & 0xc0u) != 0x80u;
    }
    return column;
}

__attribute__((__format__(__printf__, 4, 5))) static bool fail(const pack_reader *reader, const pack_line *line,
                                                               const char *at, const char *format, ...)
{
    const int used =
        snprintf(reader->error, PACK_ERROR_SIZE, "%.100s:%u:%u: ", reader->name, line->number, column_of(line, at));
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->error + used, (size_t)(PACK_ERROR_SIZE - used), format, arguments);
    va_end(arguments);
    return false;
}

/* What stands at a place, for a message. */
typedef struct finding {
    char text[16];
} finding;

static finding describe(const pack_line *line, const char *at)
{
    finding found;
    if (at >= line->end) {
        snprintf(found.text, sizeof found.text, "nothing");
    } else if (*at > ' ' && *at <= '~') {
        snprintf(found.text, sizeof found.text, "'%c'", *at);
    } else {
        snprintf(found.text, sizeof found.text, "byte 0x%02x", (uint8_t)*at);
    }
    return found;
}

static bool read_line(pack_reader *reader)
{
    if (reader->at == reader->end) {
        return false;
    }
    pack_line *line = &reader->line;
    const char *feed = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    line->start = line->text = reader->at;
    line->end = feed != NULL ? feed : reader->end;
    line->number = ++reader->number;
    reader->at = feed != NULL ? feed + 1 : reader->end;

    const char *comment = memchr(line->start, ';', (size_t)(line->end - line->start));
    line->comment = comment != NULL;
    line->end = comment != NULL ? comment : line->end;
    while (line->text < line->end && is_blank(*line->text)) {
        line->text++;
    }
    while (line->text < line->end && is_blank(line->end[-1])) {
        line->end--;
    }
    return true;
}

/* lines before the rows */

static bool read_text(const pack_reader *reader, const char *value, pack_text *text)
{
    const pack_line *line = &reader->line;
    if (value == line->end) {
        return fail(reader, line, value, "expected some text after the colon, found nothing");
    }
    if (line->end - value > PACK_MAX_LINE) {
        return fail(reader, line, value + PACK_MAX_LINE, "expected a line feed: a text has at most %d bytes",
                    PACK_MAX_LINE);
    }
    for (const char *c = value; c < line->end; c++) {
        if ((uint8_t)*c < ' ' || *c == 0x7f) {
            return fail(reader, line, c, "expected text without control characters, found %s", describe(line, c).text);
        }
    }
    *text = (pack_text){value, (int)(line->end - value)};
    return true;
}

/* A number below BOARD_MAX_SIDE; moves `at` past it and the blanks after it. */
static bool read_number(const pack_reader *reader, const char **at, uint8_t *number, const char *what)
{
    const pack_line *line = &reader->line;
    const char *c = *at;
    uint32_t value = 0;
    while (c < line->end && *c >= '0' && *c <= '9' && value < BOARD_MAX_SIDE) {
        value = value * 10 + (uint32_t)(*c++ - '0');
    }
    if (c == *at || value >= BOARD_MAX_SIDE || (c < line->end && !is_blank(*c))) {
        return fail(reader, line, *at, "expected the %s, a number from 0 to %d, found %s", what, BOARD_MAX_SIDE - 1,
                    describe(line, c == *at || value < BOARD_MAX_SIDE ? c : *at).text);
    }
    while (c < line->end && is_blank(*c)) {
        c++;
    }
    *number = (uint8_t)value;
    *at = c;
    return true;
}

static bool read_start(pack_reader *reader, const char *value)
{
    const pack_line *line = &reader->line;
    polar_level *level = &reader->level;
    if (!read_number(reader, &value, &level->row, "row") || !read_number(reader, &value, &level->column, "column")) {
        return false;
    }
    level->facing = (uint8_t)heading_read(value, (size_t)(line->end - value));
    if (level->facing == HEADING_COUNT) {
        return fail(reader, line, value, "expected north, east, south or west, found %s", describe(line, value).text);
    }
    reader->started = true;
    reader->start = *line;
    return true;
}

/* "title: ..." and its like. */
static bool read_field(pack_reader *reader)
{
    static const char *const names[] = {"title", "author", "note", "start"};
    const pack_line *line = &reader->line;
    polar_level *level = &reader->level;
    pack_text *const texts[] = {&level->title, &level->author, &level->note, NULL};
    const char *colon = memchr(line->text, ':', (size_t)(line->end - line->text));
    const size_t length = colon != NULL ? (size_t)(colon - line->text) : 0;
    size_t i = 0;
    while (i < 4 && (strlen(names[i]) != length || memcmp(line->text, names[i], length) != 0)) {
        i++;
    }
    if (i == 4) {
        return fail(reader, line, line->text,
                    "expected title:, author:, note:, start: or a row of digits from 0 to 6, found %s",
                    describe(line, line->text).text);
    }
    if (texts[i] != NULL ? texts[i]->text != NULL : reader->started) {
        return fail(reader, line, line->text, "expected one %s in a level, found another: a blank line ends a level",
                    names[i]);
    }
    const char *value = colon + 1;
    while (value < line->end && is_blank(*value)) {
        value++;
    }
    return texts[i] != NULL ? read_text(reader, value, texts[i]) : read_start(reader, value);
}

/* rows */

static bool read_row(pack_reader *reader)
{
    const pack_line *line = &reader->line;
    polar_level *level = &reader->level;
    const char *c = line->text;
    for (; c < line->end && *c >= '0' && *c <= '6'; c++) {
        level->hearts = (uint16_t)(level->hearts + (*c == '5'));
        reader->house = reader->house || *c == '3';
        if (c - line->text == BOARD_MAX_SIDE) {
            return fail(reader, line, c, "expected a line feed: a row has at most %d digits", BOARD_MAX_SIDE);
        }
    }
    const int width = (int)(c - line->text);
    if (c < line->end) {
        return fail(reader, line, c, "expected a digit from 0 to 6, found %s", describe(line, c).text);
    }
    if (level->height == BOARD_MAX_SIDE) {
        return fail(reader, line, line->text, "expected a blank line: a level has at most %d rows", BOARD_MAX_SIDE);
    }
    if (level->height == 0) {
        level->width = (uint8_t)width;
        level->rows = line->start;
    }
    if (width < BOARD_MIN_SIDE) {
        return fail(reader, line, c, "expected at least %d digits in a row, found %d", BOARD_MIN_SIDE, width);
    }
    if (width != level->width) {
        return fail(reader, line, width < level->width ? c : line->text + level->width,
                    "expected %d digits as in the level's first row, found %d", level->width, width);
    }
    level->height++;
    return true;
}

/* levels */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool read_level_line(pack_reader *reader)
{
    reader->last = reader->line;
    reader->open = true;
    return reader->level.height > 0 || is_digit(*reader->line.text) ? read_row(reader) : read_field(reader);
}

/* Checks what only the whole level shows, and adds it. */
static bool close_level(pack_reader *reader)
{
    const polar_level *level = &reader->level;
    const pack_line *last = &reader->last;
    if (level->title.text == NULL) {
        return fail(reader, last, last->end, "expected a title: line before the level's rows, found none");
    }
    if (level->height < BOARD_MIN_SIDE) {
        return fail(reader, last, last->end, "expected at least %d rows of digits, found %d", BOARD_MIN_SIDE,
                    level->height);
    }
    if (level->hearts == 0) {
        return fail(reader, last, last->end, "expected a heart (5) in the level's rows, found none");
    }
    if (!reader->house) {
        return fail(reader, last, last->end, "expected a house (3) in the level's rows, found none");
    }
    polar_pack *pack = reader->pack;
    if (pack->count == PACK_MAX_LEVELS) {
        return fail(reader, last, last->end, "expected the end: a pack has at most %d levels", PACK_MAX_LEVELS);
    }
    const struct pack_line *start = reader->started ? &reader->start : last;
    const char *where = reader->started ? start->text : last->end;
    if (level->row >= level->height || level->column >= level->width) {
        return fail(reader, start, where, "expected a start inside of the %d rows and %d columns, found %d %d",
                    level->height, level->width, level->row, level->column);
    }
    pack->levels[pack->count++] = *level;
    polar_board board;
    pack_board(pack, pack->count - 1, &board);
    if (!piece_is_walkable((polar_piece)board.cells[board.penguin])) {
        return fail(reader, start, where, "expected a start on an empty cell or a tree, found a %c at %d %d",
                    '0' + board.cells[board.penguin], level->row, level->column);
    }
    return true;
}

static void open_level(pack_reader *reader)
{
    reader->level = (polar_level){.facing = HEADING_SOUTH};
    reader->open = reader->started = reader->house = false;
}

bool pack_read(polar_pack *pack, const char *name, const char *text, size_t size, char error[PACK_ERROR_SIZE])
{
    pack_reader reader = {.pack = pack, .name = name, .at = text, .end = text + size, .error = error};
    pack->count = 0;
    pack->end = text + size;
    open_level(&reader);
    while (read_line(&reader)) {
        const bool empty = reader.line.text == reader.line.end;
        if (!empty) {
            if (!read_level_line(&reader)) {
                return false;
            }
        } else if (!reader.line.comment && reader.open) {
            if (!close_level(&reader)) {
                return false;
            }
            open_level(&reader);
        }
    }
    if (reader.open && !close_level(&reader)) {
        return false;
    }
    if (pack->count == 0) {
        const pack_line nothing = {
            .start = text + size, .text = text + size, .end = text + size, .number = reader.number + 1};
        return fail(&reader, &nothing, nothing.text, "expected a level, found none");
    }
    return true;
}

void pack_board(const polar_pack *pack, uint32_t number, polar_board *board)
{
    const polar_level *level = &pack->levels[number];
    pack_reader reader = {.at = level->rows, .end = pack->end};
    board_clear(board, level->width, level->height);
    for (uint32_t y = 0; y < level->height && read_line(&reader);) {
        if (reader.line.text == reader.line.end) {
            continue; /* a comment between rows */
        }
        for (uint32_t x = 0; x < level->width; x++) {
            board_set(board, board_cell(board, x, y), (polar_piece)(reader.line.text[x] - '0'));
        }
        y++;
    }
    board->penguin = board_cell(board, level->column, level->row);
    board->facing = level->facing;
}
