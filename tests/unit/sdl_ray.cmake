# Tests of the window's first-person view, which need no window.
foreach(part ray ray_pictures ray_property camera first_person)
  warren_unit_test(sdl_${part} warren_sdl_ray m)
endforeach()
foreach(part ray ray_pictures ray_property)
  target_sources(test-sdl_${part} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/sdl_ray_fixture.c)
endforeach()
target_link_libraries(test-sdl_ray_pictures PRIVATE PkgConfig::PNG)
target_compile_definitions(test-sdl_ray_pictures PRIVATE RAY_GOLDEN="${CMAKE_CURRENT_LIST_DIR}/golden")
