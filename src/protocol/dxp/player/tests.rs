use super::super::event::{Act, Event, Task, Terms, Wish};
use super::super::message::parse;
use super::super::play::Record;
use super::*;
use crate::game::Variant;

/// A player with its wire: what it sends is text, what it hears is text.
struct Seat {
    player: Player,
    task: Option<Box<Task>>,
    records: Vec<Record>,
    told: Vec<String>,
    closed: bool,
}

fn terms(variant: &str, initiator: bool, games: u32) -> Terms {
    Terms {
        variant: Variant::find(variant).expect("built in"),
        name: if initiator { "asker" } else { "answerer" }.to_string(),
        initiator,
        minutes: Minutes(0),
        moves: 0,
        movetime_ms: None,
        games,
    }
}

impl Seat {
    fn new(terms: Terms) -> Seat {
        let player = Player::new(terms);
        Seat { player, task: None, records: Vec::new(), told: Vec::new(), closed: false }
    }

    /// A connected follower of that variant.
    fn follower(variant: &str) -> Seat {
        let mut seat = Seat::new(terms(variant, false, 0));
        assert!(seat.hear(Event::Connected).is_empty());
        seat
    }

    fn hear(&mut self, event: Event) -> Vec<String> {
        let mut sent = Vec::new();
        for act in self.player.hear(event) {
            match act {
                Act::Send(message) => sent.push(message.to_string()),
                Act::Think(task) => self.task = Some(task),
                Act::StopThinking => self.task = None,
                Act::Tell(text) => self.told.push(text),
                Act::Save(record) => self.records.push(*record),
                Act::Close => self.closed = true,
                Act::Forget => {}
            }
        }
        sent
    }

    fn get(&mut self, text: &str) -> Vec<String> {
        self.hear(Event::Message(parse(text.as_bytes())))
    }

    fn wish(&mut self, wish: Wish) -> Vec<String> {
        self.hear(Event::User(wish))
    }

    /// Plays the first legal move, or the one from and to those squares.
    fn think(&mut self, ends: Option<(u8, u8)>) -> Vec<String> {
        let task = self.task.take().expect("it thinks");
        let moves = task.game.moves();
        let best = moves.into_iter().find(|mv| ends.is_none_or(|ends| (mv.from.0, mv.to.0) == ends));
        assert!(best.is_some(), "{ends:?} is legal");
        self.hear(Event::Thought { ticket: task.ticket, best, took: Duration::from_millis(1_600) })
    }

    fn told(&self, part: &str) -> bool {
        self.told.iter().any(|text| text.contains(part))
    }

    fn setup(&mut self, us: char, side: char, pieces: &[(usize, u8)]) -> Vec<String> {
        let squares = self.player.terms.variant.set.board.squares();
        let mut letters = vec![b'e'; squares];
        pieces.iter().for_each(|&(square, letter)| letters[square - 1] = letter);
        let letters = String::from_utf8(letters).expect("ASCII");
        self.get(&format!("R01{:32}{us}000000B{side}{letters}", "peer"))
    }
}

fn request(us: char, minutes: &str, moves: u32) -> String {
    format!("R01{:32}{us}{minutes}{moves:03}A", "peer")
}

fn accepted() -> String {
    format!("A{:32}0", "answerer")
}

#[test]
fn a_follower_accepts_and_plays() {
    let mut seat = Seat::follower("international");
    assert_eq!(seat.get(&request('W', "060", 65)), [accepted()]);
    let limits = &seat.task.as_ref().expect("White thinks at once").limits;
    let clock = limits.clock.expect("a clock was agreed upon");
    assert_eq!((clock.time_ms[0], clock.moves_to_go, limits.movetime_ms), (3_600_000, Some(65), None));
    assert_eq!(seat.think(Some((31, 26))), ["M0002312600"]);
    assert!(seat.get("M0001202400").is_empty());
    let clock = seat.task.as_ref().expect("it thinks").limits.clock.expect("a clock");
    assert_eq!((clock.time_ms[0], clock.moves_to_go), (3_598_400, Some(64)));
}

#[test]
fn as_black_it_waits_and_without_a_clock_it_has_a_time_for_each_move() {
    let mut seat = Seat::follower("international");
    assert_eq!(seat.get(&request('Z', "000", 0)), [accepted()]);
    assert!(seat.task.is_none());
    seat.get("M0001322800");
    let limits = &seat.task.as_ref().expect("it thinks").limits;
    assert_eq!((limits.clock, limits.movetime_ms), (None, Some(1_000)));
}

#[test]
fn two_players_play_to_the_end_by_the_rules() {
    for variant in ["international", "russian", "english", "turkish", "losing"] {
        let mut seats = [Seat::new(terms(variant, true, 2)), Seat::new(terms(variant, false, 0))];
        let mut wires = [seats[0].hear(Event::Connected), seats[1].hear(Event::Connected)];
        for _ in 0..5_000 {
            for (us, them) in [(0, 1), (1, 0)] {
                for text in std::mem::take(&mut wires[us]) {
                    let answer = seats[them].get(&text);
                    wires[them].extend(answer);
                }
                if seats[us].task.is_some() && !seats[us].closed {
                    let sent = seats[us].think(None);
                    wires[us].extend(sent);
                }
            }
            if seats[0].closed && wires.iter().all(Vec::is_empty) {
                break;
            }
        }
        assert!(seats[0].closed && seats[0].player.finished(), "{variant}: {:?}", seats[0].told.last());
        for seat in &seats {
            assert_eq!(seat.records.len(), 2, "{variant}");
            assert!(seat.records.iter().all(|record| record.outcome.is_some()), "{variant}: {:?}", seat.told);
        }
        let result = |seat: &Seat, game: usize| (seat.records[game].outcome, seat.records[game].names.clone());
        assert_eq!(result(&seats[0], 0), result(&seats[1], 0), "{variant}: both agree");
        assert_eq!(seats[0].records[0].names, ["asker", "answerer"]);
        assert_eq!(seats[0].records[1].names, ["answerer", "asker"]);
    }
}

#[test]
fn forced_moves_are_sent_without_thinking() {
    let mut seat = Seat::follower("international");
    // White must take 28x19 and has nothing else.
    assert_eq!(
        seat.setup('W', 'W', &[(28, b'w'), (23, b'z'), (1, b'z')]),
        [accepted(), "M0000281901 23".replace(' ', "")]
    );
    assert!(seat.task.is_none());
}

#[test]
fn illegal_moves_end_the_game_with_a_message() {
    for bad in ["M0001322700", "M0001999900", "M0001323301", "M000132280128", "M00"] {
        let mut seat = Seat::follower("international");
        seat.get(&request('Z', "001", 0));
        let sent = seat.get(if bad == "M0001322700" { "M0001312800" } else { bad });
        assert_eq!(sent[0], "E00", "{bad}");
        assert!(sent[1].starts_with('C'), "{bad}: {sent:?}");
        assert!(seat.get("E00").is_empty());
        assert_eq!(seat.records[0].outcome, None);
        assert_eq!(seat.get(&request('Z', "001", 0)), [accepted()], "the next game goes on after {bad}");
    }
}

#[test]
fn bad_requests_are_refused_with_their_code() {
    let mut seat = Seat::follower("international");
    let code = |sent: Vec<String>| sent[0].chars().last();
    assert_eq!(code(seat.get(&request('W', "001", 0).replace("R01", "R02"))), Some('1'));
    assert_eq!(code(seat.get(&request('W', "x01", 0))), Some('2'));
    let board = |squares: usize| format!("R01{:32}W000000BW{}", "peer", "e".repeat(squares));
    assert_eq!(code(seat.get(&board(32))), Some('2'));
    assert_eq!(code(seat.get(&board(50))), Some('2'));
    assert_eq!(code(seat.setup('W', 'W', &[(1, b'w'), (50, b'z')])), Some('2'));
    assert_eq!(code(seat.get(&request('W', "001", 0))), Some('0'));
}

#[test]
fn noise_is_told_and_ignored() {
    let mut seat = Seat::follower("international");
    for text in ["", "hello", "E9", "K7", "B0", "M0001322800", "E00", "K0", &format!("A{:32}0", "x")] {
        assert!(seat.get(text).is_empty(), "{text:?}");
    }
    assert!(seat.get("Cconsole quit").is_empty());
    assert!(seat.told("the other side says: console quit"));
    assert_eq!(seat.get(&request('Z', "001", 0)), [accepted()]);
    for _ in 0..200 {
        seat.get("???");
    }
    assert!(seat.closed, "endless noise ends the connection");
    assert_eq!(seat.records.len(), 1);
}

#[test]
fn the_other_side_may_end_the_game() {
    for (text, outcome) in
        [("E00", None), ("E10", Some(Outcome::Win(Color::White))), ("E20", Some(Outcome::Draw)), ("E30", None)]
    {
        let mut seat = Seat::follower("international");
        seat.get(&request('W', "001", 0));
        assert_eq!(seat.get(text), ["E00"]);
        assert!(seat.task.is_none(), "the search is stopped");
        assert_eq!(seat.records[0].outcome, outcome, "{text}");
        assert_eq!(seat.get(&request('W', "001", 0)), [accepted()]);
        assert_eq!(seat.get("E01"), ["E00"]);
        assert!(seat.closed);
    }
}

#[test]
fn thoughts_of_an_ended_game_are_not_played() {
    let mut seat = Seat::follower("international");
    seat.get(&request('W', "001", 0));
    let late = seat.task.clone().expect("it thinks");
    seat.get("E00");
    seat.get(&request('W', "001", 0));
    let best = late.game.moves().pop();
    assert!(seat.hear(Event::Thought { ticket: late.ticket, best, took: Duration::ZERO }).is_empty());
    assert_eq!(seat.think(Some((32, 28))), ["M0002322800"]);
}

#[test]
fn a_finished_position_is_ended_by_the_side_to_move() {
    // White to move takes the last piece; then Black, to move, has lost.
    let mut seat = Seat::follower("international");
    seat.setup('Z', 'W', &[(28, b'w'), (23, b'z')]);
    assert_eq!(seat.get("M000128190123"), ["E10"]);
    assert!(seat.get("E00").is_empty());
    assert_eq!(seat.records[0].outcome, Some(Outcome::Win(Color::White)));
}

#[test]
fn the_move_limit_ends_the_game() {
    let mut seat = Seat::follower("international");
    seat.get(&request('W', "001", 1));
    seat.think(Some((32, 28)));
    assert_eq!(seat.get("M0001202400"), ["E00", "Cmove limit reached"]);
}

#[test]
fn moves_are_taken_back() {
    let mut seat = Seat::follower("international");
    seat.get(&request('W', "001", 0));
    assert_eq!(seat.get("B002W"), ["K2"], "that far it has not come");
    seat.think(Some((32, 28)));
    seat.get("M0001202400");
    assert!(seat.task.is_some());
    assert_eq!(seat.get("B001Z"), ["K0"]);
    assert!(seat.task.is_none(), "Black is to move again");
    seat.get("M0001192300");
    assert_eq!(seat.get("B001W"), ["K0"]);
    assert_eq!(seat.think(Some((31, 26))), ["M0002312600"]);
    assert_eq!(seat.get("B000W"), [""; 0]);
    seat.get("E00");
    assert_eq!(seat.records[0].moves.len(), 1);
    assert_eq!(seat.get("B001W"), ["K2"], "there is no game");
}

#[test]
fn going_back_counts_from_the_side_that_moved_first() {
    let mut seat = Seat::follower("english");
    assert_eq!(seat.get(&request('Z', "001", 0)), [accepted()]);
    seat.think(None);
    assert_eq!(seat.get("B001Z"), ["K0"], "Black begins in English draughts");
    let mut seat = Seat::follower("international");
    seat.setup('Z', 'Z', &[(28, b'w'), (27, b'w'), (1, b'z'), (2, b'z')]);
    seat.think(None);
    assert_eq!(seat.get("B001W"), ["K2"], "White had no first move here");
    assert_eq!(seat.get("B001Z"), ["K0"]);
}

#[test]
fn the_user_may_ask_to_go_back() {
    for (answer, thinks) in [("K0", false), ("K1", true), ("K2", true)] {
        let mut seat = Seat::follower("international");
        seat.get(&request('W', "001", 0));
        seat.think(Some((32, 28)));
        seat.get("M0001202400");
        let wish = Wish::Back { number: 1, side: Color::Black };
        assert_eq!(seat.wish(wish.clone()), ["B001Z"]);
        assert!(seat.task.is_none());
        assert!(seat.wish(wish).is_empty(), "one at a time");
        assert_eq!(seat.get("B001W"), ["K2"], "two wishes at once lead nowhere");
        seat.get(answer);
        assert_eq!(seat.task.is_some(), thinks, "{answer}");
    }
    let mut seat = Seat::follower("international");
    assert!(seat.wish(Wish::Back { number: 1, side: Color::White }).is_empty());
    seat.get(&request('W', "001", 0));
    seat.wish(Wish::Back { number: 1, side: Color::White });
    assert!(seat.hear(Event::Silence).is_empty());
    assert!(seat.task.is_some(), "no answer: on with the game");
}

#[test]
fn a_lost_connection_ends_the_game_and_not_the_player() {
    let mut seat = Seat::follower("international");
    seat.get(&request('W', "001", 0));
    seat.hear(Event::Lost("gone".into()));
    assert_eq!((seat.records.len(), seat.records[0].outcome, seat.player.finished()), (1, None, false));
    seat.hear(Event::Connected);
    assert_eq!(seat.get(&request('W', "001", 0)), [accepted()]);
}

#[test]
fn silence_has_its_end() {
    let mut seat = Seat::follower("international");
    assert_eq!(seat.player.patience(), Some(Duration::from_secs(600)));
    seat.get(&request('Z', "001", 0));
    assert_eq!(seat.player.patience(), Some(Duration::from_secs(120)));
    assert_eq!(seat.hear(Event::Silence), ["E01"]);
    assert!(seat.closed);
    assert_eq!(seat.records.len(), 1);
    let mut seat = Seat::follower("international");
    seat.get(&request('W', "001", 0));
    assert_eq!(seat.player.patience(), None, "while it thinks nobody else has to speak");
}

#[test]
fn a_refused_initiator_gives_up_and_says_why() {
    for (code, part) in [(1, "another version"), (2, "not want this game"), (3, "wants no game")] {
        let mut seat = Seat::new(terms("international", true, 1));
        assert_eq!(seat.hear(Event::Connected), [format!("R01{:32}Z000000A", "asker")]);
        seat.get(&format!("A{:32}{code}", "peer"));
        assert!(seat.closed && seat.told(part) && !seat.player.finished());
    }
}

#[test]
fn two_initiators_do_not_play() {
    let mut seat = Seat::new(terms("international", true, 1));
    seat.hear(Event::Connected);
    assert_eq!(seat.get(&request('W', "001", 0)), [format!("A{:32}3", "asker")]);
    assert!(!seat.closed);
}

#[test]
fn an_initiator_with_another_start_draws_it() {
    let mut seat = Seat::new(terms("english", true, 1));
    let sent = seat.hear(Event::Connected);
    assert!(sent[0].ends_with(&format!("BZ{}{}{}", "z".repeat(12), "e".repeat(8), "w".repeat(12))), "{sent:?}");
}

#[test]
fn leaving_ends_the_game_first() {
    let mut seat = Seat::follower("international");
    seat.get(&request('Z', "001", 0));
    assert_eq!(seat.wish(Wish::Leave), ["E01"]);
    assert!(!seat.player.finished());
    seat.get("E00");
    assert!(seat.player.finished() && seat.closed);
    let mut seat = Seat::follower("international");
    seat.wish(Wish::Leave);
    assert!(seat.player.finished());
}

#[test]
fn the_user_may_end_the_game_on_the_own_turn() {
    let mut seat = Seat::follower("international");
    seat.get(&request('W', "001", 0));
    seat.think(Some((32, 28)));
    assert!(seat.wish(Wish::End).is_empty());
    assert_eq!(seat.get("M0001202400"), ["E00"]);
    assert_eq!(seat.wish(Wish::Chat("bye".into())), ["Cbye"]);
}

#[test]
fn another_request_in_mid_game_starts_anew() {
    let mut seat = Seat::follower("international");
    seat.get(&request('W', "001", 0));
    assert_eq!(seat.get(&request('Z', "001", 0)), [accepted()]);
    assert_eq!(seat.records.len(), 1);
    assert!(seat.task.is_none());
}
