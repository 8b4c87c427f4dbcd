# The modes that are installed, and the SDK's example, keep their promises.
add_library(sdk_example MODULE ${CMAKE_SOURCE_DIR}/plugins/sdk/example.c)
target_link_libraries(sdk_example PRIVATE warren_mode_sdk warren_options)
set_target_properties(sdk_example PROPERTIES PREFIX "" OUTPUT_NAME coins C_VISIBILITY_PRESET hidden
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/example-modes)
foreach(mode mode_caves mode_hunt mode_maze mode_polar sdk_example)
  string(REPLACE mode_ "" name ${mode})
  add_test(NAME check-${name} COMMAND warren-mode-check --turns 200 --patience 60 $<TARGET_FILE:${mode}>)
  set_tests_properties(check-${name} PROPERTIES TIMEOUT ${WARREN_TEST_TIMEOUT})
endforeach()
