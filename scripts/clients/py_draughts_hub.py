"""Plays damka over Hub through the client library py-draughts, as it comes: 20 games one after the other.

    python py_draughts_hub.py BINARY [RUNS]

On pipes this client finds only one of several lines that arrive together, and then waits for ever. So this is a test of the
program's pauses as well: games by depth, where the answer follows the last news at once, and by time. Ends with exit code 0 when
all is well, 1 when something failed, 2 when something hung.
"""

import os
import sys
import threading

from loguru import logger

logger.remove()
from draughts import StandardBoard  # noqa: E402
from draughts.engines.hub import HubEngine  # noqa: E402

PLIES = 12


def game(binary, limit):
    engine = HubEngine(binary, **limit)
    engine.start()
    assert engine.info.name == "damka", engine.info
    assert engine.params["variant"].values, "the rule sets are declared"
    assert engine.ping(), "the line after ping must be pong"
    engine.new_game()
    board = StandardBoard()
    for _ in range(PLIES):
        move, score = engine.get_best_move(board, with_evaluation=True)
        assert abs(score) <= 100.0, score
        board.push(move)
    process = engine.process
    engine.quit()
    assert process.returncode == 0, process.returncode


def main():
    binary, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    for run in range(runs):

        def hung():
            print(f"FAILED: py-draughts hangs in run {run + 1}", flush=True)
            os._exit(2)

        watchdog = threading.Timer(60.0, hung)
        watchdog.daemon = True
        watchdog.start()
        try:
            game(binary, {"time_limit": 0.1} if run % 2 else {"depth_limit": 5})
        except Exception as error:
            print(f"FAILED: py-draughts, run {run + 1}: {type(error).__name__}: {error}", flush=True)
            os._exit(1)
        watchdog.cancel()
    print(f"py-draughts: {runs} of {runs} games of {PLIES} plies")


if __name__ == "__main__":
    main()
