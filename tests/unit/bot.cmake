warren_unit_test(bot warren_bot)
