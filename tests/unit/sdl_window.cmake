# Tests of the picture frontend's parts that need no window: arithmetic of motion, files, what a pad's events mean, the
# panel on a surface in memory.
foreach(part viewport glide art palette preferences pad atlas)
  warren_unit_test(sdl_${part} warren_sdl_window test_suite)
endforeach()
foreach(part panel scene)
  warren_unit_test(sdl_${part} warren_sdl_window test_suite)
endforeach()
