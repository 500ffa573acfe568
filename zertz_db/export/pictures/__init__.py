"""Pictures of positions and lines: SVG, PNG, and animated GIF."""
