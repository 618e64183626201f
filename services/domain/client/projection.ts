import type { ClientRecorded } from '../../kernel/access.ts';

/** The newest version of a client counts, in whatever order its facts come. */
export function foldClient(
  kept: ClientRecorded | undefined, event: ClientRecorded,
): ClientRecorded {
  return kept !== undefined && kept.version >= event.version ? kept : event;
}
