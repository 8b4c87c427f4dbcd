# Recorded games go as they went. See recordings/README.md.
file(GLOB games CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/recordings/*.warren)
add_test(NAME recordings COMMAND warrenctl verify --mode-path ${CMAKE_BINARY_DIR}/modes ${games})
set_tests_properties(recordings PROPERTIES TIMEOUT ${WARREN_TEST_TIMEOUT} FAIL_REGULAR_EXPRESSION "no hashes")
