"""Write a data set to publish and to cite: tables, arrays, a dictionary of columns, provenance and checksums."""
