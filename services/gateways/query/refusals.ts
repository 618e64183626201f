import type { Answer } from '../../kernel/http.ts';

/** The answer for a device that does not exist, or is another client's: the very same. */
export function noSuchDevice(): Answer {
  return { kind: 'refusal', code: 'device_not_found', detail: 'The caller has no such device.' };
}

/** The answer where the log holds no plausible fix. */
export function noPosition(): Answer {
  return { kind: 'refusal', code: 'position_not_found', detail: 'No position of it is known.' };
}
