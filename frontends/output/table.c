/* table.c: rows of text in aligned columns. It knows nothing of what the cells mean. */
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "wire.h"

enum { COLUMN_GAP = 2 };

void wn_table_start(wn_table *table, const wn_table_column *columns, size_t column_count)
{
    *table = (wn_table){.columns = columns, .column_count = column_count};
}

static void out_of_memory(void)
{
    fputs("No memory left to print a table.\n", stderr);
    abort();
}

static void add_cell(wn_table *table, char *cell)
{
    wn_text_clean(cell, strlen(cell), false);
    if (table->cell_count == table->capacity) {
        const size_t capacity = table->capacity == 0 ? 64 : table->capacity * 2;
        char **cells = realloc(table->cells, capacity * sizeof *cells);
        if (cells == NULL) {
            out_of_memory();
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    table->cells[table->cell_count++] = cell;
}

void wn_table_text(wn_table *table, const char *text)
{
    char *cell = strdup(text != NULL ? text : "");
    if (cell == NULL) {
        out_of_memory();
    }
    add_cell(table, cell);
}

void wn_table_format(wn_table *table, const char *format, ...)
{
    char *cell = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&cell, format, arguments);
    va_end(arguments);
    if (length < 0) {
        out_of_memory();
    }
    add_cell(table, cell);
}

/* Columns of a terminal; bytes where the locale cannot tell. */
static int width_of(const char *text)
{
    wchar_t wide[1024];
    const size_t count = mbstowcs(wide, text, sizeof wide / sizeof *wide);
    if (count == (size_t)-1 || count == sizeof wide / sizeof *wide) {
        return (int)strlen(text);
    }
    const int width = wcswidth(wide, count);
    return width >= 0 ? width : (int)strlen(text);
}

/* A row, without spaces at its end. */
static void print_row(const wn_table *table, const char *const *cells, const int *widths, int indent, FILE *to)
{
    int gap = indent;
    for (size_t i = 0; i < table->column_count; i++) {
        const int padding = widths[i] - width_of(cells[i]);
        const bool right = table->columns[i].right;
        gap += right ? padding : 0;
        if (*cells[i] != '\0') {
            fprintf(to, "%*s%s", gap, "", cells[i]);
            gap = 0;
        }
        gap += (right ? 0 : padding) + COLUMN_GAP;
    }
    putc('\n', to);
}

void wn_table_print(wn_table *table, FILE *to, int indent)
{
    int widths[WN_TABLE_COLUMNS] = {0};
    for (size_t i = 0; i < table->column_count; i++) {
        widths[i] = width_of(table->columns[i].title);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        const int width = width_of(table->cells[i]);
        int *widest = &widths[i % table->column_count];
        *widest = width > *widest ? width : *widest;
    }
    const char *titles[WN_TABLE_COLUMNS];
    for (size_t i = 0; i < table->column_count; i++) {
        titles[i] = table->columns[i].title;
    }
    print_row(table, titles, widths, indent, to);
    for (size_t i = 0; i + table->column_count <= table->cell_count; i += table->column_count) {
        print_row(table, (const char *const *)table->cells + i, widths, indent, to);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        free(table->cells[i]);
    }
    free(table->cells);
    *table = (wn_table){.columns = table->columns, .column_count = table->column_count};
}
