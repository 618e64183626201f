const PLAIN_MAX = 0x7f;

// Headers are short and nearly always ASCII: a loop over them is cheaper than to ask the runtime.

/** Bytes of a text in UTF-8. */
export function textLength(text: string): number {
  return isPlain(text) ? text.length : Buffer.byteLength(text);
}

/** Writes a text in UTF-8 and returns the place after it; there must be room for it. */
export function writeText(target: Buffer, at: number, text: string): number {
  if (!isPlain(text)) return at + target.write(text, at);
  for (let index = 0; index < text.length; index += 1) target[at + index] = text.charCodeAt(index);
  return at + text.length;
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > PLAIN_MAX) return false;
  }
  return true;
}
