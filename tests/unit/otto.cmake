foreach(part paths threat play)
  warren_unit_test(otto_${part} warren_bot)
  target_sources(test-otto_${part} PRIVATE unit/otto_fixture.c)
endforeach()
