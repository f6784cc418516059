"""Plays damka over Hub through the client library pydraughts, in every variant that it knows.

    python pydraughts_hub.py BINARY [VARIANT ...]

Each variant: a game against random moves under changing kinds of limits, then a ponder hit and a ponder miss. pydraughts itself
refuses what is not legal by its own rules. Before that, the protocol is checked line by line without the library. Ends with exit
code 0 when all is well, 1 when something failed, 2 when something hung.
"""

import os
import queue
import random
import re
import subprocess
import sys
import threading
import time
import warnings

warnings.simplefilter("ignore")
import draughts  # noqa: E402
from draughts.engine import HubEngine, Limit  # noqa: E402

warnings.simplefilter("ignore")

# Names of pydraughts, and those that Hub clients send for them.
VARIANTS = {
    "standard": "normal",
    "english": "english",
    "italian": "italian",
    "russian": "russian",
    "brazilian": "brazilian",
    "turkish": "turkish",
    "frisian": "frisian",
    "frysk!": "frysk!",
    "antidraughts": "losing",
    "breakthrough": "bt",
}
START = "pos pos=W" + "b" * 20 + "e" * 10 + "w" * 20
PATIENCE = 30.0
# What the analysis of lidraughts takes for a line of news.
NEWS = re.compile(
    r'^info depth=\d+ mean-depth=\S+ score=-?\d+\.\d\d nodes=\d+ time=\S+ nps=\S+ pv="[0-9\-x ]*"( wdl="\d+ \d+ \d+")?$'
)


class Failure(Exception):
    """A check that did not hold."""


def demand(holds, what):
    if not holds:
        raise Failure(what)


class Pipe:
    """The program with nothing between: lines in, lines out, each with a time limit."""

    def __init__(self, binary):
        self.process = subprocess.Popen([binary, "hub"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=self.pump, daemon=True).start()

    def pump(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def send(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word, patience=PATIENCE):
        """All lines up to the first that starts with that word."""
        seen, end = [], time.monotonic() + patience
        while True:
            try:
                seen.append(self.lines.get(timeout=max(0.0, end - time.monotonic())))
            except queue.Empty:
                raise Failure(f"no {word} within {patience} s; last lines: {seen[-5:]}") from None
            if seen[-1].split(" ")[0] == word:
                return seen

    def nothing(self, word, seconds):
        """Nothing of that kind comes within that time."""
        try:
            lines = self.until(word, seconds)
        except Failure:
            return
        raise Failure(f"unexpected: {lines[-1]}")

    def answer(self, *lines):
        """Sends lines and returns the last line of the search that they start; checks all of its news."""
        self.send(*lines)
        *news, done = self.until("done")
        news = [line for line in news if line.startswith("info ")]
        demand(news and all(NEWS.match(line) for line in news), f"{lines}: news {news}")
        return done


def raw(binary):
    """The rules of the protocol that a library would hide."""
    pipe = Pipe(binary)
    pipe.nothing("id", 0.2)
    pipe.send("hub")
    lines = pipe.until("wait")
    demand(lines[0].startswith("id name=") and " author=" in lines[0], lines[0])
    for line in lines[:-1]:
        outside = re.sub(r'"[^"]*"', "", line)
        demand(all(token.count("=") == 1 for token in outside.split()[1:]), line)
    pipe.send("set-param name=initial-time value=60", "init")
    demand(pipe.until("ready") == ["ready"], "ready alone")
    pipe.send("nonsense a=b c", "", "ping")
    pipe.until("pong")
    for level in ("depth=4", "nodes=2000", "move-time=0.05", "time=2.5", "moves=10 time=5", "time=3 inc=0.1", "time=-0.05 inc=0.1"):
        done = pipe.answer(START, f"level {level}", "go think")
        demand(re.fullmatch(r"done move=\d+-\d+( ponder=[0-9x-]+)?", done), done)
    done = pipe.answer(START + ' moves="32-28 19-23 28x19 14-23"', "level depth=60", "level nodes=2000", "go analyze")
    demand(done.startswith("done move="), done)
    demand(pipe.answer("pos pos=Wxyz", "level depth=2", "go think").startswith("done move="), "an answer after a bad position")
    demand(pipe.answer("pos pos=W" + "e" * 25 + "b" + "e" * 24, "level depth=2", "go think") == "done", "done alone")
    for level in ("level infinite", "level time=2 inc=0.1"):
        for end in ("stop",) if "infinite" in level else ("ponder-hit", "stop"):
            pipe.send(START, level, "go analyze" if "infinite" in level else "go ponder")
            pipe.nothing("done", 0.3)
            pipe.send("ping")
            pipe.until("pong")
            pipe.send(end)
            pipe.until("done")
            pipe.send("stop", "ponder-hit")
            pipe.nothing("done", 0.2)
    pipe.send("go analyze", "quit")
    demand(pipe.process.wait(5) == 0, "quit in mid-search")
    pipe = Pipe(binary)
    pipe.send("hub")
    pipe.until("wait")
    pipe.process.stdin.close()
    demand(pipe.process.wait(5) == 0, "end of input")
    return "protocol, line by line"


def limits():
    """Kinds of limits, one after the other, for ever."""
    while True:
        yield Limit(movetime=0.03)
        yield Limit(nodes=3000)
        yield Limit(depth=5)
        yield Limit(time=3.0, inc=0.05)


def game(binary, variant, seed):
    """One game against random moves, then pondering."""
    name = VARIANTS[variant]
    engine = HubEngine([binary, "hub"])
    demand(name in engine.variants, f"{name} is not declared: {sorted(engine.variants)}")
    engine.configure({"variant": name, "threads": 1, "tt-size": 20})
    engine.init()
    engine.ping()
    board, chance, kinds, moves = draughts.Board(variant=variant), random.Random(seed), limits(), 0
    while not board.is_over() and moves < 70:
        if moves % 2 == seed % 2:
            # A move that is not legal here raises an error in the library.
            result = engine.play(board, next(kinds), False)
            score = result.info.get("score", {})
            demand("cp" in score or "win" in score, f"{variant}: score {score}")
            demand(len(result.info.get("pv", "")) > 2, f"{variant}: no line of play")
            board.push(result.move)
        else:
            board.push(chance.choice(board.legal_moves()))
        moves += 1
    board = draughts.Board(variant=variant)
    for end in (engine.ponderhit, engine.stop):
        results = []
        thread = threading.Thread(target=lambda: results.append(engine.play(board, Limit(time=2.0, inc=0.1), True)), daemon=True)
        thread.start()
        time.sleep(0.2)
        demand(not results, f"{variant}: an answer before the hit")
        end()
        thread.join(PATIENCE)
        demand(results, f"{variant}: no answer after {end.__name__}")
    engine.quit()
    demand(engine.p.wait(5) == 0, f"{variant}: quit")
    return f"{variant}: {moves} plies, {'over' if moves < 70 else 'cut off'}; ponder hit and miss"


def main():
    binary = os.path.realpath(sys.argv[1])

    def hung():
        print("FAILED: pydraughts hangs", flush=True)
        os._exit(2)

    watchdog = threading.Timer(150.0, hung)
    watchdog.daemon = True
    watchdog.start()
    try:
        print("pydraughts:", raw(binary), flush=True)
        for seed, variant in enumerate(sys.argv[2:] or VARIANTS):
            print("pydraughts:", game(binary, variant, seed), flush=True)
    except Exception as error:  # the library raises many kinds
        print(f"FAILED: pydraughts: {type(error).__name__}: {error}", flush=True)
        os._exit(1)
    os._exit(0)  # whatever thread of the library still waits


if __name__ == "__main__":
    main()
