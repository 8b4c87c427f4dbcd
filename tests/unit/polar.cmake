# Tests of the polar mode: its rules and packs, linked in.
foreach(part rules pack levels solve)
  warren_unit_test(polar_${part} test_suite polar_game)
  target_compile_definitions(test-polar_${part} PRIVATE POLAR_LEVELS="${CMAKE_SOURCE_DIR}/plugins/polar/levels")
  target_sources(test-polar_${part} PRIVATE unit/polar_fixture.c)
endforeach()

# And of the mode as it is installed, run by the host's core.
warren_unit_test(polar_play test_mode_fixture polar_game)
target_sources(test-polar_play PRIVATE unit/polar_world.c)
target_compile_definitions(test-polar_play PRIVATE POLAR_MODE="$<TARGET_FILE:mode_polar>")
add_dependencies(test-polar_play mode_polar)
