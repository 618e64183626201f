import type { ClientRecorded } from '../../kernel/access.ts';

/**
 * Folds the facts of one client, to the same end in whatever order they come: the newest version
 * counts. But no fact takes a revocation of all tokens back, not even one of the same version, and
 * none makes a sandbox client a real one.
 */
export function foldClient(
  kept: ClientRecorded | undefined, event: ClientRecorded,
): ClientRecorded {
  if (kept === undefined) return event;
  const [newer, older] = kept.version >= event.version ? [kept, event] : [event, kept];
  const { revocations = 0, sandbox } = older;
  const kind = sandbox === true && newer.sandbox !== true ? { ...newer, sandbox } : newer;
  return revocations > (newer.revocations ?? 0) ? { ...kind, revocations } : kind;
}
