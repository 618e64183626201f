/** What to do about letters of a code; the view `v_dead_letters` says the same. */
const HINTS: Readonly<Record<string, string>> = {
  undecodable: 'The bytes are in no frame: find out who wrote them; they cannot be put back.',
  record_invalid:
    'The worker cannot read the value: hold it to its schema, mend the code, redrive.',
  sink_rejected: 'The table refuses a value: widen the column by a migration, then redrive.',
  key_parked: 'A record before it waits: mend that one and redrive it, or release the key.',
};

const ELSE = 'See the code in the reference of errors, mend the cause, then redrive.';

/** One sentence for who has to repair it. */
export function hintOf(code: string): string {
  return HINTS[code] ?? ELSE;
}

/** Codes with a hint of their own, for the tests. */
export const HINTED_CODES: readonly string[] = Object.keys(HINTS);
