"""Import files, folders and archives: records, verdicts, rows of a database."""

import os

# Arrow reads this when it is first loaded, here or in a worker: its own pool would retain 30 MB and more of freed memory
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
