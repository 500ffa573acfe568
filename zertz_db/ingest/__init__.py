"""Files, folders and archives on their way into verdicts and databases."""

import os

# Arrow reads it when it is first loaded, here or in a worker: a pool of its own would keep 30 MB and more of what it is given back
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
