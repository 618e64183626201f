import type { CommandAudited } from '../../../schemas/generated/types.ts';
import {
  addOption, pathOf, runnableCommands, type NamedCommand,
} from '../../adapters/command-line/named-command.ts';
import type { Command } from '../../adapters/command-line/command-line.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Secrets } from '../../kernel/secrets.ts';
import { appendAudit, type AuditLogPorts } from '../../operator/audit/append-audit.ts';
import { auditedSubject } from '../../operator/audit/subjects.ts';
import { AUDIT_RULES, type AuditRule } from './rules.ts';

/** Writes the audit of one command; rejects when that is not durable. */
export type WriteAudit = (asked: CommandToAudit) => Promise<void>;

/** What writing the audit takes. */
export interface AuditPorts extends AuditLogPorts {
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'hash'>;
}

/** A command that the audit must hold before it acts. */
export interface CommandToAudit {
  readonly call: NamedCommand;
  readonly rule: AuditRule;
  readonly actor: string;
  readonly actorFrom: CommandAudited['actor_from'];
  readonly reason?: string;
}

/** Who asks for a command unless an option says it. */
export interface ActorSources {
  /** RASTRO_ACTOR. */
  readonly setting: string | undefined;
  /** User and host of the operating system. */
  readonly system: string;
}

const APPEND_MS_MAX = 15_000;
const REASON_CHARACTERS_MAX = 200;
const ACTOR = /^[A-Za-z0-9_.@+\\:-]{1,128}$/;

/** Adds `--actor` and `--reason` to every command at and below one that is audited. */
export function addAuditOptions(command: Command): void {
  for (const each of runnableCommands(command)) {
    const rule = AUDIT_RULES[pathOf(each)];
    if (rule === undefined || 'unaudited' in rule) continue;
    addOption(each, '--actor <name>', 'who asks for this (RASTRO_ACTOR, else user@host)');
    const isNeeded = rule.needsReason({ path: pathOf(each), words: [], options: {} });
    addOption(each, '--reason <text>', isNeeded
      ? 'why, such as a ticket; no name of a person (required)' : 'why, for people');
  }
}

/**
 * What the audit of a call will hold: undefined where it is not audited, a sentence where actor or
 * reason is missing or wrong. Throws for a command without a rule, which must not run.
 */
export function commandToAudit(
  call: NamedCommand, { setting, system }: ActorSources,
): CommandToAudit | string | undefined {
  const rule = AUDIT_RULES[call.path];
  if (rule === undefined) {
    throw new Error(`rastro ${call.path} has no row in services/cli/audit/rules.ts.`);
  }
  if ('unaudited' in rule) return undefined;
  const { actor: named, reason } = call.options as { actor?: string; reason?: string };
  const actor = named ?? setting ?? system;
  if (!ACTOR.test(actor)) {
    return 'The actor (--actor or RASTRO_ACTOR) takes up to 128 of A-Z, a-z, 0-9 and _.@+\\:-.';
  }
  if (rule.needsReason(call) && reason === undefined) {
    return `rastro ${call.path} needs --reason, such as the number of a ticket.`;
  }
  if (reason !== undefined && (reason.trim() === '' || reason.length > REASON_CHARACTERS_MAX)) {
    return `--reason takes 1 to ${REASON_CHARACTERS_MAX} characters.`;
  }
  return {
    call, rule, actor,
    actorFrom: named !== undefined ? 'option' : setting !== undefined ? 'setting' : 'system',
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Makes what appends the audit of a command, on all in-sync replicas before it returns. */
export function createWriteAudit({ log, clock, ids, secrets }: AuditPorts): WriteAudit {
  return async ({ call, rule, actor, actorFrom, reason }) => {
    const at_ms = clock.nowMs();
    const subject = rule.subject(call);
    try {
      await appendAudit({ log, ids }, {
        actor, actor_from: actorFrom,
        command: rule.named?.(call) ?? call.path, touches: rule.touches,
        subject: subject === undefined ? '' : auditedSubject(secrets, subject),
        ...(reason === undefined ? {} : { reason }), at_ms,
      }, at_ms + APPEND_MS_MAX);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`Nothing was done, because rastro ${call.path} could not be audited: ${why}`,
        { cause: error });
    }
  };
}
