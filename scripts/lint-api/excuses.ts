/** A rule that does not hold here, or not below one place of a document, and why. */
export interface Excuse {
  readonly rule: string;
  /** Beginning of the places that are excused; without it all are. */
  readonly under?: string;
  readonly reason: string;
}

/** Everything that is excused. One that nothing needs any more fails the run. */
export const EXCUSES: readonly Excuse[] = [
  {
    rule: 'info-contact',
    reason: 'Whom to ask is a matter of each deployment; the document is the same in all.',
  },
  {
    rule: 'owasp:api2:2023-jwt-best-practices', under: '/components/securitySchemes/oauth2/',
    reason: 'A token is opaque, no JWT.',
  },
  {
    rule: 'owasp:api2:2023-short-lived-access-tokens', under: '/components/securitySchemes/oauth2/',
    reason: 'A token ends after six hours; with client credentials there is no token to refresh it by.',
  },
  {
    rule: 'owasp:api2:2023-no-http-basic', under: '/components/securitySchemes/basic',
    reason: 'Endpoint 2 takes client id and secret in the Basic header, as the interface says.',
  },
  ...['/docs', '/docs/api', '/openapi.json', '/problems/{code}'].flatMap((path): Excuse[] => [
    {
      rule: 'owasp:api2:2023-read-restricted', under: `/paths/${path}/`,
      reason: 'The document and its page are public, and hold nothing but the interface.',
    },
    {
      rule: 'owasp:api4:2023-rate-limit-responses-429', under: `/paths/${path}/`,
      reason: 'Without a client there is nothing to count by; the answer is made once and kept.',
    },
  ]),
  {
    rule: 'owasp:api4:2023-rate-limit-responses-429', under: '/paths//shipments/',
    reason: 'An authorization is never answered with 429 (docs/decisions.md).',
  },
  {
    rule: 'owasp:api4:2023-rate-limit-responses-429', under: '/paths//rtt/commands/',
    reason: 'The interface gives a provider no 429 for commands.',
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    reason: 'RateLimit headers go with what a quota was charged for, not with each 400 or 404.',
  },
  {
    rule: 'owasp:api4:2023-string-restricted',
    reason: 'Names, remarks and the ids of others have any form; ours have a pattern already.',
  },
  ...['string-limit', 'array-limit'].map((limit): Excuse => ({
    rule: `owasp:api4:2023-${limit}`, under: '/components/schemas/',
    reason: 'A body is bounded as a whole before it is read (1 MiB, 20 deep), and the interface'
      + ' wants texts of any length where it names none. What we answer is ours.',
  })),
  {
    rule: 'owasp:api4:2023-string-limit', under: '/components/headers/',
    reason: 'Headers of answers are written by us.',
  },
  {
    rule: 'owasp:api4:2023-string-limit', under: '/components/parameters/',
    reason: 'Address and head of a request are bounded together, to 8 KiB.',
  },
  {
    rule: 'owasp:api4:2023-string-limit', under: '/paths/',
    reason: 'A stream of events ends when either side ends it.',
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    reason: 'Machines call, no browser: without a CORS header no web page may call.',
  },
  {
    rule: 'owasp:api8:2023-define-error-responses-401',
    reason: 'RTT and commands answer 403 without a good token, as the interface says.',
  },
  {
    rule: 'asyncapi-info-contact',
    reason: 'Whom to ask is a matter of each deployment; the document is the same in all.',
  },
  {
    rule: 'asyncapi-latest-version',
    reason: 'A reader of 3.1 reads 3.0, but not the other way round.',
  },
  {
    rule: 'asyncapi-servers',
    reason: 'The brokers are a matter of each deployment.',
  },
];
