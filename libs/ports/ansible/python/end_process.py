"""How a fork of the warm runner ends."""

import atexit
import os
import sys
import threading


def end_process(code):
    """Ends a fork as an interpreter ends: threads, exit handlers, buffers; and nothing of its parent's."""
    try:
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code & 0xFF)
