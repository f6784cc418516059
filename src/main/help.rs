//! Examples behind `--help`, for commands that have no file of their own. A test wants some for each.

pub const PROGRAM: &str = "\
Examples:
  damka                                       speak UCI on standard input and output
  damka --variant russian go movetime 500
  damka legal --fen \"W:W31:B20\" --json
  damka evaluate --nodes 1000 < positions.txt
  damka validate games.pdn

Exit codes:
  0  all went well; also when the reader of the output leaves early
  1  the work is done, but parts of the input were wrong, each told with its place
  2  bad command line, or input or output that cannot be used; the reason is on the standard error: give up
  3  files named there are damaged or missing: make them anew, then run the same words
 75  no room on the disk, no answer from it, or another process in the way: the same words may succeed later
130  ended by a signal; what is finished is kept, and the same words go on (analyse: with --resume)";

pub const GO: &str = "\
Examples:
  damka go depth 12 --fen \"W:W28,33:B14,23\" --threads 1
  damka go movetime 2000 --moves \"32-28 19-23\"";

pub const PERFT: &str = "\
Examples:
  damka --variant turkish perft 5
  damka perft 3 --divide --json";

pub const LEGAL: &str = "\
Examples:
  damka legal --fen \"W:W31:B20\"
  damka --variant russian legal --json --fen \"W:Wd4:Bc5,c7,h8\"";

pub const PLAY: &str = "\
Examples:
  damka --variant russian play --fen \"W:Wd4:Bc5,c7,h8\" --moves \"d4:d8\" --json
  damka play --moves \"32-28 19-23 28x19 14x23\"";

pub const VARIANTS: &str = "\
Examples:
  damka variants
  damka variants --json | jq -r '.[].name'";

pub const D: &str = "\
Examples:
  damka --variant turkish d
  damka d --fen \"W:W31,K20:B1,12\"

On a terminal the board is drawn in colours (NO_COLOR turns them off), elsewhere in letters.";

pub const EVAL: &str = "\
Examples:
  damka eval --fen \"W:W28:B22,1\"";

pub const HUB: &str = "\
Examples:
  damka hub
  damka --threads 2 --hash 256 hub";

pub const BENCH: &str = "\
Examples:
  damka bench
  damka bench 8";

pub const DXP: &str = "\
Examples:
  damka dxp --listen 127.0.0.1:27531
  damka dxp --connect 127.0.0.1:27531 --initiator --games 2 --time 5 --pdn games.pdn";

pub const MATCH: &str = "\
Examples:
  damka match --engine name=new,cmd=./damka-new --engine name=old,cmd=./damka-old --tc 10+0.1 --rounds 100
  damka --variant english match --engine name=a,cmd=damka --engine name=b,cmd=damka,option.Threads=1 \\
    --openings generated:3 --sprt elo0=0,elo1=5 --resume journal.jsonl
  damka --variant english match --engine name=a,cmd=damka --engine name=b,cmd=damka,option.Threads=1 \\
    --tc nodes=2000 --rounds 500 --resume parts/3.jsonl --shard 3/10

Exit codes: 0 played to its end or ended by Ctrl-C, 2 bad command line, or an engine that does not start, 75 no room for the files,
130 a part (--shard) ended by Ctrl-C.";

pub const XBOARD: &str = "\
Examples:
  damka xboard
  xboard -fcp \"damka xboard\" -variant russian -testLegality false";

pub const SELFPLAY: &str = "\
Examples:
  damka --variant russian selfplay --games 1000 --nodes 400 --out russian.rec
  damka --variant russian selfplay --games 1000000 --nodes 400 --out parts/3.rec --shard 3/1000

Exit codes: 0 all games played, 2 bad command line or files that cannot be used, 75 no room for the file: try again, 130 ended by a
signal: the same words go on.";

pub const TRAIN: &str = "\
Examples:
  damka --variant russian train --auto --budget 90m --out russian.net
  damka --rules house.toml train --auto --budget 5m --out house.net";

pub const WDL: &str = "\
Examples:
  damka --variant russian wdl --data russian.rec
  damka --rules house.toml wdl --data house.rec --net house.net --out house.net";

pub const TABLES: &str = "\
Examples:
  damka --variant english tables build --pieces 4
  damka --variant english tables slices --pieces 5
  damka --variant english tables build --slice kkm-k --dir tables
  damka --variant english tables info --json
  damka --variant english tables probe --fen \"B:W19,18:BK20,K17\"

Exit codes: 0 done, 2 bad command line, a table with wrong values or files that cannot be used, 3 a damaged table: build it anew, 75 no
room for the files: try again, 130 ended by a signal: the same words go on.";
