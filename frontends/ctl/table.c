/* table.c: rows of text in aligned columns. It knows nothing of what the cells mean. */
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

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

static void print_cell(const wn_table *table, size_t column, const char *text, int width, FILE *to)
{
    const int padding = width - width_of(text);
    const bool last = column + 1 == table->column_count;
    if (table->columns[column].right) {
        fprintf(to, "%*s%s", padding, "", text);
    } else {
        fprintf(to, "%s%*s", text, last ? 0 : padding, "");
    }
    fputs(last ? "\n" : "  ", to);
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
    fprintf(to, "%*s", indent, "");
    for (size_t i = 0; i < table->column_count; i++) {
        print_cell(table, i, table->columns[i].title, widths[i], to);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        const size_t column = i % table->column_count;
        if (column == 0) {
            fprintf(to, "%*s", indent, "");
        }
        print_cell(table, column, table->cells[i], widths[column], to);
        free(table->cells[i]);
    }
    free(table->cells);
    *table = (wn_table){.columns = table->columns, .column_count = table->column_count};
}
