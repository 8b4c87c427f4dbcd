/* message-copy.h: messages that outlive the event that they came with. */
#ifndef WARREN_CLIENT_MESSAGE_COPY_H
#define WARREN_CLIENT_MESSAGE_COPY_H

#include <protobuf-c/protobuf-c.h>

/* A copy, or NULL; free it with protobuf_c_message_free_unpacked(). */
ProtobufCMessage *wn_message_copy(const ProtobufCMessage *message);

#endif
