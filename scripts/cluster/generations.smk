# Games of the program against itself, a network out of them, a match against the one before; and again.
include: "common.smk"

import json, shutil

N = int(config["shards"])
LAST = int(config["generations"])
EVERY = int(config["audit_every"])


rule all:
    input: f"g{LAST}/best.net"


wildcard_constraints:
    g=r"\d+", i=r"\d+", place="parts|audit",


def before(wc):
    return [f"g{int(wc.g) - 1}/best.net"] if int(wc.g) > 1 else []


# The first generation is played by the hand-made evaluation. The parts in audit/ are the same ones, played once more.
rule games:
    output: "g{g}/{place}/{i}.rec", "g{g}/{place}/{i}.rec.shard"
    input: before
    threads: int(config["threads"])
    retries: 3
    params: net=lambda wc, input: input[0] if input else "hand-made"
    shell:
        "{DAMKA} {RULES} --threads {threads} selfplay --games {config[games]} --nodes {config[play_nodes]} --seed {wildcards.g}"
        " --net {params.net} --shard {wildcards.i}/{N} --out {output[0]} {config[play]}"


rule data:
    output: data="g{g}/games.rec", manifest="g{g}/games.json"
    input:
        parts("g{{g}}/parts/{i}.rec", N), parts("g{{g}}/parts/{i}.rec.shard", N),
        audit=expand("g{{g}}/audit/{i}.rec", i=range(1, N + 1, EVERY)),
    params: parts=lambda wc: parts(f"g{wc.g}/parts/{{i}}.rec", N)
    shell: "{DAMKA} merge {params.parts} --audit {input.audit} --out {output.data} --json {output.manifest} --discard"


rule train:
    output: "g{g}/new.net"
    input: "g{g}/games.rec"
    threads: int(config["train_threads"])
    retries: 3
    shell: "{DAMKA} {RULES} --threads {threads} train --data {input} --out {output} --seed {wildcards.g} {config[train]}"


rule gate_part:
    output: "g{g}/gate/{i}.jsonl", "g{g}/gate/{i}.jsonl.shard"
    input: before, new="g{g}/new.net"
    retries: 3
    params: old=lambda wc: (before(wc) or ["hand-made"])[0]
    shell:
        "{DAMKA} {RULES} match --engine name=new,cmd={DAMKA},option.Threads=1,option.Hash=4,option.EvalFile={input.new}"
        " --engine name=old,cmd={DAMKA},option.Threads=1,option.Hash=4,option.EvalFile={params.old}"
        " --tc nodes={config[gate_nodes]} --rounds {config[gate_rounds]} --seed {wildcards.g}"
        " --resume {output[0]} --shard {wildcards.i}/{N}"


rule gate:
    output: json="g{g}/gate.json", journal="g{g}/gate.jsonl"
    input: parts("g{{g}}/gate/{i}.jsonl", N), parts("g{{g}}/gate/{i}.jsonl.shard", N)
    params: parts=lambda wc: parts(f"g{wc.g}/gate/{{i}}.jsonl", N)
    shell: "{DAMKA} merge {params.parts} --out {output.journal} --json {output.json} --sprt {config[gate]} --discard"


# The new network is kept when the test says so, or leans to it at the end; else the one before goes on. The first has none before
# it and is always kept: a later one has to beat it.
rule best:
    output: "g{g}/best.net"
    input: before, gate="g{g}/gate.json", new="g{g}/new.net"
    run:
        accepted = json.load(open(input.gate))["accepted"]
        shutil.copy(input.new if accepted else (before(wildcards) or [input.new])[0], output[0])
