# The client library against a peer that speaks the protocol over real sockets.
foreach(name client client_healing client_hostile client_reach client_sessions)
  warren_unit_test(${name} warren_client test_suite)
  target_sources(test-${name} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/client_peer.c)
  target_link_libraries(test-${name} PRIVATE PkgConfig::ZMQ)
endforeach()
set_tests_properties(unit-client PROPERTIES LABELS threads)
