/** Deepest nesting of a JSON body (decisions.md, Limits). */
export const BODY_DEPTH_MAX = 20;

/** Most values of a JSON body: scalars, lists and objects (decisions.md, Limits). */
export const BODY_VALUES_MAX = 150_000;

/** Most names of members of a JSON body that differ; each new one costs the most. */
export const BODY_NAMES_MAX = 2_000;

/** Longest name of a member of a JSON body, in bytes as it is written (decisions.md, Limits). */
export const BODY_NAME_BYTES_MAX = 65_536;

/** Largest body in bytes after decompression, except notifications (decisions.md, Limits). */
export const BODY_BYTES_MAX = 1_048_576;

/** Largest body of notifications, which carry images (decisions.md, Limits). */
export const NOTIFICATIONS_BYTES_MAX = 6_291_456;

/**
 * Bytes of a body that each call includes; what it has beyond them counts against the bytes of its
 * client (docs/reference/limits.md). So small posts are limited by their number alone.
 */
export const CALL_BYTES_INCLUDED = 16_384;

/** Most faults that one answer lists (decisions.md, Partial batches). */
export const LISTED_FAULTS_MAX = 50;

/** Seconds that a caller waits after a 429 (interface, Limits). */
export const THROTTLED_RETRY_AFTER_SECONDS = 300;

/** Seconds of life of an access token (interface, Limits). */
export const TOKEN_LIFETIME_SECONDS = 21_600;

/** A fix further ahead of its receipt than this never becomes a last position, in seconds. */
export const FUTURE_TOLERANCE_SECONDS = 300;

/** Number of Redis shards, each with its own hash tag and ready mark. */
export const SHARDS = 64;
