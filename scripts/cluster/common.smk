# What the four workflows share. Settings come from config.yaml or --config NAME=VALUE; results go to the folder where it is run.
#
# damka's exit codes say what to do: 0 and 1 = done; 75, 130 and a killed worker = try again (`retries`); 2 = give up: the
# same words fail again at once; 3 = `merge` has put the parts it refuses aside, and the next round makes them anew.

DAMKA = config["damka"]
RULES = config["rules"]


# 1 says that some games of the input were wrong, each told in the result.
shell.prefix("set -euo pipefail; faults() {{ \"$@\" || [ $? = 1 ]; }}; ")


def parts(pattern, n):
    return expand(pattern, i=range(1, n + 1))
