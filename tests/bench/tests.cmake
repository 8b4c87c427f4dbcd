# The bench programs: built with the tests, run by bench/run and not by ctest.
add_library(warren_bench STATIC bench/load.c bench/measure.c bench/options.c bench/peer.c bench/player.c bench/raw.c
  bench/server.c)
target_link_libraries(warren_bench PUBLIC warren_bot PkgConfig::ZMQ PRIVATE warren_options)
foreach(name rtt throughput)
  add_executable(bench-${name} bench/${name}.c)
  target_link_libraries(bench-${name} PRIVATE warren_bench warren_options)
endforeach()
