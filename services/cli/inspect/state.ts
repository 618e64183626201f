import { isUnavailable } from '../../kernel/unavailable.ts';
import type { InspectState, InspectedStates } from '../ports.ts';

/** What the state store said: `not_asked` without its address, else why it could not answer. */
export type Seen<Value> =
  | { readonly kind: 'seen'; readonly value: Value | undefined }
  | { readonly kind: 'not_asked' }
  | { readonly kind: 'away'; readonly code: string; readonly detail: string };

/** Asks the state store; a store that is away or being rebuilt is an answer too. */
export async function seenIn<Value>(
  inspectState: InspectState | undefined,
  inspect: (states: InspectedStates) => Promise<Value | undefined>,
): Promise<Seen<Value>> {
  if (inspectState === undefined) return { kind: 'not_asked' };
  try {
    return { kind: 'seen', value: await inspectState(inspect) };
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return { kind: 'away', code: error.code, detail: error.message };
  }
}

/** What is wrong when the store cannot be asked. */
export function problemsOfSeen(seen: Seen<unknown>): readonly string[] {
  return seen.kind === 'away' ? [`The state store does not answer: ${seen.detail}`] : [];
}
