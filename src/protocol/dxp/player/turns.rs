//! What a player does in mid-game: thinking, moving, and going back.

use super::super::board;
use super::super::event::{Act, Task};
use super::super::message::{BackAnswer, Ending, Message, WireMove};
use super::{Phase, Player};
use crate::game::board::Color;
use crate::game::plain::{Outcome, PlainMove};
use std::time::Duration;

impl Player {
    /// When it is our turn: ends the game where the rules or the agreement say so, else thinks.
    pub(super) fn turn(&mut self) {
        let Phase::Playing(table) = &mut self.phase else { return };
        let play = &table.play;
        if !play.our_turn() || table.thinking.is_some() || table.back.is_some() {
            return;
        }
        if let Some((outcome, reason)) = play.verdict() {
            let ending = match outcome {
                Outcome::Draw => Ending::Drawn,
                Outcome::Win(side) if side == play.us => Ending::Won,
                Outcome::Win(_) => Ending::Lost,
            };
            return self.end(ending, Some(outcome), &reason);
        }
        if play.at_limit() {
            self.end(Ending::Unknown, None, "move limit reached");
            return self.send(Message::Chat("move limit reached".to_string()));
        }
        if table.end {
            return self.end(Ending::Unknown, None, "broken off by the user");
        }
        let moves = board::expressible(play.game());
        self.ticket += 1;
        table.thinking = Some(self.ticket);
        if let [only] = moves.as_slice() {
            let only = only.clone();
            return self.thought(self.ticket, Some(only), Duration::ZERO);
        }
        let all = moves.len() == play.game().moves().len();
        let limits = play.limits(self.terms.movetime_ms, if all { Vec::new() } else { moves });
        let task = Task { ticket: self.ticket, game: play.game().clone(), limits };
        self.acts.push(Act::Think(Box::new(task)));
    }

    pub(super) fn stop_thinking(&mut self) {
        if let Phase::Playing(table) = &mut self.phase
            && table.thinking.take().is_some()
        {
            self.acts.push(Act::StopThinking);
        }
    }

    pub(super) fn thought(&mut self, ticket: u64, best: Option<PlainMove>, took: Duration) {
        let round = self.played + 1;
        let Phase::Playing(table) = &mut self.phase else { return };
        if table.thinking != Some(ticket) {
            return;
        }
        table.thinking = None;
        let play = &mut table.play;
        let Some(mv) = best.or_else(|| board::expressible(play.game()).into_iter().next()) else {
            return self.break_off("no move that the protocol can express");
        };
        let seconds = (took.as_millis() + 500) / 1_000;
        let wire = board::wire(play.game().variant(), &mv, seconds.min(9_999) as u16);
        let text = play.play(&mv, took);
        self.send(Message::Move(wire));
        self.tell(format!("game {round}: {text}"));
    }

    pub(super) fn moved(&mut self, wire: &WireMove) {
        let round = self.played + 1;
        let Phase::Playing(table) = &mut self.phase else {
            return self.tell("a move without a game was ignored");
        };
        if table.play.our_turn() {
            return self.tell("a move out of turn was ignored");
        }
        let Some(mv) = table.play.find(wire) else {
            let text = Message::Move(wire.clone()).to_string();
            return self.break_off(&format!("illegal move {text}"));
        };
        let text = table.play.play(&mv, Duration::ZERO);
        self.tell(format!("game {round}: {text}"));
        self.turn();
    }

    // --- going back ---

    pub(super) fn asked_back(&mut self, number: u16, side: Color) {
        let granted = match &self.phase {
            Phase::Playing(table) if table.back.is_none() => table.play.ply(number, side),
            _ => None,
        };
        let Some(ply) = granted else {
            self.tell(format!("the wish to go back to move {number} of {} was refused", side.name()));
            return self.send(Message::BackAcc(BackAnswer::Refused));
        };
        self.stop_thinking();
        self.send(Message::BackAcc(BackAnswer::Done));
        self.back_to(ply);
    }

    fn back_to(&mut self, ply: usize) {
        if let Phase::Playing(table) = &mut self.phase {
            table.back = None;
            table.play.back_to(ply);
            let side = table.play.game().side().name();
            self.tell(format!("game {}: back to ply {ply}, {side} to move", self.played + 1));
        }
        self.turn();
    }

    pub(super) fn back_answered(&mut self, answer: BackAnswer) {
        let ply = match &mut self.phase {
            Phase::Playing(table) => table.back.take(),
            _ => None,
        };
        let Some(ply) = ply else { return self.tell("an answer to no question was ignored") };
        match answer {
            BackAnswer::Done => return self.back_to(ply),
            BackAnswer::NotSupported => self.tell("the other side cannot go back"),
            BackAnswer::Refused => self.tell("the other side does not want to go back"),
        }
        self.turn();
    }

    /// Asks to go back, when there is such a place.
    pub(super) fn wish_back(&mut self, number: u16, side: Color) {
        let ply = match &self.phase {
            Phase::Playing(table) if table.back.is_none() => table.play.ply(number, side),
            _ => None,
        };
        let Some(ply) = ply else {
            return self.tell(format!("there is no move {number} of {} to go back to", side.name()));
        };
        self.stop_thinking();
        if let Phase::Playing(table) = &mut self.phase {
            table.back = Some(ply);
        }
        self.send(Message::BackReq { number, side });
    }
}
