# Tests of what frontends for people share.
foreach(part text edit form keys key_file log pace session_file)
  warren_unit_test(interface_${part} warren_interface)
endforeach()
warren_unit_test(interface_choices warren_interface)
foreach(part creation lobby servers)
  warren_unit_test(interface_${part} warren_interface test_suite)
endforeach()

# What somebody plays needs a server: the peer of the client's tests.
warren_unit_test(interface_play warren_interface test_suite)
target_sources(test-interface_play PRIVATE ${CMAKE_CURRENT_LIST_DIR}/client_peer.c)
target_link_libraries(test-interface_play PRIVATE PkgConfig::ZMQ)
