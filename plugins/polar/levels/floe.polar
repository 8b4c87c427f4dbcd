; Floe: levels of rising difficulty, each with one idea. Those at the beginning say what it is.

title: Home ; 1 push at least
note: Walk into the heart to push it: it slides until something stops it, and goes into the house.
start: 2 0 east
00000
00000
05003
00000
00000

title: Round the back ; 1 push at least
note: Turning is a move, walking another. Get behind the heart first.
start: 4 2 south
00000
30050
00000
00000
10001

title: Along the edge ; 2 pushes at least
note: The edge stops what slides, and along it things slide as well.
start: 4 3 north
0000003
0000000
0500000
0000000
0000000

title: Tree in the way ; 2 pushes at least
note: A tree stops what slides.
start: 4 0 east
00000000
05000010
00000000
00000300
00000000

title: Under the trees ; 2 pushes at least
note: Trees stop hearts, but not penguins.
start: 0 0 south
0000000
0111110
0150010
0111010
0000300

title: A stop of ice ; 3 pushes at least
note: Ice slides like a heart, and stops hearts like a tree.
start: 0 0 south
000010000
050000000
000000000
000340000
000000000

title: Crushed ; 3 pushes at least
note: Ice that slides only stops. Ice that is pushed against something is crushed.
start: 2 2 east
00000000
02212222
05004003
02222222
00000000

title: Boom ; 3 pushes at least
note: A bomb that meets a mountain takes it along.
start: 0 4 south
0000000
0500000
0000000
0600230
0100000

title: Who goes first ; 4 pushes at least
note: Hearts stop hearts, too. Which one has to go first?
start: 0 0 south
00000000
05000500
00000000
00003000
00000100

title: Neighbours ; 5 pushes at least
note: Many pushes lead nowhere. Undo takes back as much as you like.
start: 3 4 south
003010
005000
000050
000000
000000

title: Ice on the edge ; 5 pushes at least
start: 0 0 south
000000
000504
000003
000050
000000

title: Standing in line ; 6 pushes at least
start: 3 1 south
000000
000000
000050
005000
030010

title: Packed ; 6 pushes at least
start: 5 4 south
0604000
0055200
0000000
0000000
0000000
0000003

title: A peak too many ; 6 pushes at least
note: A bomb has to come to a stop in the right place as well.
start: 2 1 south
0300000
0005000
0002000
0050060
0000000
0000000

title: Under the cliff ; 6 pushes at least
start: 1 4 south
0000000
0500000
0004560
0000200
0000000
3000000

title: Open floe ; 7 pushes at least
start: 7 8 south
0000000000000000
0000000000000000
0000000000000000
0000000000000000
0000000000000000
0000060000000000
0000000000000020
0000500000000052
0003000000000000

title: Among mountains ; 8 pushes at least
start: 0 4 south
00000000
30000000
00020000
00005000
00000000
05200400
00000000

title: Do not light it ; 8 pushes at least
note: A bomb is a stop like any other.
start: 6 6 south
00100000
00050000
00000000
00000000
20000000
35006000
00000000

title: Three, one door ; 8 pushes at least
start: 2 1 south
030000000
000001000
000000000
010005000
005005000
000000000
000000000

title: Through walls ; 10 pushes at least
note: Everything in one row.
start: 0 0 south
000000020000000020000000
000000020000000020000000
000600020000500020000000
000000020000000020000000
010000020001000020001000
000000020000000020000003
000100020000100020000000
000000020000000020000000
000000020006000020005000
050000020000000020000000
000000020000000020000000
000000020000000020000000

title: Round trip ; 9 pushes at least
start: 0 4 south
20000000
00000000
00502000
00000003
00000140
00000605
00000000

title: Lean on a bomb ; 9 pushes at least
start: 6 8 south
000000000000
000000001000
030000000000
150000206000
000000000000
000000500000
000000000000
001000000000

title: Two pillars ; 9 pushes at least
start: 4 5 south
0000000000
0000005005
0000000004
0000000000
0000000004
0050000200
0000000003
0000000000

title: Far corners ; 10 pushes at least
start: 4 3 south
000000000000
301000005000
000040000000
000000000000
020000000500
000000000000
000000000000
000000000000

title: Small floe ; 10 pushes at least
start: 1 0 south
000063
000000
040000
050000
050002
000000

title: Two trees ; 12 pushes at least
start: 2 4 south
0000000
0500000
0000050
0014010
0000400
0000300

title: The long way ; 12 pushes at least
start: 2 4 south
0000000
0000500
0000000
0000000
0040060
0050203

title: Across the ice ; 13 pushes at least
start: 3 9 south
0000000000000000
0000000030000000
0000000000000000
0500002000000000
0000040001000000
0000010000000000
0000050000000000
0000000100000000
0000000000000000

title: Thirteen ; 13 pushes at least
start: 1 5 south
000000
060500
000000
050000
024030
000000
