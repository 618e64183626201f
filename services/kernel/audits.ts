import type { CommandAudited } from '../../schemas/generated/types.ts';

/** Which commands of operators are asked for; what is absent is not asked. */
export interface AuditFilter {
  /** Both ends belong to it; milliseconds since epoch. */
  readonly since_ms: number;
  readonly until_ms: number;
  readonly actor?: string | undefined;
  /** Beginnings of the names of commands, of which one fits; empty for all commands. */
  readonly commands: readonly string[];
  /** As the audit keeps it. */
  readonly subject?: string | undefined;
}

/** A command between two pages. */
export type AuditCursor = Pick<CommandAudited, 'at_ms' | 'audit_id'>;

/** One page of commands, the newest first, and where the next one begins. */
export interface AuditPage {
  readonly audits: readonly CommandAudited[];
  /** Undefined where none follows. */
  readonly next: AuditCursor | undefined;
}

/**
 * Who asked for which command on what, some seconds behind the log. Rejects with `Unavailable`
 * `sink_unavailable`.
 */
export interface Audits {
  /** At most so many, older than `after` where it is given. */
  find(filter: AuditFilter, after: AuditCursor | undefined, limit: number): Promise<AuditPage>;
}
