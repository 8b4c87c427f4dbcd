# Tests of the hunt mode. They run the mode as it is installed, by the host's core; its files are linked in as well, to
# look at a world's state and to set scenes.
file(GLOB hunt_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/plugins/hunt/*.c)
add_library(hunt_for_tests OBJECT ${hunt_sources})
target_link_libraries(hunt_for_tests PRIVATE warren_mode_sdk warren_options)
foreach(part maze shots slime players sight privacy chances play)
  warren_unit_test(hunt_${part} test_mode_fixture)
  target_sources(test-hunt_${part} PRIVATE unit/hunt_fixture.c $<TARGET_OBJECTS:hunt_for_tests>)
  target_compile_definitions(test-hunt_${part} PRIVATE HUNT_MODE="$<TARGET_FILE:mode_hunt>")
  add_dependencies(test-hunt_${part} mode_hunt)
endforeach()
