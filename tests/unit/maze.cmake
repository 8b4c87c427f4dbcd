# Tests of the maze mode and of its generator.
warren_unit_test(maze_generator warren_maze m)
