# Tests of warren/sight.h.
warren_unit_test(sight test_suite warren_mode_sdk)
