# Tests of what frontends for people share.
foreach(part text edit form keys key_file log pace session_file)
  warren_unit_test(interface_${part} warren_interface)
endforeach()
warren_unit_test(interface_choices warren_interface)
foreach(part creation lobby servers)
  warren_unit_test(interface_${part} warren_interface test_suite)
endforeach()
