# Modes for tests, and the tests of the host's core and of warren-host itself.
set(host_modes ${CMAKE_BINARY_DIR}/test-modes)
function(warren_test_mode name source)
  add_library(test_mode_${name} MODULE ${CMAKE_CURRENT_SOURCE_DIR}/unit/modes/${source})
  target_compile_definitions(test_mode_${name} PRIVATE ${ARGN})
  target_link_libraries(test_mode_${name} PRIVATE warren_mode_sdk warren_options)
  set_target_properties(test_mode_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${host_modes})
endfunction()
warren_test_mode(puppet puppet.c)
warren_test_mode(dice dice.c)
warren_test_mode(newer dice.c DICE_ABI=7)
warren_test_mode(wide dice.c DICE_GLYPH="@@")
warren_test_mode(nameless dice.c DICE_NO_SYMBOL)

foreach(part plugin pieces inputs view property turn replay save process)
  warren_unit_test(host_${part} warren_host_core)
  target_sources(test-host_${part} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/unit/host_fixture.c
                                           ${CMAKE_CURRENT_SOURCE_DIR}/unit/host_replica.c)
  target_compile_definitions(test-host_${part} PRIVATE TEST_MODES="${host_modes}"
    WARREN_HOST="$<TARGET_FILE:warren-host>")
  add_dependencies(test-host_${part} warren-host test_mode_puppet test_mode_dice test_mode_newer test_mode_wide
    test_mode_nameless)
endforeach()
