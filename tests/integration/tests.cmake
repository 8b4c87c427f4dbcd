# Every integration/NAME_test.py is one test, integration-NAME: a Python unittest that learns from its environment where
# the checkout is and where the programs were built. Bytecode is not kept: the checkout may be read-only.
file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/integration/*_test.py)
foreach(script ${scripts})
  string(REGEX REPLACE ".*/(.*)_test[.]py$" "integration-\\1" name ${script})
  add_test(NAME ${name} COMMAND /usr/bin/python3 -B ${script})
  set_tests_properties(${name} PROPERTIES TIMEOUT 120
    ENVIRONMENT "WARREN_SOURCE=${PROJECT_SOURCE_DIR};WARREN_BUILD=${PROJECT_BINARY_DIR}")
endforeach()
