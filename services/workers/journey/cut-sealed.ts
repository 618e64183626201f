import { STEP_BYTES } from '../../kernel/steps.ts';

/** What a sealed text becomes that was cut out: it follows the schema as well. */
export const CUT_SEALED = 'A'.repeat(38);

const BEGIN = Buffer.from('"sealed":"');
const END = Buffer.from('"}}');
const QUOTE = 0x22;
/** Reading these as Base64 for URLs would forgive what the schema does not. */
const FORGIVEN = ['+', '/', '=', '\\'];
const GROUP_CHARACTERS = 4;
const GROUP_BYTES = 3;
const decoded = Buffer.alloc(STEP_BYTES / GROUP_CHARACTERS * GROUP_BYTES);

/**
 * The value of a record without the long sealed text that it ends with: megabytes that need not be
 * parsed to be put back unread. Undefined when it has none that can be cut out so. In JSON a quote
 * inside a text is escaped, so that what begins and ends here is a member.
 */
export function withoutSealed(value: Buffer): Buffer | undefined {
  const end = value.length - END.length;
  if (value.length < STEP_BYTES || value.compare(END, 0, END.length, end) !== 0) return undefined;
  for (let at = value.indexOf(BEGIN); at >= 0;) {
    const from = at + BEGIN.length;
    const to = value.indexOf(QUOTE, from);
    if (to === end) {
      return isBase64Url(value.subarray(from, to)) ? Buffer.concat([
        value.subarray(0, from), Buffer.from(CUT_SEALED), value.subarray(to),
      ]) : undefined;
    }
    at = value.indexOf(BEGIN, to);
  }
  return undefined;
}

function isBase64Url(text: Buffer): boolean {
  if (FORGIVEN.some((mark) => text.includes(mark))) return false;
  for (let from = 0; from < text.length; from += STEP_BYTES) {
    const piece = text.subarray(from, from + STEP_BYTES);
    const bytes = decoded.write(piece.toString('latin1'), 'base64url');
    if (bytes !== Math.floor(piece.length * GROUP_BYTES / GROUP_CHARACTERS)) return false;
  }
  return true;
}
