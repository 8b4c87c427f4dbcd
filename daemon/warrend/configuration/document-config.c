/* document-config.c: makes what Warren says of its settings beside warrend --print-config, while Warren is built: the
 * page warren.conf(5), of its template, and the file that the package has. Both come from the table in config-table.c.
 */
#include <stdlib.h>
#include <string.h>

#include "configuration/config.h"

/* The template, with the settings in place of the line that asks for them. */
static void print_page(FILE *template)
{
    char line[1024];
    while (fgets(line, sizeof line, template) != NULL) {
        if (strcmp(line, ".\\\" SETTINGS\n") == 0) {
            wn_config_print_page(stdout);
        } else {
            fputs(line, stdout);
        }
    }
}

int main(int count, char **arguments)
{
    FILE *template = count > 1 ? fopen(arguments[1], "re") : NULL;
    if (count > 1 && template == NULL) {
        perror(arguments[1]);
        return EXIT_FAILURE;
    }
    if (template != NULL) {
        print_page(template);
        fclose(template);
    } else {
        wn_error error = {0};
        if (!wn_config_print(NULL, stdout, &error)) {
            fprintf(stderr, "document-config: %s\n", error.text);
            return EXIT_FAILURE;
        }
    }
    return ferror(stdout) || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
