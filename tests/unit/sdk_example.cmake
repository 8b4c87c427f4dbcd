# Builds the SDK's example as a stranger would, and runs it.
warren_unit_test(sdk_example warren_host_core warren_wire warren_mode_sdk)
target_compile_definitions(test-sdk_example PRIVATE
  SDK_FOLDER="${CMAKE_SOURCE_DIR}/plugins/sdk" C_COMPILER="${CMAKE_C_COMPILER}")
