// Where everything is in memory, and the kinds of things that a table describes. All of it is
// exported, so that the other side asks instead of knowing. Lengths in bytes.

/** The shape of the body, as tables; its first node is the body itself. */
export const TABLES: usize = 4096;
export const TABLES_BYTES_MAX: i32 = 32768;

/** Answers about an accepted body, 32 bits each: see scan.as. */
export const RESULTS: usize = 36864;

/**
 * Places of numbers that only the other side can judge: start and end in the body, 32 bits each.
 */
export const QUESTIONS: usize = 40960;
export const QUESTIONS_MAX: i32 = 8192;

/** The body as it was sent, and behind it zeros: no rule takes a zero, so every loop ends there. */
export const BODY: usize = 131072;
export const BODY_BYTES_MAX: i32 = 1048576;
export const ZEROS_BYTES: i32 = 64;

/** The body without what the exact path would leave out. */
export const REWRITTEN: usize = BODY + BODY_BYTES_MAX + 4096;

// A node: its kind, and what its kind needs.
export const INTEGER: i32 = 0; // 1 at 4 when it has limits, least f64 at 8, most f64 at 16
export const NUMBER: i32 = 1; // the same
export const TEXT: i32 = 2; // characters at least at 4, at most at 8, 1 at 12 when it is reported
export const ALPHABETIC: i32 = 3; // A to Z in any case: at least at 4, at most at 8
export const BOOLEAN: i32 = 4;
export const LIST: i32 = 5; // node of an item at 4, items at least at 8, at most at 12, 1 at 16: reported
export const OBJECT: i32 = 6; // bits of what must be there at 4, members from 8 to 12, two guesses at 16

/** Bytes of a node. */
export const NODE_BYTES: i32 = 24;

// A member of an object: node at 0, bit at 4, length of its name with quotes and colon at 8, and
// at 12 two guesses of the member that follows.
// The name with quotes and colon comes next, then zeros, then ones where the name is.
export const MEMBER_BYTES: i32 = 96;
export const MEMBER_NAME: usize = 32;
export const MEMBER_NAME_BYTES_MAX: i32 = 32;
export const MEMBER_MASK: usize = 64;
