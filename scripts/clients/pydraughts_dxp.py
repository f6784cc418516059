#!/usr/bin/env python3
"""Plays games against `damka dxp` with the DXP client of pydraughts (version 0.6.7).

    python pydraughts_dxp.py PROGRAM [--variants standard,russian,...] [--games N] [--plies N]

The client connects and asks for the games; damka listens and follows. The client's own moves are the first or a random
legal move. Each game must go on to its end (or to the number of plies), every move of damka must be legal for
pydraughts, and one move is taken back on the way. Exit code 0 when all went well.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import threading
import time

import draughts
import draughts.engine  # before its parts, which import each other
from draughts.engines import dxp
from draughts.engines.dxp_communication import dxp_classes

# The names that both sides know, where they differ.
OURS = {"standard": "international", "frysk!": "frysk", "antidraughts": "losing"}


def patient_socket():
    """The client waits seven seconds after each game before it closes its socket: no need for that here."""

    class Clock:
        def __getattr__(self, name):
            return getattr(time, name)

        def sleep(self, seconds):
            time.sleep(min(seconds, 0.1))

    dxp_classes.time = Clock()


def start(program, variant):
    """Starts damka at a free port; returns the process and the port."""
    words = [program, "--threads=1", "--hash=8", "dxp", "--listen=127.0.0.1:0", "--movetime=30"]
    process = subprocess.Popen(
        words + ["--variant", OURS.get(variant, variant)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    port = re.search(r"listening at \S+:(\d+)", process.stderr.readline()).group(1)
    lines = []
    threading.Thread(target=lambda: lines.extend(process.stderr), daemon=True).start()
    return process, port, lines


def limited(seconds, call, what):
    """The client has no timeouts of its own."""
    result = []
    thread = threading.Thread(target=lambda: result.append(call()), daemon=True)
    thread.start()
    thread.join(seconds)
    if not result:
        raise RuntimeError(f"{what}: no answer within {seconds} s")
    return result[0]


def play(port, variant, first, plies, chance):
    """One game; `first`: the client makes the first move. Gives its length and how many moves were taken back."""
    board = draughts.Board(variant=variant)
    engine = dxp.DXPEngine([], {"engine-opened": True, "ip": "127.0.0.1", "port": port}, initial_time=0)
    back = 0
    while len(board.move_stack) < plies:
        if first or board.move_stack:
            if not board.legal_moves():
                break
            board.push(chance.choice(board.legal_moves()))
        if not board.legal_moves() or board.is_over():
            break
        ply = len(board.move_stack)
        answer = limited(30, lambda: engine.play(board), f"{variant} ply {ply}").move
        if answer is None:
            break
        legal = [move.hub_position_move for move in board.legal_moves()]
        if answer.hub_position_move not in legal:
            raise RuntimeError(f"{variant} ply {ply}: {answer.hub_position_move} is not one of {legal}")
        board.push(answer)
        # The client counts moves from White and takes the side that moves first for the engine's: only then can it.
        if not first and ply == 4 and back == 0 and variant != "english":
            done, board, _ = limited(30, lambda: engine.takeback(2, draughts.BLACK), "takeback")
            if not done or len(board.move_stack) != 3:
                raise RuntimeError(f"{variant}: taking back failed")
            back = ply + 1 - len(board.move_stack)
    engine.sender.chat("thank you")
    time.sleep(0.06)
    limited(20, lambda: engine.quit() or True, "quit")
    return len(board.move_stack), back


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--variants", default="standard,russian,brazilian,turkish,english,italian,frisian")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--plies", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    patient_socket()
    chance = random.Random(options.seed)
    faults = 0
    for variant in options.variants.split(","):
        process, port, lines = start(options.program, variant)
        try:
            for game in range(options.games):
                length, back = play(port, variant, game % 2 == 0, options.plies, chance)
                print(f"{variant} game {game + 1}: {length} plies, {back} taken back", flush=True)
                time.sleep(0.2)
            over = [line for line in lines if " over: " in line]
            bad = [line for line in lines if "illegal" in line or "refused" in line or "bad" in line]
            if len(over) != options.games or bad:
                raise RuntimeError(f"{variant}: damka says {over} {bad}")
            if process.poll() is not None:
                raise RuntimeError(f"{variant}: damka has ended")
        except RuntimeError as error:
            faults += 1
            print(f"FAULT {error}; the last lines of damka: {lines[-5:]}", flush=True)
        finally:
            process.terminate()
            process.wait(10)
    print("PASSED" if faults == 0 else f"FAILED: {faults} variants")
    sys.stdout.flush()
    # Threads of the client may hang for good.
    os._exit(0 if faults == 0 else 1)


if __name__ == "__main__":
    main()
