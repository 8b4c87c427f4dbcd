# Recordings: the file, and playing one with a real warren-host and the caves.
warren_unit_test(recording warren_recording)
target_link_libraries(test-recording PRIVATE PkgConfig::ZLIB)

warren_unit_test(player warren_recording warren_host_core)
target_sources(test-player PRIVATE ${CMAKE_CURRENT_LIST_DIR}/recording_fixture.c)
target_compile_definitions(test-player PRIVATE WARREN_HOST="$<TARGET_FILE:warren-host>"
  CAVES_MODE="$<TARGET_FILE:mode_caves>" FRAGILE_MODES="${CMAKE_BINARY_DIR}/fragile-modes")
add_dependencies(test-player warren-host mode_caves integration_mode_fragile)

warren_unit_test(viewing warren_playback warren_host_core test_suite)
target_sources(test-viewing PRIVATE ${CMAKE_CURRENT_LIST_DIR}/recording_fixture.c)
target_compile_definitions(test-viewing PRIVATE CAVES_MODE="$<TARGET_FILE:mode_caves>"
  HUNT_MODE="$<TARGET_FILE:mode_hunt>" RECORDINGS="${CMAKE_SOURCE_DIR}/tests/recordings")
add_dependencies(test-viewing warren-host mode_caves mode_hunt)
