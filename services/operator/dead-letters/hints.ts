/** What to do about dead letters of a code; the view `v_dead_letters` says the same. */
const HINTS: Readonly<Record<string, string>> = {
  undecodable: 'The bytes are in no frame: find their writer; they cannot be replayed.',
  record_invalid:
    'The worker cannot read the value: check its schema, mend the code, replay.',
  sink_rejected: 'The table refuses a value: widen the column by a migration, then replay.',
  key_parked: 'A record before it waits: mend and replay that one, or release the key.',
};

const ELSE = 'See the code in the reference of errors, mend the cause, then replay.';

/** One sentence for the operator who repairs it. */
export function hintOf(code: string): string {
  return HINTS[code] ?? ELSE;
}

/** Codes with a hint of their own, for the tests. */
export const HINTED_CODES: readonly string[] = Object.keys(HINTS);
