//! `enginecommand`: one line of text in, one line out.

use crate::game_type::GameType;
use crate::host::{Desk, Host};
use crate::position;
use crate::status::{LONGEST, shortened, value};
use damka::engine::Engine;
use damka::game::Game;
use damka::game::plain::PlainMove;
use damka::protocol::options::MAX_THREADS;
use damka::protocol::start::room_for;

/// An answer: `Ok` is understood (1), `Err` is not (0). Either text goes to the caller.
pub type Answer = Result<String, String>;

/// What CheckerBoard takes for "this engine has no such thing".
const UNKNOWN: &str = "?";

/// The largest table that can be asked for, in MiB.
const MOST_HASH: usize = 65_536;

/// Carries out a command.
pub fn carry_out(host: &Host, command: &str) -> Answer {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words.as_slice() {
        ["name"] => Ok(name(host.desk().game)),
        ["about"] => Ok(about(host.desk().game)),
        // CheckerBoard opens the file that is named here; an empty name says that there is none.
        ["help"] => Ok(String::new()),
        ["get", "movelist", fen] => move_list(host.desk().game, fen),
        ["get", rest @ ..] => get(&host.desk(), rest),
        ["set", "gamehist", fen, moves @ ..] => game_history(&mut host.desk(), fen, moves),
        ["set", rest @ ..] => set(&mut host.desk(), rest),
        ["staticevaluation", fen] => static_evaluation(host.desk().game, fen),
        _ => Err(UNKNOWN.to_string()),
    }
    .map(shortened)
    .map_err(shortened)
}

/// Name and version of the engine, with the game.
pub fn name(game: GameType) -> String {
    format!("damka {} {}", env!("CARGO_PKG_VERSION"), game.variant)
}

fn about(game: GameType) -> String {
    let title = &game.rules().title;
    format!(
        "damka {}\n\nA free engine for the whole family of draughts games.\nThis one plays: {title}.",
        env!("CARGO_PKG_VERSION")
    )
}

fn get(desk: &Desk, words: &[&str]) -> Answer {
    let number = match words {
        ["protocolversion"] => 2,
        ["gametype"] => usize::from(desk.game.number),
        ["hashsize"] => desk.settings.hash_mb,
        ["searchthreads"] => desk.settings.threads,
        ["cpus"] => std::thread::available_parallelism().map_or(1, |n| n.get()),
        ["allscores"] => usize::from(desk.all_scores),
        _ => return Err(UNKNOWN.to_string()),
    };
    Ok(number.to_string())
}

fn set(desk: &mut Desk, words: &[&str]) -> Answer {
    match words {
        ["hashsize", text] => {
            let mb = whole("hashsize", text, 1, MOST_HASH)?;
            room_for(mb).map_err(|error| error.to_string())?;
            desk.settings.hash_mb = mb;
            Ok(mb.to_string())
        }
        ["searchthreads", text] => {
            desk.settings.threads = whole("searchthreads", text, 1, MAX_THREADS as usize)?;
            Ok(text.to_string())
        }
        ["allscores", text] => {
            desk.all_scores = whole("allscores", text, 0, 1)? == 1;
            Ok(text.to_string())
        }
        ["gametype", text] => {
            let game =
                GameType::find(text).ok_or_else(|| format!("gametype '{text}', expected 21, 22, 24, 25, 26 or 29"))?;
            desk.choose(game);
            Ok(game.number.to_string())
        }
        _ => Err(UNKNOWN.to_string()),
    }
}

fn whole(what: &str, text: &str, min: usize, max: usize) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| format!("{what} '{text}', expected a whole number from {min} to {max}"))
}

/// The game since the last man move or capture: a position and the moves played in it, between square numbers.
fn game_history(desk: &mut Desk, fen: &str, moves: &[&str]) -> Answer {
    desk.told = None;
    let setup = position::read_fen(desk.game, fen).map_err(|bad| bad.0)?;
    let mut game = Game::from_setup(desk.game.rules(), &setup).map_err(|error| error.to_string())?;
    for text in moves {
        let squares = text.split_once(['-', 'x']).and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
        let (from, to) = squares.ok_or_else(|| format!("gamehist: '{text}' is no move, expected one like 11-15"))?;
        let mv = position::between(&game, desk.game, from, to).into_iter().next();
        let played = mv.is_some_and(|mv| game.play(&mv).is_ok());
        if !played {
            return Err(format!("gamehist: '{text}' is not legal there"));
        }
    }
    desk.told = Some(game);
    Ok(String::new())
}

/// `movelist N,jumps,old,new,from,to[,landed,captured,piece…];…`. A list that does not fit is cut after a whole move.
fn move_list(game_type: GameType, fen: &str) -> Answer {
    // CheckerBoard turns square numbers of the Czech game into places beside the board; it asks `islegal` instead.
    if game_type.variant == "czech" {
        return Err(UNKNOWN.to_string());
    }
    let setup = position::read_fen(game_type, fen).map_err(|bad| bad.0)?;
    // A position that cannot be has no moves.
    let game = Game::from_setup(game_type.rules(), &setup).ok();
    let texts: Vec<String> = match &game {
        Some(game) => game.moves().iter().map(|mv| listed(game, game_type, mv)).collect(),
        None => Vec::new(),
    };
    let room = LONGEST - "movelist 999,".len();
    let (mut list, mut count) = (String::new(), 0);
    for text in texts {
        if list.len() + text.len() > room {
            break;
        }
        list.push_str(&text);
        count += 1;
    }
    Ok(if count == 0 { "movelist 0".to_string() } else { format!("movelist {count},{list}") })
}

fn listed(game: &Game, game_type: GameType, mv: &PlainMove) -> String {
    let record = position::record(&game.setup(), game_type, mv);
    let mut numbers = vec![
        record.jumps,
        record.oldpiece,
        record.newpiece,
        game_type.number_of(record.from),
        game_type.number_of(record.to),
    ];
    for (index, &piece) in record.delpiece.iter().enumerate().take(record.jumps as usize) {
        // The last of twelve jumps has no place in the path: it ends on the move's last square.
        let landed = record.path.get(index + 1).copied().unwrap_or(record.to);
        numbers.extend([game_type.number_of(landed), game_type.number_of(record.del[index]), piece]);
    }
    let texts: Vec<String> = numbers.iter().map(i32::to_string).collect();
    format!("{};", texts.join(","))
}

fn static_evaluation(game_type: GameType, fen: &str) -> Answer {
    let setup = position::read_fen(game_type, fen).map_err(|bad| bad.0)?;
    let game = Game::from_setup(game_type.rules(), &setup).map_err(|error| error.to_string())?;
    let engine = Engine::new(crate::host::settings());
    let evaluation = engine.evaluate(&game);
    let parts: Vec<String> = evaluation.parts.iter().map(|(name, score)| format!("{name} {}", value(*score))).collect();
    Ok(format!("{} for {}: {}", value(evaluation.total), game.side().name(), parts.join(", ")))
}
