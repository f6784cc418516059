# A match in parts, wave after wave until the test decides on all pairs together.
include: "common.smk"

import json

N = int(config["shards"])
WAVE = int(config["wave"])
WAVES = -(-N // WAVE)


def result(wc):
    for wave in range(1, WAVES + 1):
        out = checkpoints.so_far.get(wave=wave).output.json
        if json.load(open(out))["decided"]:
            break
    return out


rule all:
    input: "match.json"


rule part:
    output: "parts/{i}.jsonl", "parts/{i}.jsonl.shard"
    retries: 3
    shell:
        "{DAMKA} {RULES} match --engine name=first,cmd={config[first]} --engine name=second,cmd={config[second]}"
        " --tc {config[tc]} --openings {config[openings]} --rounds {config[rounds]} --resume {output[0]} --shard {wildcards.i}/{N}"


checkpoint so_far:
    output: json="waves/{wave}.json", journal="waves/{wave}.jsonl", pdn="waves/{wave}.pdn"
    input: lambda wc: parts("parts/{i}.jsonl", min(N, int(wc.wave) * WAVE)), lambda wc: parts("parts/{i}.jsonl.shard", min(N, int(wc.wave) * WAVE))
    params: parts=lambda wc: parts("parts/{i}.jsonl", min(N, int(wc.wave) * WAVE))
    shell:
        "{DAMKA} merge {params.parts} --so-far --sprt {config[sprt]} --discard"
        " --out {output.journal} --pdn {output.pdn} --json {output.json}"


rule whole:
    output: "match.json", "match.jsonl", "match.pdn"
    input: result
    params: wave=lambda wc, input: str(input)[:-5]
    shell: "for e in json jsonl pdn; do cp {params.wave}.$e match.$e; done"
