# The wire library, one program for each of its sides.
foreach(part wire wire_limits wire_text wire_mutations wire_bytes)
  warren_unit_test(${part} warren_wire)
  target_sources(test-${part} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/unit/wire_samples.c
                                      ${CMAKE_CURRENT_SOURCE_DIR}/unit/wire_fixture.c)
endforeach()
target_compile_definitions(test-wire PRIVATE WIRE_GOLDEN="${CMAKE_CURRENT_SOURCE_DIR}/unit/golden/messages.txt")
# Counts what the library allocates, and makes it run out of memory.
target_link_options(test-wire_bytes PRIVATE LINKER:--wrap=malloc,--wrap=realloc)
