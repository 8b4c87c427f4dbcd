# Tests of the caves mode. They run the mode as it is installed, by the host's core; map and entities are linked in as
# well, to look at a world's state and to set scenes.
foreach(part generation steps creatures world regions play sight)
  warren_unit_test(caves_${part} test_mode_fixture)
  target_sources(test-caves_${part} PRIVATE unit/caves_fixture.c
    ${CMAKE_SOURCE_DIR}/plugins/caves/cave.c ${CMAKE_SOURCE_DIR}/plugins/caves/entities.c
    ${CMAKE_SOURCE_DIR}/plugins/caves/vision.c)
  target_compile_definitions(test-caves_${part} PRIVATE CAVES_MODE="$<TARGET_FILE:mode_caves>")
  add_dependencies(test-caves_${part} mode_caves)
endforeach()
