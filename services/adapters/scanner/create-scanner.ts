import type { ScanBody } from '../../kernel/body-scanner.ts';
import { instantiate } from './module.ts';
import { tablesOf, type Reported, type ScannedSchema } from './tables.ts';

// Places among the results of the module (source/scan.as), in words of 32 bits.
const TEXT_START = 0;
const TEXT_END = 1;
const ITEMS = 2;
const QUESTIONS = 3;

/**
 * Makes the scanner of bodies of one schema from the module's binary. Throws when the binary is no
 * scanner or the schema says more than a scanner understands.
 */
export function createScanner(
  binary: Uint8Array, schema: ScannedSchema, reported: Reported,
): ScanBody {
  const module = instantiate(binary);
  const { constant, scan } = module;
  const { buffer } = module.memory;
  const memory = new Uint8Array(buffer);
  memory.set(tablesOf(module, schema, reported), constant('TABLES'));
  const bodyAt = constant('BODY');
  const bodyBytesMax = constant('BODY_BYTES_MAX');
  const body = Buffer.from(buffer, bodyAt, bodyBytesMax);
  const rewrittenAt = constant('REWRITTEN');
  const results = new Int32Array(buffer, constant('RESULTS'), 4);
  const questions = new Int32Array(buffer, constant('QUESTIONS'));

  /** The numbers that the module could not decide, decided as the exact path does. */
  function areAllKept(count: number): boolean {
    if (count === 0) return true;
    // One text for all of them, because a call out of JavaScript for each costs more than slicing.
    const first = questions[0] ?? 0;
    const asked = body.toString('latin1', first, questions[2 * count - 1]);
    for (let at = 0; at < 2 * count; at += 2) {
      const text = asked.slice((questions[at] ?? 0) - first, (questions[at + 1] ?? 0) - first);
      const value = Number(text);
      if (Math.abs(value) > Number.MAX_SAFE_INTEGER || String(value) !== text) return false;
    }
    return true;
  }

  return function scanBody(bytes) {
    if (bytes.length > bodyBytesMax) return undefined;
    memory.set(bytes, bodyAt);
    const length = scan(bytes.length);
    if (length < 0 || !areAllKept(results[QUESTIONS] ?? 0)) return undefined;
    const canonical = length === 0
      ? bytes
      : Buffer.from(memory.subarray(rewrittenAt, rewrittenAt + length));
    return {
      deviceId: body.toString('latin1', results[TEXT_START], results[TEXT_END]),
      items: results[ITEMS] ?? 0,
      canonical,
    };
  };
}
