# The store, one program for its good days and one for its bad ones. SQLite is used to make bad files.
foreach(part store store_faults)
  warren_unit_test(${part} warren_daemon_core PkgConfig::SQLITE)
  target_sources(test-${part} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/store_fixture.c)
endforeach()
