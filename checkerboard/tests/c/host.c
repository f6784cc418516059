/* A host like CheckerBoard: loads the engine library, calls its functions as the program does, and checks the answers.
 * Usage: host LIBRARY. Prints a line a check; exit code 1 when one fails. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct coor { int x, y; };
struct CBmove {
    int jumps, newpiece, oldpiece;
    struct coor from, to, path[12], del[12];
    int delpiece[12];
};

typedef int (*getmove_t)(int[8][8], int, double, char *, int *, int, int, struct CBmove *);
typedef int (*enginecommand_t)(const char *, char *);
typedef int (*islegal_t)(int[8][8], int, int, int, struct CBmove *);
typedef int (*enginename_t)(char *);

static getmove_t getmove;
static enginecommand_t enginecommand;
static islegal_t islegal;
static enginename_t enginename;
static int failures;

/* Buffers with a guard behind them: a byte too many is seen. */
static char text[1024 + 16], reply[1024 + 16];

static void check(int good, const char *what)
{
    printf("%s %s\n", good ? "ok  " : "FAIL", what);
    failures += !good;
    fflush(stdout);
}

static int ask(const char *command)
{
    memset(reply, 0x55, sizeof reply);
    return enginecommand(command, reply);
}

static int answers(const char *command, const char *expected)
{
    int understood = ask(command);
    if (!understood || strcmp(reply, expected) != 0) {
        printf("     %s -> %d '%s', expected '%s'\n", command, understood, reply, expected);
        return 0;
    }
    return 1;
}

static int guarded(void)
{
    for (int i = 1024; i < 1024 + 16; i++)
        if (text[i] != 0x55 || reply[i] != 0x55)
            return 0;
    return 1;
}

static void start(int b[8][8])
{
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 8; y++)
            b[x][y] = (x + y) % 2 ? 0 : y < 3 ? 6 : y > 4 ? 5 : 0;
}

/* Square n of English, Russian and Brazilian boards. */
static void put(int b[8][8], int n, int piece)
{
    int y = (n - 1) / 4;
    b[2 * (3 - (n - 1) % 4) + y % 2][y] = piece;
}

static int number(struct coor c) { return 4 * (c.y + 1) - c.x / 2; }

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/* Plays a move the way the program does, from its description alone. */
static void play(int b[8][8], const struct CBmove *m)
{
    b[m->from.x][m->from.y] = 0;
    for (int i = 0; i < m->jumps; i++)
        b[m->del[i].x][m->del[i].y] = 0;
    b[m->to.x][m->to.y] = m->newpiece;
}

static int well_described(int before[8][8], int after[8][8], const struct CBmove *m)
{
    int copy[8][8];
    memcpy(copy, before, sizeof copy);
    if (copy[m->from.x][m->from.y] != m->oldpiece)
        return 0;
    for (int i = 0; i < m->jumps; i++)
        if (copy[m->del[i].x][m->del[i].y] != m->delpiece[i])
            return 0;
    play(copy, m);
    return memcmp(copy, after, sizeof copy) == 0;
}

static void full_game(const char *game, int first)
{
    char line[64];
    int b[8][8], before[8][8], color = first, plies = 0, result = 3, good = 1, playnow = 0;
    snprintf(line, sizeof line, "set gametype %s", game);
    ask(line);
    start(b);
    memset(text, 0x55, sizeof text);
    for (; plies < 160; plies++) {
        struct CBmove m;
        memcpy(before, b, sizeof b);
        memset(&m, 0x77, sizeof m);
        result = getmove(b, color, 0.01, text, &playnow, 2 | (plies == 0), 0, &m);
        if (memcmp(before, b, sizeof b) == 0)
            break;
        struct CBmove legal;
        if (!well_described(before, b, &m)) {
            printf("     ply %d: the move does not lead to the board\n", plies);
            good = 0;
        }
        if (strcmp(game, "21") == 0 && !islegal(before, color, number(m.from), number(m.to), &legal)) {
            printf("     ply %d: the engine's own move is called illegal\n", plies);
            good = 0;
        }
        color ^= 3;
    }
    snprintf(line, sizeof line, "a game of type %s against itself: %d plies, result %d", game, plies, result);
    check(good && plies > 20 && guarded(), line);
}

static void *press(void *playnow)
{
    usleep(300 * 1000);
    *(volatile int *)playnow = 1;
    return NULL;
}

static void play_now(void)
{
    int b[8][8], playnow = 0;
    struct CBmove m;
    pthread_t thread;
    start(b);
    double since = now();
    pthread_create(&thread, NULL, press, &playnow);
    getmove(b, 2, 60.0, text, &playnow, 1 | 2, 0, &m);
    double used = now() - since;
    pthread_join(thread, NULL);
    printf("     %.3f s, status '%.60s'\n", used, text);
    check(used > 0.25 && used < 5.0, "playnow ends a long search");
    check(strncmp(text, "depth ", 6) == 0 && strstr(text, "pv ") != NULL, "the status tells depth and line");
}

static void clocks(void)
{
    int b[8][8], playnow = 0;
    struct CBmove m;
    start(b);
    double since = now();
    getmove(b, 2, 600.0, text, &playnow, 1 | 2 << 2, (200 << 16) | 0, &m); /* 2 s left, in units of 10 ms */
    check(now() - since < 2.0, "a clock with 2 s left is kept");
    start(b);
    since = now();
    getmove(b, 2, 0.3, text, &playnow, 1 | 2, 0, &m);
    double used = now() - since;
    printf("     %.3f s\n", used);
    check(used > 0.15 && used < 2.0, "an exact time is used");
}

static void commands(void)
{
    char name[255];
    check(enginename(name) == 1 && strncmp(name, "damka ", 6) == 0, "enginename");
    check(ask("name") == 1 && strncmp(reply, "damka ", 6) == 0, "name");
    check(ask("about") == 1 && strlen(reply) > 20, "about");
    check(answers("help", ""), "help: no file");
    check(answers("get protocolversion", "2"), "protocolversion");
    check(answers("get gametype", "21"), "gametype");
    check(answers("get movelist B:W1:B", "movelist 0"), "movelist probe");
    check(answers("get movelist B:W32:B1", "movelist 2,0,6,6,1,5;0,6,6,1,6;") ||
          answers("get movelist B:W32:B1", "movelist 2,0,6,6,1,6;0,6,6,1,5;"), "movelist of quiet moves");
    check(answers("get movelist B:W6:B2", "movelist 1,1,6,6,2,9,9,6,5;"), "movelist of a capture");
    check(answers("set hashsize 16", "16") && answers("get hashsize", "16"), "hashsize");
    check(!ask("set hashsize 0") && !ask("set hashsize x") && !ask("set hashsize 99999999") && answers("get hashsize", "16"),
          "bad hash sizes change nothing");
    check(answers("set searchthreads 2", "2") && answers("get searchthreads", "2") && answers("set searchthreads 1", "1"),
          "searchthreads");
    check(ask("get cpus") && atoi(reply) >= 1, "cpus");
    check(!ask("get book") && strcmp(reply, "?") == 0 && !ask("set book 3"), "there is no book");
    check(!ask("get solve") && !ask("get dbpath"), "there is no solve mode and no database");
    check(ask("staticevaluation B:W21-32:B1-12") && strstr(reply, "for black") != NULL, "staticevaluation");
    check(!ask("staticevaluation nonsense") && strlen(reply) > 0, "a bad position is answered");
    check(!ask("") && !ask("fly me to the moon") && !ask("get"), "unknown commands");
}

static void all_scores(void)
{
    int b[8][8], playnow = 0;
    struct CBmove m;
    start(b);
    check(answers("set allscores 1", "1") && answers("get allscores", "1"), "allscores is kept");
    getmove(b, 2, 0.3, text, &playnow, 1 | 2, 0, &m);
    int commas = 0;
    for (const char *p = text; (p = strstr(p, ", ")); p++)
        commas++;
    printf("     %s\n", text);
    check(commas == 6, "allscores lists the seven moves");
    ask("set allscores 0");
}

/* Black is a king ahead. After a history in which both went to and fro, the move back is the third occurrence. */
static void repetition(void)
{
    int b[8][8] = {{0}}, playnow = 0;
    struct CBmove m;
    put(b, 29, 10);
    put(b, 4, 9);
    char line[256];
    int draws = 0;
    check(ask("set gamehist B:WK4:BK29 29-25 4-8 25-29 8-4 29-25 4-8 25-29 8-4"), "gamehist with kings to and fro");
    int result = getmove(b, 2, 0.05, text, &playnow, 2, 0, &m);
    draws = result == 0;
    snprintf(line, sizeof line, "the move into the third repetition, or past it, is known: %d-%d result %d", number(m.from),
             number(m.to), result);
    check(number(m.to) != 25 || draws, line);
    check(!ask("set gamehist B:WK4:BK29 29-1") && strstr(reply, "29-1") != NULL, "an impossible history is refused");
    check(!ask("set gamehist nonsense"), "a history without a position is refused");
    /* A real CheckerBoard sends more than 256 bytes. */
    char longer[2000] = "set gamehist B:WK4:BK29";
    for (int i = 0; i < 30; i++)
        strcat(longer, " 29-25 4-8 25-29 8-4");
    check(ask(longer), "a long history is read");
}

static void legality(void)
{
    int b[8][8];
    struct CBmove m;
    start(b);
    check(islegal(b, 2, 11, 15, &m) == 1 && m.jumps == 0 && number(m.from) == 11 && number(m.to) == 15 && m.newpiece == 6,
          "11-15 is legal and described");
    check(!islegal(b, 2, 11, 14, &m) && !islegal(b, 2, 1, 5, &m) && !islegal(b, 1, 11, 15, &m), "illegal moves");
    check(!islegal(b, 2, 0, 99, &m) && !islegal(b, 2, -1, 1 << 30, &m) && !islegal(b, 7, 11, 15, &m), "bad numbers");
    memset(b, 0, sizeof b);
    put(b, 2, 6);
    put(b, 6, 5);
    put(b, 14, 5);
    check(islegal(b, 2, 2, 18, &m) == 0 || m.jumps == 2, "captures");
    check(islegal(b, 2, 2, 6, &m) == 0 && islegal(b, 2, 2, 7, &m) == 0, "a capture is compulsory");
}

static void bad_arguments(void)
{
    int b[8][8], before[8][8], playnow = 0;
    struct CBmove m;
    check(getmove(NULL, 2, 0.01, text, &playnow, 0, 0, &m) == 3, "no board");
    start(b);
    memcpy(before, b, sizeof b);
    check(getmove(b, 9, 0.01, text, &playnow, 0, 0, &m) == 3 && memcmp(b, before, sizeof b) == 0 && strstr(text, "colour 9"),
          "a wrong colour is told and nothing is played");
    b[0][0] = 77;
    check(getmove(b, 2, 0.01, text, &playnow, 0, 0, &m) == 3 && strstr(text, "77"), "a wrong piece is told");
    start(b);
    check(getmove(b, 2, 0.01, NULL, NULL, 0, 0, NULL) == 3 && memcmp(b, before, sizeof b) != 0, "only a board");
    start(b);
    check(getmove(b, 2, -5.0, text, &playnow, -1, -1, &m) >= 0 && memcmp(b, before, sizeof b) != 0, "odd numbers");
    memset(b, 0, sizeof b);
    put(b, 1, 5);
    check(getmove(b, 2, 0.01, text, &playnow, 1, 0, &m) != 1, "a man on its last row, and nobody to move");
    check(enginecommand(NULL, reply) == 0 && enginecommand("name", NULL) == 1 && enginename(NULL) == 1, "null texts");
    check(islegal(NULL, 2, 11, 15, &m) == 0, "islegal without a board");
    start(b);
    check(islegal(b, 2, 11, 15, NULL) == 1, "islegal without a record");
    char noise[5000];
    memset(noise, 'x', sizeof noise - 1);
    noise[sizeof noise - 1] = 0;
    check(ask(noise) == 0, "a command without end");
    check(ask("name \xff\xfe") == 0, "a command that is no text");
    check(guarded(), "nothing was written behind the buffers");
}

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) {
        fprintf(stderr, "cannot load: %s\n", argc == 2 ? dlerror() : "usage: host LIBRARY");
        return 2;
    }
    getmove = (getmove_t)dlsym(library, "getmove");
    enginecommand = (enginecommand_t)dlsym(library, "enginecommand");
    islegal = (islegal_t)dlsym(library, "islegal");
    enginename = (enginename_t)dlsym(library, "enginename");
    check(getmove && enginecommand && islegal && enginename, "all four functions are exported");
    check(sizeof(struct CBmove) == 268, "the record has 268 bytes");
    if (failures)
        return 1;
    memset(text, 0x55, sizeof text);
    commands();
    legality();
    repetition();
    play_now();
    clocks();
    all_scores();
    bad_arguments();
    full_game("21", 2);
    full_game("25", 1);
    full_game("26", 1);
    full_game("22", 1);
    full_game("24", 1);
    full_game("29", 1);
    full_game("21", 2);
    check(dlclose(library) == 0, "the library is unloaded");
    printf("%d failed\n", failures);
    return failures != 0;
}
