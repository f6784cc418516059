//! Where connections come from: an address to listen at, or one to connect to. Only what the user names is bound.

use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How long a program that is to be connected to may take to start listening.
const START_PATIENCE: Duration = Duration::from_secs(10);
/// How long one attempt to connect may take.
const CONNECT_PATIENCE: Duration = Duration::from_secs(5);
/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// What the user names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    /// Wait there for connections.
    Listen(String),
    /// Connect there, once.
    Connect(String),
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum DoorError {
    #[error("--listen {address}: {error}, expected an address of this machine and a free port, as in 127.0.0.1:27531")]
    Listen { address: String, error: io::Error },
    #[error("--connect {address}: {error}, expected the address of a program that listens, as in 127.0.0.1:27531")]
    Connect { address: String, error: io::Error },
    #[error("--pdn {path}: {error}, expected a file that can be written")]
    Pdn { path: String, error: io::Error },
    #[error("--time {0}: expected minutes in at most three characters, as in 20, 0.5 or .05")]
    Minutes(String),
}

/// An open door.
pub enum Door {
    Listening(TcpListener),
    Calling { address: String, since: Instant, next: Instant },
}

impl Door {
    /// Opens it; a listener is bound at once.
    pub fn open(address: &Address) -> Result<Door, DoorError> {
        match address {
            Address::Listen(address) => {
                let open = || -> io::Result<TcpListener> {
                    let listener = TcpListener::bind(address.as_str())?;
                    listener.set_nonblocking(true)?;
                    Ok(listener)
                };
                open().map(Door::Listening).map_err(|error| DoorError::Listen { address: address.clone(), error })
            }
            Address::Connect(address) => {
                let now = Instant::now();
                Ok(Door::Calling { address: address.clone(), since: now, next: now })
            }
        }
    }

    /// The address that is listened at, with its real port.
    pub fn listens_at(&self) -> Option<String> {
        match self {
            Door::Listening(listener) => listener.local_addr().ok().map(|address| address.to_string()),
            Door::Calling { .. } => None,
        }
    }

    /// A new connection, if there is one now.
    pub fn look(&mut self) -> Result<Option<TcpStream>, DoorError> {
        match self {
            Door::Listening(listener) => match listener.accept() {
                Ok((stream, from)) => {
                    log::info!("dxp connection from {from}");
                    Ok(Some(stream))
                }
                // Whatever went wrong, it concerns this one connection.
                Err(error) => {
                    if error.kind() != ErrorKind::WouldBlock {
                        log::warn!("dxp connection failed: {error}");
                    }
                    Ok(None)
                }
            },
            Door::Calling { next, .. } if Instant::now() < *next => Ok(None),
            Door::Calling { address, since, next } => match call(address) {
                Ok(stream) => Ok(Some(stream)),
                Err(error) if error.kind() == ErrorKind::ConnectionRefused && since.elapsed() < START_PATIENCE => {
                    *next = Instant::now() + PAUSE;
                    Ok(None)
                }
                Err(error) => Err(DoorError::Connect { address: address.clone(), error }),
            },
        }
    }
}

fn call(address: &str) -> io::Result<TcpStream> {
    let mut failure = io::Error::new(ErrorKind::NotFound, "the name stands for no address");
    for place in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, CONNECT_PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}
