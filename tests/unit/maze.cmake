# Tests of the maze mode and of its generator. Those of the mode run it as it is installed, by the host's core; its
# files are linked in as well, to look at a world's state and to set scenes.
warren_unit_test(maze_generator test_suite warren_maze m)

add_library(maze_for_tests OBJECT
  ${CMAKE_SOURCE_DIR}/plugins/maze/boulders.c
  ${CMAKE_SOURCE_DIR}/plugins/maze/descriptor.c
  ${CMAKE_SOURCE_DIR}/plugins/maze/draw.c
  ${CMAKE_SOURCE_DIR}/plugins/maze/look.c
  ${CMAKE_SOURCE_DIR}/plugins/maze/monsters.c
  ${CMAKE_SOURCE_DIR}/plugins/maze/save.c
  ${CMAKE_SOURCE_DIR}/plugins/maze/turn.c
  ${CMAKE_SOURCE_DIR}/plugins/maze/worlds.c)
target_link_libraries(maze_for_tests PRIVATE warren_mode_sdk warren_options)
foreach(part play rules)
  warren_unit_test(maze_${part} test_mode_fixture warren_maze)
  target_sources(test-maze_${part} PRIVATE unit/maze_fixture.c $<TARGET_OBJECTS:maze_for_tests>)
  target_compile_definitions(test-maze_${part} PRIVATE MAZE_MODE="$<TARGET_FILE:mode_maze>")
  add_dependencies(test-maze_${part} mode_maze)
endforeach()
