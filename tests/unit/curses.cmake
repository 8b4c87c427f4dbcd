# Tests of the terminal frontend's parts. The map's draws on an ncurses screen that nobody sees, the terminal's runs on
# pseudo-terminals.
foreach(part colour layout)
  warren_unit_test(curses_${part} warren_curses_core)
endforeach()
foreach(part map terminal)
  warren_unit_test(curses_${part} warren_curses_screen)
endforeach()
