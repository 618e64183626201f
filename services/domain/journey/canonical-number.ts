import type { TrackingNumber } from '../../kernel/ids.ts';

/** Characters that no one sees: joiners, marks of direction, soft hyphens, selectors, fillers. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const CONTROL = /\p{Cc}/u;
const CHARACTERS_MAX = 255;
/** Upper case may bring back a form that is not the shortest; the second round ends that. */
const ROUNDS_MAX = 4;

/**
 * The form in which tracking numbers are compared: full-width characters as plain ones, in
 * upper case, without invisible characters and without blanks around them (decisions.md, Form of a
 * tracking number). A number of which nothing sensible would be left stays as it was sent.
 */
export function canonicalNumber(sent: string): TrackingNumber {
  const trimmed = sent.trim();
  let form = trimmed;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = simpler(form);
    if (next === form) break;
    form = next;
  }
  const isUsable = form !== '' && form.length <= CHARACTERS_MAX && !CONTROL.test(form);
  return isUsable ? form : trimmed;
}

/** True when two spellings name one shipment. */
export function isSameNumber(one: string, other: string): boolean {
  return canonicalNumber(one) === canonicalNumber(other);
}

function simpler(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '').toUpperCase().normalize('NFKC').trim();
}
