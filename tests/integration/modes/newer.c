/* newer.c: a mode for tests that says it was built for an ABI version of a later year. It has nothing else.
 */
#include <warren/mode.h>

const wn_mode_descriptor *wn_mode(void)
{
    static const wn_mode_descriptor descriptor = {.abi = 99, .size = sizeof(wn_mode_descriptor), .name = "newer"};
    return &descriptor;
}
