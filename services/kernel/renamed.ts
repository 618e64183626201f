import { maySpell } from './near-name.ts';

const SHOWN_CHARACTERS_MAX = 40;
const SENT_MAX = 20;

/**
 * Which parameter of a query was sent in the place of one that is missing, as the end of a sentence
 * about that; empty where none was.
 */
export function renamed(query: Readonly<Record<string, string>>, missing: string): string {
  const sent = Object.keys(query).slice(0, SENT_MAX).find((name) => (
    name !== missing && name.length <= SHOWN_CHARACTERS_MAX && maySpell(name, missing)
  ));
  return sent === undefined ? '' : `; rename ${sent}`;
}
