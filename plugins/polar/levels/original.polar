; The first level of Polar, Go Endo's puzzle for the Macintosh (1990), as Paul R. Potts decoded it.

title: Polar, level 1
author: Go Endo
start: 0 0 south
100000000000000100000400
106020545000000000100100
100000000000000050002300
110000100000000000000000
