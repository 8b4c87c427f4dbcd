# Recordings: the file, and playing one with a real warren-host and the caves.
warren_unit_test(recording warren_recording)
target_link_libraries(test-recording PRIVATE PkgConfig::ZLIB)
