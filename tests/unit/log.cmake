warren_unit_test(log warren_daemon_core)
set_tests_properties(unit-log PROPERTIES LABELS threads)
