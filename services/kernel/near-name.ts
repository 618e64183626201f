/** Names that are longer are no typing errors, and comparing them would cost. */
const CHARACTERS_MAX = 64;
/** So many of four characters may be wrong, and never more than three. */
const CHARACTERS_PER_FAULT = 4;
const FAULTS_MAX = 3;
/** A shorter one begins too many names. */
const BEGINNING_MIN = 3;
const ENDING_MIN = 4;

/**
 * The one of `known` that was meant by `sent`: the same but for capitals and the marks between
 * words, or with few wrong characters. Undefined where none is near.
 */
export function nearName(sent: string, known: Iterable<string>): string | undefined {
  const asked = plain(sent);
  let best: string | undefined;
  let bestFaults = Infinity;
  for (const name of known) {
    const other = plain(name);
    if (Math.abs(asked.length - other.length) > faultsMax(other)) continue;
    const faults = editDistance(asked, other);
    if (faults >= bestFaults || faults > faultsMax(other)) continue;
    best = name;
    bestFaults = faults;
  }
  return best;
}

/**
 * True when `sent` may be another spelling of the member `name`: near to it, its beginning or its
 * ending (`lat`, `country`, `plate`), it with something before or after it (`access_token`), or
 * its abbreviation (`lng`).
 */
export function maySpell(sent: string, name: string): boolean {
  if (nearName(sent, [name]) !== undefined) return true;
  const [asked, other] = [plain(sent), plain(name)];
  const [shorter, longer] = asked.length < other.length ? [asked, other] : [other, asked];
  if (longer.length > CHARACTERS_MAX) return false;
  return (shorter.length >= BEGINNING_MIN && longer.startsWith(shorter))
    || (shorter.length >= ENDING_MIN && longer.endsWith(shorter))
    || isAbbreviation(asked, other);
}

/**
 * How many characters have to be put in, taken out or changed, or exchanged with the next one; the
 * names are short.
 */
export function editDistance(one: string, other: string): number {
  if (Math.max(one.length, other.length) > CHARACTERS_MAX) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let left = 0; left < one.length; left += 1) {
    const next = [left + 1];
    for (let right = 0; right < other.length; right += 1) {
      const isSame = one[left] === other[right];
      const isExchanged = left > 0 && right > 0
        && one[left] === other[right - 1] && one[left - 1] === other[right];
      next.push(Math.min(
        (row[right] ?? 0) + (isSame ? 0 : 1), (row[right + 1] ?? 0) + 1, (next[right] ?? 0) + 1,
        isExchanged ? (before[right - 1] ?? 0) + 1 : Infinity,
      ));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

function faultsMax(name: string): number {
  return Math.min(FAULTS_MAX, Math.floor(name.length / CHARACTERS_PER_FAULT));
}

/** Without what conventions of writing differ in: `deviceId`, `device-id`, `DEVICE_ID`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** `lng`: the first character and then some of the others, no vowel among them. */
function isAbbreviation(asked: string, name: string): boolean {
  if (asked.length < BEGINNING_MIN || asked[0] !== name[0] || /[aeiou]/.test(asked.slice(1))) {
    return false;
  }
  let at = 0;
  for (const character of name) if (character === asked[at]) at += 1;
  return at === asked.length;
}
