/** A kind of mistake that the review of the first hour tried, and its mark for that answer. */
export interface ReviewedMistake {
  readonly mistake: string;
  readonly answer: string;
  readonly mark: 'A' | 'B' | 'C';
}

const row = (mark: 'A' | 'B' | 'C', mistake: string, answer: string): ReviewedMistake => (
  { mark, mistake, answer }
);

/**
 * The review of 2026-11-22 (commit 7abee5f): some 115 wrong calls in these groups. "A": one
 * knows at once what to correct; "B": after reading in the documents; "C": misleading or silent.
 */
export const REVIEW = {
  milliseconds: row('A', 'milliseconds for seconds', '"looks like milliseconds; send seconds since 1970."'),
  json: row('A', 'NaN, single quotes, trailing comma, byte order mark, key twice, cut off', 'what and where'),
  limits: row('A', 'too many or too much of something', 'the limit'),
  enum: row('A', 'a value outside a list', 'all values'),
  date: row('A', 'a date-time without offset', 'the rule and a sample'),
  media: row('A', 'content type, charset, encoding', '"must be …"'),
  bbox: row('A', 'no box', '"minLon,minLat,maxLon,maxLat"'),
  scope: row('A', 'a missing scope', 'the scope'),
  many: row('B', '60 items with two faults each', '50 faults, not that there are more'),
  type: row('B', 'date text, decimal comma, number as text', '"must be a number.", not what it got'),
  null: row('B', 'null for an optional member', '"must be a number."'),
  neighbours: row('B', '`lat`, `deviceId`, flat `transport_id`', 'what is missing, not what was sent'),
  pattern: row('B', 'country, phone, Base64 id of a wrong form', 'a raw regular expression'),
  token: row('B', 'no token, another scheme, a JWT, garbage', '"A valid access token is needed."'),
  audience: row('B', 'a token for another audience', 'that it is another one, not which is needed'),
  empty: row('B', 'an empty body', '"The text ends too early (byte 1)."'),
  encoding: row('B', 'gzip that is not said, UTF-16', '"not valid UTF-8"'),
  because: row('B', 'a code without what it demands', 'what is missing, not because of which code'),
  plural: row('B', 'a list or a text that is too short', '"at least 1 items", "1 characters"'),
  route: row('C', 'a slash at the end, another method, a version, another spelling', 'one 404 sentence for all'),
  country: row('C', 'a country in lower case', '"not one of the countries served here"'),
  stray: row('B', 'a parameter of another name', 'what is missing, not what was sent'),
  shared: row('C', 'a delivery without a device', 'the pointer of the unusual place'),
  provider: row('B', 'the provider of another client', '"The provider of the path is not one of the caller."'),
  silent: row('C', 'swapped coordinates, unknown members, negative speed, 0,0, bearing 400', '202 and no word'),
} as const satisfies Record<string, ReviewedMistake>;

/** The name of a row of {@link REVIEW}. */
export type ReviewGroup = keyof typeof REVIEW;
