# Every integration/NAME_test.py is one test, integration-NAME: a Python unittest that learns from its environment where
# the checkout is and where the programs were built. Bytecode is not kept: the checkout may be read-only. Memory that a
# program has not set is never zero by luck (MALLOC_PERTURB_, of glibc).
file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/integration/*_test.py)
foreach(script ${scripts})
  string(REGEX REPLACE ".*/(.*)_test[.]py$" "integration-\\1" name ${script})
  add_test(NAME ${name} COMMAND /usr/bin/python3 -B ${script})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${WARREN_TEST_TIMEOUT}
    ENVIRONMENT "WARREN_SOURCE=${PROJECT_SOURCE_DIR};WARREN_BUILD=${PROJECT_BINARY_DIR};MALLOC_PERTURB_=165")
endforeach()
set_tests_properties(integration-packages PROPERTIES LABELS long TIMEOUT 3600)
set_tests_properties(integration-window integration-window_state PROPERTIES LABELS threads) # warren-sdl's: wake.c

# Modes that only these tests want: in fragile-modes/ what fails when told to, in flawed-modes/ what breaks promises, in
# wrong-modes/ what must not be loaded, in prisoner-modes/ what tries to get out, in offers-modes/ one that uses all of
# the contract, in namesake-modes/ one that has settings by the names of the server's.
function(warren_integration_mode name folder)
  add_library(integration_mode_${name} MODULE ${CMAKE_CURRENT_SOURCE_DIR}/integration/modes/${name}.c)
  target_link_libraries(integration_mode_${name} PRIVATE warren_mode_sdk warren_options)
  set_target_properties(integration_mode_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
endfunction()
warren_integration_mode(fragile fragile-modes)
warren_integration_mode(flawed flawed-modes)
warren_integration_mode(newer wrong-modes)
warren_integration_mode(prisoner prisoner-modes)
warren_integration_mode(offers offers-modes)
warren_integration_mode(namesake namesake-modes)

# Preloaded into a daemon: a clock that jumps, a slow disk.
add_library(integration_hardship MODULE ${CMAKE_CURRENT_SOURCE_DIR}/integration/modes/hardship.c)
target_link_libraries(integration_hardship PRIVATE warren_options ${CMAKE_DL_LIBS})
set_target_properties(integration_hardship PROPERTIES PREFIX "" OUTPUT_NAME hardship
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/preload)
