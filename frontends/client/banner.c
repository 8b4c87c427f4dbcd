/* banner.c: which banner is to be seen. See banner.h. */
#include "banner.h"

#include <stdio.h>
#include <string.h>

void wn_banner_take(wn_banner *banner, const wn_replica *replica)
{
    if (replica->banner != NULL && replica->banner[0] == '\0') {
        banner->hidden[0] = '\0';
    }
}

bool wn_banner_shows(const wn_banner *banner, const wn_replica *replica)
{
    return replica != NULL && replica->ready && replica->banner[0] != '\0' &&
           strcmp(replica->banner, banner->hidden) != 0;
}

bool wn_banner_hide(wn_banner *banner, const wn_replica *replica)
{
    if (!wn_banner_shows(banner, replica)) {
        return false;
    }
    snprintf(banner->hidden, sizeof banner->hidden, "%s", replica->banner);
    return true;
}

const char *wn_banner_split(const char *text, char *title, size_t size)
{
    const size_t length = strcspn(text, "\n");
    snprintf(title, size, "%.*s", (int)length, text);
    return text + length + strspn(text + length, "\n");
}
