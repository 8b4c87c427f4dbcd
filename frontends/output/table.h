/* table.h: rows of text in aligned columns, fit for people. Widths are those of a terminal, not bytes.
 */
#ifndef WARREN_TABLE_H
#define WARREN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { WN_TABLE_COLUMNS = 16 };

typedef struct wn_table_column {
    const char *title;
    bool right; /* numbers */
} wn_table_column;

typedef struct wn_table {
    const wn_table_column *columns;
    size_t column_count;
    char **cells; /* row by row */
    size_t cell_count, capacity;
} wn_table;

/* `columns` must outlive the table; at most WN_TABLE_COLUMNS. */
void wn_table_start(wn_table *table, const wn_table_column *columns, size_t column_count);
/* The next cell, from left to right, row after row. NULL is an empty one. */
void wn_table_text(wn_table *table, const char *text);
void wn_table_format(wn_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints titles and rows, each line after `indent` spaces, and releases the cells. */
void wn_table_print(wn_table *table, FILE *to, int indent);

#endif
