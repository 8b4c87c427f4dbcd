; The first level of Polar, Go Endo's puzzle for the Macintosh (1990), as Paul R. Potts decoded it.
