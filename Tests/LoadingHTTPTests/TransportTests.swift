import Testing

/// The tests against real sockets, one after the other: each has its floods and its deadlines for itself.
@Suite(.serialized, .timeLimit(.minutes(10))) enum TransportTests {}
