/* subject.c: whom a right or a ban is about. See subject.h.
 */
#include "configuration/subject.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve.h"

static const char key_mark[] = "key:", user_mark[] = "uid:", address_mark[] = "address:";

/* Every address as one of IPv6. */
typedef struct network {
    struct in6_addr address;
    unsigned bits;
} network;

static bool starts(const char *text, const char *mark)
{
    return strncmp(text, mark, strlen(mark)) == 0;
}

static bool parse_number(const char *text, unsigned long most, unsigned long *number)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 10 || text[digits] != '\0') {
        return false;
    }
    *number = strtoul(text, NULL, 10);
    return *number <= most;
}

/* networks */

static bool parse_network(network *parsed, const char *text)
{
    enum { FOUR_AT = 12 }; /* of an IPv4 address within an IPv6 one */
    char address[INET6_ADDRSTRLEN];
    const char *slash = strchr(text, '/');
    const size_t length = slash != NULL ? (size_t)(slash - text) : strlen(text);
    unsigned long bits = 0;
    if (length >= sizeof address) {
        return false;
    }
    snprintf(address, sizeof address, "%.*s", (int)length, text);
    memset(parsed, 0, sizeof *parsed);
    const bool four = inet_pton(AF_INET, address, parsed->address.s6_addr + FOUR_AT) == 1;
    if (four) {
        parsed->address.s6_addr[10] = parsed->address.s6_addr[11] = 0xff;
    } else if (inet_pton(AF_INET6, address, &parsed->address) != 1) {
        return false;
    }
    if (slash != NULL && !parse_number(slash + 1, four ? 32 : 128, &bits)) {
        return false;
    }
    parsed->bits = slash == NULL ? 128 : (unsigned)bits + (four ? 96 : 0);
    return true;
}

static bool contains(const network *all, const struct in6_addr *one)
{
    const unsigned bytes = all->bits / 8, rest = all->bits % 8;
    const unsigned mask = 0xff00u >> rest & 0xff;
    return memcmp(all->address.s6_addr, one->s6_addr, bytes) == 0 &&
           (rest == 0 || ((all->address.s6_addr[bytes] ^ one->s6_addr[bytes]) & mask) == 0);
}

/* Without what is beyond the bits, so that one network has one form. */
static void write_network(char *subject, const network *parsed)
{
    network shown = *parsed;
    char text[INET6_ADDRSTRLEN];
    for (unsigned bit = shown.bits; bit < 128; bit++) {
        shown.address.s6_addr[bit / 8] &= (uint8_t) ~(0x80u >> bit % 8);
    }
    const bool four = IN6_IS_ADDR_V4MAPPED(&shown.address) && shown.bits >= 96;
    inet_ntop(four ? AF_INET : AF_INET6, shown.address.s6_addr + (four ? 12 : 0), text, sizeof text);
    if (shown.bits == 128) {
        snprintf(subject, WN_SUBJECT_BYTES, "%s%s", address_mark, text);
    } else {
        snprintf(subject, WN_SUBJECT_BYTES, "%s%s/%u", address_mark, text, shown.bits - (four ? 96 : 0));
    }
}

/* subjects */

static bool parse_key(char *subject, const char *text)
{
    uint8_t key[WN_CURVE_BYTES];
    char hex[WN_CURVE_HEX];
    if (!wn_curve_parse(key, text)) {
        return false;
    }
    wn_curve_hex(hex, key);
    snprintf(subject, WN_SUBJECT_BYTES, "%s%s", key_mark, hex);
    return true;
}

bool wn_subject_parse(char subject[WN_SUBJECT_BYTES], const char *text)
{
    unsigned long uid;
    network parsed;
    if (starts(text, user_mark)) {
        const bool good = parse_number(text + strlen(user_mark), UINT32_MAX, &uid);
        snprintf(subject, WN_SUBJECT_BYTES, "%s%lu", user_mark, good ? uid : 0);
        return good;
    }
    if (parse_key(subject, starts(text, key_mark) ? text + strlen(key_mark) : text)) {
        return true;
    }
    if (!parse_network(&parsed, starts(text, address_mark) ? text + strlen(address_mark) : text)) {
        return false;
    }
    write_network(subject, &parsed);
    return true;
}

const char *wn_subject_name(const char *subject)
{
    return starts(subject, WN_SUBJECT_NAME) ? subject + strlen(WN_SUBJECT_NAME) : NULL;
}

bool wn_subject_written(const char *name)
{
    static const char *const marks[] = {key_mark, user_mark, address_mark, WN_SUBJECT_NAME};
    char subject[WN_SUBJECT_BYTES];
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (starts(name, marks[i])) {
            return true;
        }
    }
    return wn_subject_parse(subject, name);
}

bool wn_subject_is_address(const char *subject)
{
    return starts(subject, address_mark);
}

bool wn_identity_is_key(const char *identity)
{
    return starts(identity, key_mark);
}

bool wn_identity_is_user(const char *identity)
{
    return starts(identity, user_mark);
}

bool wn_subject_is(const char *subject, const char *identity, const char *address)
{
    network all, one;
    if (!wn_subject_is_address(subject)) {
        return strcmp(subject, identity) == 0;
    }
    return parse_network(&all, subject + strlen(address_mark)) && parse_network(&one, address) &&
           contains(&all, &one.address);
}

void wn_subject_address(char *address, size_t size, const char *from)
{
    static const char mapped[] = "::ffff:";
    from += starts(from, mapped) && strchr(from, '.') != NULL ? sizeof mapped - 1 : 0;
    snprintf(address, size, "%.*s", (int)strcspn(from, "%"), from);
}
