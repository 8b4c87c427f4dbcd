# Tests of what frontends for people share.
foreach(part text edit form keys key_file log pace session_file)
  warren_unit_test(interface_${part} warren_interface)
endforeach()
warren_unit_test(interface_choices warren_interface)
foreach(part banner creation favourites legend lobby servers)
  warren_unit_test(interface_${part} warren_interface test_suite)
endforeach()

# These need a server: the peer of the client's tests.
foreach(part link play)
  warren_unit_test(interface_${part} warren_interface test_suite)
  target_sources(test-interface_${part} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/client_peer.c)
  target_link_libraries(test-interface_${part} PRIVATE PkgConfig::ZMQ)
endforeach()
