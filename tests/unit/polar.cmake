# Tests of the polar mode: its rules and packs, linked in.
foreach(part rules pack)
  warren_unit_test(polar_${part} polar_game)
  target_compile_definitions(test-polar_${part} PRIVATE POLAR_LEVELS="${CMAKE_SOURCE_DIR}/plugins/polar/levels")
  target_sources(test-polar_${part} PRIVATE unit/polar_fixture.c)
endforeach()
