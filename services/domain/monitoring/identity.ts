import type { CommandClaim, CommandIdentity } from '../../kernel/commands.ts';

/** What is kept of one key: its command, and who is appending it while the log may not have it. */
export interface CommandKeyRecord {
  readonly command_id: string;
  readonly body_hash: string;
  readonly claim?: {
    readonly id: string;
    readonly until_ms: number;
    /** True when an earlier claim ended without an answer: the log may have the command. */
    readonly isTakenOver: boolean;
  };
}

/** Who claims a key, and under which id its command goes to the log if the key is new. */
export interface CommandClaimant {
  readonly id: string;
  readonly command_id: string;
  readonly nowMs: number;
  readonly untilMs: number;
}

/**
 * A claim on a key. One that ended without an answer is taken over, and keeps its command id,
 * because the log may have the command already. With `isInDoubt` the store was rebuilt a moment
 * ago: it may not know yet what another gateway appended.
 */
export function claimCommand(
  kept: CommandKeyRecord | undefined, { body_hash }: CommandIdentity, by: CommandClaimant,
  isInDoubt: boolean,
): { readonly answer: CommandClaim; readonly record: CommandKeyRecord | undefined } {
  if (kept !== undefined && kept.body_hash !== body_hash) {
    return { answer: { kind: 'other_body', command_id: kept.command_id }, record: kept };
  }
  if (kept !== undefined && kept.claim === undefined) {
    return { answer: { kind: 'repeat', command_id: kept.command_id }, record: kept };
  }
  const isHeld = kept?.claim !== undefined && kept.claim.until_ms > by.nowMs;
  if (isHeld || (kept === undefined && isInDoubt)) return { answer: { kind: 'busy' }, record: kept };
  const isTakenOver = kept !== undefined;
  const command_id = kept?.command_id ?? by.command_id;
  return {
    answer: { kind: 'taken', command_id, isTakenOver },
    record: { command_id, body_hash, claim: { id: by.id, until_ms: by.untilMs, isTakenOver } },
  };
}

/** After a failure that the log certainly did not see: a key that was new is free again. */
export function releaseCommand(
  kept: CommandKeyRecord | undefined, claimId: string,
): CommandKeyRecord | undefined {
  if (kept?.claim?.id !== claimId) return kept;
  return kept.claim.isTakenOver ? { ...kept, claim: { ...kept.claim, until_ms: 0 } } : undefined;
}

/** A key as the log has it. Of two commands with one key the one issued first counts. */
export function foldCommandKey(
  kept: CommandKeyRecord | undefined, command_id: string, { body_hash }: CommandIdentity,
): CommandKeyRecord {
  const isFirst = kept === undefined || kept.claim !== undefined || command_id < kept.command_id;
  return isFirst ? { command_id, body_hash } : kept;
}
