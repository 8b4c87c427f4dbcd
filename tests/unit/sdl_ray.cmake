# Tests of the window's first-person view, which need no window.
foreach(part ray ray_property camera)
  warren_unit_test(sdl_${part} warren_sdl_ray m)
endforeach()
foreach(part ray ray_property)
  target_sources(test-sdl_${part} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/sdl_ray_fixture.c)
endforeach()
