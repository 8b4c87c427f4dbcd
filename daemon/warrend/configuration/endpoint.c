/* endpoint.c: see endpoint.h.
 */
#include "configuration/endpoint.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

static const char ipc_scheme[] = "ipc://", tcp_scheme[] = "tcp://";

bool wn_endpoint_next(const char **list, char endpoint[static WN_ENDPOINT_BYTES])
{
    const char *begin = *list + strspn(*list, " ");
    const size_t size = strcspn(begin, " "), copied = size < WN_ENDPOINT_BYTES ? size : WN_ENDPOINT_BYTES - 1;
    memcpy(endpoint, begin, copied);
    endpoint[copied] = '\0';
    *list = begin + size;
    return size > 0;
}

static const char *after(const char *endpoint, const char *scheme)
{
    const size_t length = strlen(scheme);
    return strncmp(endpoint, scheme, length) == 0 ? endpoint + length : NULL;
}

const char *wn_endpoint_ipc(const char *endpoint)
{
    return after(endpoint, ipc_scheme);
}

const char *wn_endpoint_tcp(const char *endpoint)
{
    return after(endpoint, tcp_scheme);
}

/* 0: it is none. */
static uint16_t parse_port(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    const long port = digits > 0 && digits <= 10 && text[digits] == '\0' ? strtol(text, NULL, 10) : 0;
    return port >= 1 && port <= UINT16_MAX ? (uint16_t)port : 0;
}

uint16_t wn_endpoint_port(const char *endpoint)
{
    const char *place = wn_endpoint_tcp(endpoint), *colon = place != NULL ? strrchr(place, ':') : NULL;
    return colon != NULL ? parse_port(colon + 1) : 0;
}

bool wn_endpoint_split(const char *place, char address[static WN_ENDPOINT_ADDRESS_BYTES])
{
    const char *colon = strrchr(place, ':');
    if (colon == NULL || colon == place) {
        return false;
    }
    size_t length = (size_t)(colon - place);
    if (place[0] == '[' && colon[-1] == ']') {
        place++;
        length -= 2;
    } else if (memchr(place, ':', length) != NULL) {
        return false; /* an IPv6 address without brackets */
    }
    if (length == 0 || length >= WN_ENDPOINT_ADDRESS_BYTES) {
        return false;
    }
    memcpy(address, place, length);
    address[length] = '\0';
    return strcmp(colon + 1, "*") == 0 || parse_port(colon + 1) != 0;
}

bool wn_address_is_loopback(const char *address)
{
    struct in_addr four;
    struct in6_addr six;
    if (inet_pton(AF_INET, address, &four) == 1) {
        return ntohl(four.s_addr) >> 24 == 127;
    }
    if (inet_pton(AF_INET6, address, &six) == 1) {
        return IN6_IS_ADDR_LOOPBACK(&six) || (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
    }
    return strcmp(address, "lo") == 0;
}

bool wn_endpoint_is_loopback(const char *endpoint)
{
    char address[WN_ENDPOINT_ADDRESS_BYTES];
    const char *place = wn_endpoint_tcp(endpoint);
    return place != NULL && wn_endpoint_split(place, address) && wn_address_is_loopback(address);
}
