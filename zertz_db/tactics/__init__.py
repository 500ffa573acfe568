"""Find forced wins, and judge played moves by them."""
