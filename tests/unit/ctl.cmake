warren_unit_test(ctl warren_output)
