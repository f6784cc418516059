# Endgame tables, a slice a job in the order that `damka tables slices` lists, each checked by a second, independent way.
include: "common.smk"

import json, subprocess

listed = subprocess.run(
    [*DAMKA.split(), *RULES.split(), "tables", "slices", "--pieces", str(config["pieces"]), "--dir", "tables", "--json"],
    check=True, capture_output=True, text=True)
NEEDS = {s["slice"]: s["needs"] for s in json.loads(listed.stdout)["slices"]}


rule all:
    input: "tables.json"


rule slice:
    output: "slices/{slice}.json"
    input: lambda wc: expand("slices/{need}.json", need=NEEDS[wc.slice])
    threads: int(config["threads"])
    retries: 3
    shell:
        "{DAMKA} {RULES} --threads {threads} tables build --slice {wildcards.slice} --dir tables --json > /dev/null;"
        " {DAMKA} {RULES} --threads {threads} tables verify --slice {wildcards.slice} --dir tables --json > {output}"


# Looks whether all are there, makes those that came to harm anew, and tidies up.
rule whole:
    output: "tables.json"
    input: expand("slices/{slice}.json", slice=NEEDS)
    retries: 3
    shell: "{DAMKA} {RULES} tables build --pieces {config[pieces]} --dir tables --json > {output}"
