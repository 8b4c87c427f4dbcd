warren_unit_test(unread warrend_parts)
set_tests_properties(unit-unread PROPERTIES LABELS threads)
