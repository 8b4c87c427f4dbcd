# Tests of warren/sight.h.
warren_unit_test(sight warren_mode_sdk)
