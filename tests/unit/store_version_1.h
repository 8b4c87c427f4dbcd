/* store_version_1.h: a store as version 1 made it, and what has to be in it when it was converted.
 */
#ifndef WARREN_TESTS_STORE_VERSION_1_H
#define WARREN_TESTS_STORE_VERSION_1_H

enum { VERSION_1_ENTRIES = 3960 };

void make_version_1(void);
void check_converted(void);

#endif
