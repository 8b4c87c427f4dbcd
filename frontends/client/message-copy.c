/* message-copy.c: see message-copy.h. */
#include "message-copy.h"

#include <stdlib.h>

ProtobufCMessage *wn_message_copy(const ProtobufCMessage *message)
{
    const size_t size = protobuf_c_message_get_packed_size(message);
    uint8_t *bytes = malloc(size + 1);
    if (bytes == NULL) {
        return NULL;
    }
    protobuf_c_message_pack(message, bytes);
    ProtobufCMessage *copy = protobuf_c_message_unpack(message->descriptor, NULL, size, bytes);
    free(bytes);
    return copy;
}
