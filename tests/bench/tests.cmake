# The bench programs: built with the tests, run by bench/run and not by ctest.
add_library(warren_bench STATIC bench/load.c bench/measure.c bench/options.c bench/peer.c bench/player.c bench/raw.c
  bench/server.c)
target_link_libraries(warren_bench PUBLIC warren_bot PkgConfig::ZMQ PRIVATE warren_options)
foreach(name rtt throughput flood)
  add_executable(bench-${name} bench/${name}.c)
  target_link_libraries(bench-${name} PRIVATE warren_bench warren_options)
endforeach()
add_executable(bench-mazes bench/mazes.c)
target_link_libraries(bench-mazes PRIVATE warren_bench warren_maze warren_options)

# Beside libtcod, where it is installed: bench/run says so where it is not.
pkg_check_modules(TCOD IMPORTED_TARGET libtcod)
if(TCOD_FOUND)
  add_executable(bench-sight bench/sight.c)
  target_link_libraries(bench-sight PRIVATE warren_bench warren_mode_sdk warren_options PkgConfig::TCOD)
else()
  message(STATUS "bench-sight is not built: it measures beside libtcod, which is not installed (libtcod-dev)")
endif()

add_executable(bench-raycast bench/raycast.c bench/raycast-scenes.c)
target_link_libraries(bench-raycast PRIVATE warren_bench warren_sdl_ray warren_mode_sdk warren_options PkgConfig::PNG
  ${CMAKE_DL_LIBS} m)
target_compile_definitions(bench-raycast PRIVATE WARREN_BENCH_MODES="${CMAKE_BINARY_DIR}/modes")

add_executable(bench-turn bench/turn.c)
target_link_libraries(bench-turn PRIVATE warren_bench warren_host_core warren_options)
target_compile_definitions(bench-turn PRIVATE BENCH_MODE="$<TARGET_FILE:mode_hunt>")
add_dependencies(bench-turn mode_hunt)

add_executable(bench-window bench/window.c)
target_link_libraries(bench-window PRIVATE warren_bench warren_sdl_window warren_options)
