import type { CommandClaim, CommandIdentity } from '../../kernel/commands.ts';
import type { Digest } from '../../kernel/digest.ts';
import { uuidOf } from '../../kernel/uuid.ts';

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

/** Who claims a key, and for which command. */
export interface CommandClaimant {
  readonly id: string;
  readonly command_id: string;
  readonly nowMs: number;
  readonly untilMs: number;
}

/**
 * The id of a command with a key: every gateway gives it the same, also one that cannot know of
 * the other because the state store was lost in between. Readers count the first record of
 * an id, so such a command is in the log once for all of them.
 */
export function commandIdOf(digest: Digest, { key_hash, body_hash }: CommandIdentity): string {
  return uuidOf(digest(`command\0${key_hash}\0${body_hash}`));
}

/**
 * A claim on a key. One that ended without an answer is taken over, and the log may have the
 * command already.
 */
export function claimCommand(
  kept: CommandKeyRecord | undefined, { body_hash }: CommandIdentity, by: CommandClaimant,
): { readonly answer: CommandClaim; readonly record: CommandKeyRecord | undefined } {
  if (kept !== undefined && kept.body_hash !== body_hash) {
    return { answer: { kind: 'other_body', command_id: kept.command_id }, record: kept };
  }
  if (kept !== undefined && kept.claim === undefined) {
    return { answer: { kind: 'repeat', command_id: kept.command_id }, record: kept };
  }
  const isHeld = kept?.claim !== undefined && kept.claim.until_ms > by.nowMs;
  if (isHeld) return { answer: { kind: 'busy' }, record: kept };
  const { id, command_id, untilMs } = by;
  const isTakenOver = kept !== undefined;
  return {
    answer: { kind: 'taken' },
    record: { command_id, body_hash, claim: { id, until_ms: untilMs, isTakenOver } },
  };
}

/** After a failure that the log certainly did not see: a key that was new is free again. */
export function releaseCommand(
  kept: CommandKeyRecord | undefined, claimId: string,
): CommandKeyRecord | undefined {
  if (kept?.claim?.id !== claimId) return kept;
  return kept.claim.isTakenOver ? { ...kept, claim: { ...kept.claim, until_ms: 0 } } : undefined;
}

/**
 * A key as the log has it. Two bodies under one key, which only a loss of the store can let pass,
 * are two commands: the one with the least id keeps the key, whichever is read first.
 */
export function foldCommandKey(
  kept: CommandKeyRecord | undefined, command_id: string, { body_hash }: CommandIdentity,
): CommandKeyRecord {
  const isFirst = kept === undefined || kept.claim !== undefined || command_id < kept.command_id;
  return isFirst ? { command_id, body_hash } : kept;
}
