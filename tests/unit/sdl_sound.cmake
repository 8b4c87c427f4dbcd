# Tests of the window's sounds. The mixer's has samples of its own instead of the built-in ones.
warren_unit_test(sdl_synth warren_sdl_synth)
warren_unit_test(sdl_mixer warren_sdl_sound m)
warren_unit_test(sdl_sound warren_sdl_sound warren_sdl_synth PkgConfig::SDL2)
set_tests_properties(unit-sdl_mixer unit-sdl_sound PROPERTIES LABELS threads)
