/* admission.c: who is let in, and as whom. See admission.h.
 */
#include "access/admission.h"

#include <unistd.h>

#include "access/access.h"
#include "access/accounts.h"
#include "configuration/endpoint.h"
#include "configuration/subject.h"
#include "memory.h"

#define ZAP_ENDPOINT "inproc://zeromq.zap.01"

/* Domains, as ZAP calls them: where the connection came in. One to a socket of updates ends in '+'. */
static const char domain_local[] = "ipc", domain_network[] = "tcp", of_updates[] = "+";

enum { CONNECTIONS_A_PASS = 256, FRAME_BYTES = 256 };

/* What libzmq asks, in its order; each frame up to FRAME_BYTES and with a NUL behind it. */
typedef enum part { VERSION, NUMBER, DOMAIN, ADDRESS, ROUTING_ID, MECHANISM, CREDENTIALS, PARTS } part;

typedef struct question {
    char parts[PARTS][FRAME_BYTES + 1];
    size_t sizes[PARTS];
} question;

/* identities */

/* On ipc the address ends in :uid:gid:pid. */
static bool read_user(const char *address, unsigned *uid, unsigned *pid)
{
    const char *at = address + strlen(address);
    unsigned gid;
    for (int colons = 0; at > address && colons < 3; at--) {
        colons += at[-1] == ':' ? 1 : 0;
    }
    at += *at == ':' ? 1 : 0;
    return sscanf(at, "%u:%u:%u", uid, &gid, pid) == 3;
}

static bool identify_user(const char *address, char *identity)
{
    unsigned uid, pid;
    if (!read_user(address, &uid, &pid)) {
        return false;
    }
    snprintf(identity, WN_IDENTITY_BYTES, "uid:%u", uid);
    return true;
}

static bool is_local(const question *asked)
{
    return strncmp(asked->parts[DOMAIN], domain_local, sizeof domain_local - 1) == 0;
}

static bool identify(const question *asked, char *identity)
{
    identity[0] = '\0';
    if (is_local(asked)) {
        return identify_user(asked->parts[ADDRESS], identity);
    }
    if (strcmp(asked->parts[MECHANISM], "CURVE") != 0) {
        return strcmp(asked->parts[MECHANISM], "NULL") == 0;
    }
    if (asked->sizes[CREDENTIALS] != WN_CURVE_BYTES) {
        return false;
    }
    char hex[WN_CURVE_HEX];
    wn_curve_hex(hex, (const uint8_t *)asked->parts[CREDENTIALS]);
    snprintf(identity, WN_IDENTITY_BYTES, "key:%s", hex);
    return true;
}

bool wn_is_local_admin(const char *identity)
{
    unsigned uid;
    return sscanf(identity, "uid:%u", &uid) == 1 && (uid == 0 || uid == geteuid());
}

void wn_admission_sender(zmq_msg_t *message, char *identity, char *address)
{
    const char *user = zmq_msg_gets(message, "User-Id");
    const char *peer = zmq_msg_gets(message, "Peer-Address");
    snprintf(identity, WN_IDENTITY_BYTES, "%s", user != NULL ? user : "");
    wn_subject_address(address, WN_ADDRESS_BYTES, peer != NULL && !wn_identity_is_user(identity) ? peer : "");
}

pid_t wn_admission_process(zmq_msg_t *message)
{
    const char *user = zmq_msg_gets(message, "User-Id");
    const char *address = zmq_msg_gets(message, "Peer-Address");
    unsigned uid, pid;
    const bool local = user != NULL && wn_identity_is_user(user) && address != NULL;
    return local && read_user(address, &uid, &pid) ? (pid_t)pid : 0;
}

/* questions and answers */

/* false: nothing is there. */
static bool receive(void *socket, question *asked)
{
    memset(asked, 0, sizeof *asked);
    bool more = true;
    for (size_t i = 0; more; i++) {
        char rest[FRAME_BYTES];
        char *into = i < PARTS ? asked->parts[i] : rest;
        const int size = zmq_recv(socket, into, FRAME_BYTES, ZMQ_DONTWAIT);
        if (size < 0) {
            return false;
        }
        if (i < PARTS) {
            asked->sizes[i] = size < FRAME_BYTES ? (size_t)size : FRAME_BYTES;
        }
        size_t more_size = sizeof(int);
        int more_there = 0;
        zmq_getsockopt(socket, ZMQ_RCVMORE, &more_there, &more_size);
        more = more_there != 0;
    }
    return true;
}

/* 300 means that the connection is dropped without a word and may be tried again, 400 that the peer is told no. */
typedef enum verdict { WELCOME, LATER, NEVER } verdict;

static void answer(void *socket, const question *asked, verdict found, const char *identity)
{
    static const char *const codes[] = {[WELCOME] = "200", [LATER] = "300", [NEVER] = "400"};
    const char *const parts[] = {"1.0", asked->parts[NUMBER], codes[found], "", found == WELCOME ? identity : "", ""};
    enum { COUNT = sizeof parts / sizeof *parts };
    for (size_t i = 0; i < COUNT; i++) {
        zmq_send(socket, parts[i], strlen(parts[i]), ZMQ_DONTWAIT | (i + 1 < COUNT ? ZMQ_SNDMORE : 0));
    }
}

/* Whoever may not enter is told so in answer to its Hello, and has no business with updates. */
static bool may_have(wn_daemon *daemon, const question *asked, const char *identity, const char *address)
{
    const wn_rule *ban = NULL;
    if (strstr(asked->parts[DOMAIN], of_updates) == NULL) {
        return !wn_access_shuns(daemon, address);
    }
    return wn_access_role(daemon, identity, address, &ban) != WN_ROLE_NONE && ban == NULL;
}

static void questions_ready(void *context)
{
    wn_daemon *daemon = context;
    question asked;
    for (int i = 0; i < CONNECTIONS_A_PASS && receive(daemon->zap, &asked); i++) {
        char identity[WN_IDENTITY_BYTES], address[WN_ADDRESS_BYTES];
        wn_subject_address(address, WN_ADDRESS_BYTES, is_local(&asked) ? "" : asked.parts[ADDRESS]);
        const verdict found = !identify(&asked, identity) || !may_have(daemon, &asked, identity, address) ? NEVER
                              : wn_accounts_shuns(daemon, identity, address)                              ? LATER
                                                                                                          : WELCOME;
        if (found != WELCOME) {
            wn_log_line(WN_LEVEL_DEBUG, "security", "a connection is not let in%s: who=%s address=%s",
                        found == LATER ? " for a while" : "", identity, address);
        }
        answer(daemon->zap, &asked, found, identity);
    }
}

/* opening */

static bool is_guarded(const char *path)
{
    const char *credentials = getenv("CREDENTIALS_DIRECTORY");
    const size_t length = credentials != NULL && credentials[0] == '/' ? strlen(credentials) : 0;
    return length > 0 && strncmp(path, credentials, length) == 0 && path[length] == '/';
}

bool wn_admission_check_key(const wn_config *config, wn_error *error)
{
    wn_curve_pair pair;
    const char *path = config->key_file;
    const bool good =
        (access(path, F_OK) != 0 && errno == ENOENT) || wn_curve_file_open(path, is_guarded(path), NULL, &pair, error);
    explicit_bzero(&pair, sizeof pair);
    return good;
}

bool wn_admission_key(wn_daemon *daemon, wn_error *error)
{
    const char *path = daemon->config->key_file;
    char hex[WN_CURVE_HEX];
    bool made = false;
    if (!wn_curve_file_open(path, is_guarded(path), &made, &daemon->key, error)) {
        return false;
    }
    wn_curve_hex(hex, daemon->key.public_key);
    wn_log_line(WN_LEVEL_INFO, "security", "%s key=%s file=%s", made ? "made a key" : "has a key", hex, path);
    return true;
}

bool wn_admission_open(wn_daemon *daemon, wn_error *error)
{
    daemon->zap = zmq_socket(daemon->zmq, ZMQ_REP);
    if (daemon->zap == NULL || zmq_bind(daemon->zap, ZAP_ENDPOINT) != 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "no socket for admissions: %s",
                            zmq_strerror(errno));
    }
    return wn_loop_add_socket(daemon->loop, daemon->zap, questions_ready, daemon, error);
}

void wn_admission_close(wn_daemon *daemon)
{
    if (daemon->zap != NULL) {
        zmq_close(daemon->zap);
    }
    explicit_bzero(&daemon->key, sizeof daemon->key);
}

bool wn_admission_prepare(const wn_daemon *daemon, void *socket, const char *endpoint, bool keys, wn_error *error)
{
    const bool network = wn_endpoint_tcp(endpoint) != NULL;
    char domain[16];
    snprintf(domain, sizeof domain, "%s%s", network ? domain_network : domain_local,
             socket == daemon->updates ? of_updates : "");
    const int server = keys, ipv6 = strchr(endpoint, '[') != NULL;
    const bool set = zmq_setsockopt(socket, ZMQ_ZAP_DOMAIN, domain, strlen(domain)) == 0 &&
                     zmq_setsockopt(socket, ZMQ_IPV6, &ipv6, sizeof ipv6) == 0 &&
                     (!keys || zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, daemon->key.secret_key,
                                              sizeof daemon->key.secret_key) == 0) &&
                     zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &server, sizeof server) == 0;
    return set || wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "network", 0,
                               "cannot serve on %s with keys: %s; install a libzmq with CURVE, or say insecure = yes "
                               "in [network]",
                               endpoint, zmq_strerror(errno));
}
