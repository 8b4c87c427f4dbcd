; Floe: levels of rising difficulty, each with one idea. Those of the first half say what it is.

title: Home
note: Walk into the heart to push it: it slides until something stops it, and goes into the house.
start: 2 0 east
00000
00000
05003
00000
00000

title: From the other side
note: Turning is a move, walking another. Get behind the heart first.
start: 4 2 south
00000
30050
00000
00000
10001

title: Along the edge
note: The edge stops what slides, and along it things slide as well.
start: 4 3 north
0000003
0000000
0500000
0000000
0000000

title: A tree in the way
note: A tree stops what slides.
start: 4 0 east
00000000
05000010
00000000
00000300
00000000

title: Under the trees
note: Trees stop hearts, but not penguins.
start: 0 0 south
0000000
0111110
0150010
0111010
0000300

title: A stop of ice
note: Ice slides like a heart, and stops hearts like a tree.
start: 0 0 south
000010000
050000000
000000000
000340000
000000000

title: Crushed
note: Ice that slides only stops. Ice that is pushed against something is crushed.
start: 2 2 east
00000000
02212222
05004003
02222222
00000000

title: Boom
note: A bomb that meets a mountain takes it along.
start: 0 4 south
0000000
0500000
0000000
0600230
0100000
