# A PDN file analysed in parts; the results are those of one machine, byte for byte.
include: "common.smk"

N = int(config["shards"])


rule all:
    input: "analysed.ndjson", "analysed.pdn"


rule part:
    output:
        json="parts/{i}.ndjson", json_ok="parts/{i}.ndjson.shard",
        pdn="parts/{i}.pdn", pdn_ok="parts/{i}.pdn.shard",
    input: config["pdn"]
    threads: int(config["threads"])
    retries: 3
    shell:
        "faults {DAMKA} --threads {threads} analyse {input:q} --nodes {config[nodes]}"
        " --shard {wildcards.i}/{N} --json {output.json} --pdn {output.pdn}"


rule whole:
    output: "analysed.{kind}"
    input: parts("parts/{i}.{{kind}}", N), parts("parts/{i}.{{kind}}.shard", N)
    params: parts=lambda wc: parts(f"parts/{{i}}.{wc.kind}", N)
    shell: "{DAMKA} merge {params.parts} --out {output} --discard"
