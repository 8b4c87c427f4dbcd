/* recording.c: a recording's content, packed into a file with a true checksum, since no guessing would make one. */
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

#include "fuzz.h"
#include "recording.h"

static char path[64];

void fuzz_start(void)
{
    snprintf(path, sizeof path, "/tmp/warren-fuzz-%d.warren", (int)getpid());
}

void fuzz(const uint8_t *data, size_t size)
{
    wn_error error = {0};
    fuzz_input input = {data, size};
    const bool whole = fuzz_byte(&input) % 2 == 0;
    gzFile file = gzopen(path, "wb1");
    FUZZ_REQUIRE(file != NULL);
    if (whole) {
        gzputs(file, WN_RECORDING_LINE);
    }
    gzwrite(file, input.data, (unsigned)input.size);
    gzclose(file);
    wn_recording *recording = wn_recording_read(path, &error);
    if (recording != NULL) {
        const uint64_t last = wn_recording_last(recording);
        FUZZ_REQUIRE(wn_recording_header(recording) != NULL && wn_recording_first(recording) <= last);
        FUZZ_REQUIRE(last == wn_recording_first(recording) || wn_recording_turn(recording, last) != NULL);
        FUZZ_REQUIRE(wn_recording_turn(recording, last + 1) == NULL);
    } else {
        FUZZ_REQUIRE(error.text[0] != '\0');
    }
    wn_recording_free(recording);
    unlink(path);
}
