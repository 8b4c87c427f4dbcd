# What tests of many parts stand on: suite.h, and mode_fixture.h for those of modes.
add_library(test_suite STATIC unit/suite.c)
target_link_libraries(test_suite PUBLIC PkgConfig::CHECK PRIVATE warren_options)
add_library(test_mode_fixture STATIC unit/mode_fixture.c)
target_link_libraries(test_mode_fixture
  PUBLIC test_suite warren_host_core warren_wire warren_mode_sdk m
  PRIVATE warren_options)
