/* tool.c: warren-polar's subcommands play and show, and how packs are opened. */
#include "tool.h"

#include "moves.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 4 << 20 };

/* All that is in it, ended by a zero; NULL with errno. */
static char *read_all(FILE *file, size_t *size)
{
    char *text = malloc(FILE_LIMIT + 1);
    if (text == NULL) {
        return NULL;
    }
    *size = fread(text, 1, FILE_LIMIT, file);
    if (!ferror(file) && *size == FILE_LIMIT && fgetc(file) != EOF) {
        errno = EFBIG;
    } else if (!ferror(file)) {
        text[*size] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

int tool_open(tool_pack *file, const char *path)
{
    size_t size = 0;
    FILE *stream = fopen(path, "r");
    file->path = path;
    file->text = stream != NULL ? read_all(stream, &size) : NULL;
    if (file->text == NULL) {
        fprintf(stderr, "warren-polar: %s cannot be read: %s.\n", path, strerror(errno));
    }
    if (stream != NULL) {
        fclose(stream);
    }
    if (file->text == NULL) {
        return EXIT_UNREADABLE;
    }
    char error[PACK_ERROR_SIZE];
    if (!pack_read(&file->pack, path, file->text, size, error)) {
        fprintf(stderr, "%s\n", error);
        free(file->text);
        return EXIT_WRONG_PACK;
    }
    return EXIT_DONE;
}

int tool_level(const tool_pack *file, const char *number)
{
    char *end = NULL;
    const long level = strtol(number, &end, 10);
    if (*number == '\0' || *end != '\0' || level < 1 || level > (long)file->pack.count) {
        fprintf(stderr, "warren-polar: level %s: %s has levels 1 to %u.\n", number, file->path, file->pack.count);
        return -1;
    }
    return (int)level - 1;
}

static void print_board(const polar_board *board)
{
    char text[BOARD_TEXT_SIZE];
    board_text(board, text);
    fputs(text, stdout);
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

/* show */

static void print_list(const polar_pack *pack)
{
    for (uint32_t i = 0; i < pack->count; i++) {
        const polar_level *level = &pack->levels[i];
        printf("%3u  %2ux%-2u %3u heart%-1s  %.*s\n", i + 1, level->width, level->height, level->hearts,
               plural(level->hearts), level->title.length, level->title.text);
    }
}

static void print_line(const char *name, const pack_text *text)
{
    if (text->text != NULL) {
        printf("%s: %.*s\n", name, text->length, text->text);
    }
}

static void print_level(const polar_pack *pack, uint32_t number)
{
    static const char *const headings[] = {"north", "east", "south", "west"};
    const polar_level *level = &pack->levels[number];
    polar_board board;
    pack_board(pack, number, &board);
    print_line("title", &level->title);
    print_line("author", &level->author);
    print_line("note", &level->note);
    printf("start: %u %u %s\n", level->row, level->column, headings[level->facing]);
    print_board(&board);
}

int tool_show(int count, char **words)
{
    tool_pack file;
    if (count < 1 || count > 2) {
        fputs("warren-polar: show takes a PACK, and perhaps the number of a LEVEL.\n", stderr);
        return EXIT_USAGE;
    }
    const int status = tool_open(&file, words[0]);
    if (status != EXIT_DONE) {
        return status;
    }
    const int level = count == 2 ? tool_level(&file, words[1]) : 0;
    if (level >= 0 && count == 2) {
        print_level(&file.pack, (uint32_t)level);
    } else if (level >= 0) {
        print_list(&file.pack);
    }
    free(file.text);
    return level >= 0 ? EXIT_DONE : EXIT_USAGE;
}

/* play */

/* The words with a space between them, or what stands on standard input for "-". NULL with errno. */
static char *join_moves(int count, char **words)
{
    size_t size = 1;
    if (count == 1 && strcmp(words[0], "-") == 0) {
        return read_all(stdin, &size);
    }
    for (int i = 0; i < count; i++) {
        size += strlen(words[i]) + 1;
    }
    char *text = calloc(1, size), *end = text; /* it ends even where there are no words */
    for (int i = 0; text != NULL && i < count; i++) {
        end = stpcpy(stpcpy(end, words[i]), " ");
    }
    return text;
}

static int play_moves(polar_board *board, const char *text)
{
    polar_moves moves = {.text = text};
    polar_heading heading;
    moves_status status;
    uint32_t counts[DEED_PUSH + 1] = {0};
    while (board->hearts > 0 && (status = moves_next(&moves, &heading)) != MOVES_END) {
        if (status == MOVES_ERROR) {
            fprintf(stderr, "warren-polar: moves:1:%zu: expected %s.\n", moves.at + 1, moves.expected);
            return EXIT_USAGE;
        }
        counts[board_move(board, heading).deed]++;
    }
    const uint32_t made = counts[DEED_TURN] + counts[DEED_WALK] + counts[DEED_PUSH];
    print_board(board);
    printf("%s: %u move%s, %u push%s", board->hearts == 0 ? "cleared" : "not cleared", made, plural(made),
           counts[DEED_PUSH], counts[DEED_PUSH] == 1 ? "" : "es");
    if (board->hearts > 0) {
        printf(", %u heart%s left", board->hearts, plural(board->hearts));
    }
    if (counts[DEED_NOTHING] > 0) {
        printf(", %u more did nothing", counts[DEED_NOTHING]);
    }
    puts(".");
    return board->hearts == 0 ? EXIT_DONE : EXIT_NOT_CLEARED;
}

int tool_play(int count, char **words)
{
    tool_pack file;
    if (count < 2) {
        fputs("warren-polar: play takes a PACK, the number of a LEVEL, and moves like E3 S2.\n", stderr);
        return EXIT_USAGE;
    }
    int status = tool_open(&file, words[0]);
    if (status != EXIT_DONE) {
        return status;
    }
    const int level = tool_level(&file, words[1]);
    char *moves = level >= 0 ? join_moves(count - 2, words + 2) : NULL;
    if (moves != NULL) {
        polar_board board;
        pack_board(&file.pack, (uint32_t)level, &board);
        status = play_moves(&board, moves);
        free(moves);
    } else if (level >= 0) {
        fprintf(stderr, "warren-polar: the moves cannot be read: %s.\n", strerror(errno));
        status = EXIT_UNREADABLE;
    } else {
        status = EXIT_USAGE;
    }
    free(file.text);
    return status;
}
