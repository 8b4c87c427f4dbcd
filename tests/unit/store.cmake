# The store, a program for each kind of day. SQLite is used to look behind its back and to make bad files.
foreach(part store store_journal store_model store_backup store_faults store_files)
  warren_unit_test(${part} warren_daemon_core PkgConfig::SQLITE)
  target_sources(test-${part} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/store_fixture.c)
endforeach()
