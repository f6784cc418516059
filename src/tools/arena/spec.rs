//! How engines are named on the command line.

use super::clock::TimeControl;
use super::error::ArenaError;
use std::fmt;

/// The language an engine is spoken to in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The UCI dialect of this project.
    Uci,
    /// Hub, version 2.
    Hub,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Uci => "uci",
            Protocol::Hub => "hub",
        })
    }
}

/// One engine of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// The name it plays under.
    pub name: String,
    /// The program.
    pub command: String,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// The language it is spoken to in.
    pub protocol: Protocol,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// Its own time control; `None` = the match's.
    pub control: Option<TimeControl>,
}

const OPTION: &str = "--engine";
const KEYS: &str = "name=, cmd=, args=, proto=uci|hub, tc=, option.NAME=";

impl EngineSpec {
    /// Reads `name=A,cmd=PATH,args="hub -q",proto=hub,option.Hash=16,tc=nodes=500`. A comma inside double quotes does
    /// not divide.
    pub fn read(text: &str) -> Result<EngineSpec, ArenaError> {
        let mut spec = EngineSpec {
            name: String::new(),
            command: String::new(),
            arguments: Vec::new(),
            protocol: Protocol::Uci,
            options: Vec::new(),
            control: None,
        };
        for part in split(text, |c| c == ',') {
            let (key, value) =
                part.split_once('=').ok_or_else(|| ArenaError::argument(OPTION, &part, format!("one of {KEYS}")))?;
            let value = unquoted(value);
            match key.trim() {
                "name" => spec.name = value,
                "cmd" => spec.command = value,
                "args" => {
                    spec.arguments = split(&value, char::is_whitespace).iter().map(|word| unquoted(word)).collect()
                }
                "proto" => spec.protocol = protocol(&value)?,
                "tc" => spec.control = Some(value.parse()?),
                other => match other.strip_prefix("option.") {
                    Some(name) if !name.is_empty() => spec.options.push((name.to_string(), value)),
                    _ => return Err(ArenaError::argument(OPTION, &part, format!("one of {KEYS}"))),
                },
            }
        }
        if spec.command.is_empty() {
            return Err(ArenaError::argument(OPTION, text, "cmd=PROGRAM among its parts"));
        }
        if spec.name.is_empty() {
            let stem = std::path::Path::new(&spec.command).file_stem();
            spec.name = stem.map_or_else(|| spec.command.clone(), |stem| stem.to_string_lossy().into_owned());
        }
        Ok(spec)
    }

    /// Reads all engines of a match: at least two, each with its own name.
    pub fn read_all(texts: &[String]) -> Result<Vec<EngineSpec>, ArenaError> {
        let specs = texts.iter().map(|text| EngineSpec::read(text)).collect::<Result<Vec<_>, _>>()?;
        if specs.len() < 2 {
            return Err(ArenaError::argument(OPTION, &texts.join(" "), "at least two engines"));
        }
        for (index, spec) in specs.iter().enumerate() {
            if specs[..index].iter().any(|other| other.name == spec.name) {
                return Err(ArenaError::argument(OPTION, &spec.name, "a different name= for each engine"));
            }
        }
        Ok(specs)
    }
}

fn protocol(text: &str) -> Result<Protocol, ArenaError> {
    match text.to_ascii_lowercase().as_str() {
        "uci" => Ok(Protocol::Uci),
        "hub" => Ok(Protocol::Hub),
        _ => Err(ArenaError::argument("--engine proto", text, "uci or hub")),
    }
}

/// Parts between separators that stand outside double quotes; empty parts are left out.
fn split(text: &str, separates: impl Fn(char) -> bool) -> Vec<String> {
    let (mut parts, mut part, mut quoted) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        quoted ^= c == '"';
        if separates(c) && !quoted {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Without blanks around it and, when quoted as a whole, without its double quotes.
fn unquoted(text: &str) -> String {
    let text = text.trim();
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_read() {
        let text =
            "name=A,cmd=/opt/my engine,args=\"hub -q x,y\",proto=hub,option.Hash=16,option.Move Overhead=5,tc=40/60";
        let spec = EngineSpec::read(text).unwrap();
        assert_eq!(spec.name, "A");
        assert_eq!(spec.command, "/opt/my engine");
        assert_eq!(spec.arguments, ["hub", "-q", "x,y"]);
        assert_eq!(spec.protocol, Protocol::Hub);
        assert_eq!(spec.options, [("Hash".into(), "16".into()), ("Move Overhead".into(), "5".into())]);
        assert_eq!(spec.control.unwrap().to_string(), "40/60");
    }

    #[test]
    fn the_name_defaults_to_the_program() {
        let spec = EngineSpec::read("cmd=/usr/bin/scan").unwrap();
        assert_eq!((spec.name.as_str(), spec.protocol), ("scan", Protocol::Uci));
    }

    #[test]
    fn mistakes_are_named() {
        let all = |texts: &[&str]| {
            EngineSpec::read_all(&texts.iter().map(|text| text.to_string()).collect::<Vec<_>>())
                .unwrap_err()
                .to_string()
        };
        assert!(all(&["name=A,cmd=a"]).contains("at least two"));
        assert!(all(&["name=A,cmd=a", "name=A,cmd=b"]).contains("different name="));
        assert!(all(&["name=A", "cmd=b"]).contains("cmd=PROGRAM"));
        assert!(all(&["cmd=a,hash=3", "cmd=b"]).contains("'hash=3'"));
        assert!(all(&["cmd=a,proto=xboard", "cmd=b"]).contains("uci or hub"));
        assert!(all(&["cmd=a,option.=3", "cmd=b"]).contains("option.NAME="));
        assert!(all(&["cmd=a,tc=soon", "cmd=b"]).contains("movetime=MS"));
    }
}
