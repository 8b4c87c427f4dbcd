# Tests of the terminal frontend's parts. The map's draws on an ncurses screen that nobody sees.
foreach(part text edit keys key_file colour layout log)
  warren_unit_test(curses_${part} warren_curses_core)
endforeach()
warren_unit_test(curses_map warren_curses_screen)
