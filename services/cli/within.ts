import type { Command, Define, Does } from '../adapters/command-line/command-line.ts';
import { namedCommand } from '../adapters/command-line/named-command.ts';
import { commandToAudit, type WriteAudit } from './audit/record-command.ts';
import { misuse } from './noun.ts';
import type { Report } from './ports.ts';

/** What the process that runs the command line knows. */
export interface CommandEnv {
  readonly env: NodeJS.ProcessEnv;
  readonly asJson: boolean;
  /** Prints a report now, for a command that prints more than one. */
  readonly print: (report: Report) => void;
  /** User and host of the operating system. */
  readonly osUser: string;
}

/** Declares a command of `rastro` with the opening of its ports, or all of them. */
export type Program = Define<CommandEnv, Report>;

/** Ports of a command, and how to let them go. */
export interface Opened<Ports> {
  readonly ports: Ports;
  /** Absent where no command is audited. */
  readonly writeAudit?: WriteAudit;
  readonly close: () => Promise<void>;
}

/** Opens the ports of a command. */
export type Open<Ports> = (around: CommandEnv) => Opened<Ports> | Promise<Opened<Ports>>;

/**
 * Opens the ports of a command and closes them behind it. The one way into every command: what is
 * audited is in the log before the command acts, or it does not act.
 */
export function within<Ports>(
  open: Open<Ports>, does: Does<CommandEnv, Report>,
): Does<Ports, Report> {
  return (work) => does(async (around, ...given) => {
    const asked = commandToAudit(
      namedCommand(given.at(-1) as Command),
      { setting: around.env['RASTRO_ACTOR'], system: around.osUser },
    );
    if (typeof asked === 'string') return misuse(asked);
    const { ports, writeAudit, close } = await open(around);
    try {
      if (asked !== undefined) await auditedBy(writeAudit)(asked);
      return await work(ports, ...given);
    } finally {
      await close();
    }
  });
}

function auditedBy(writeAudit: WriteAudit | undefined): WriteAudit {
  if (writeAudit !== undefined) return writeAudit;
  throw new Error('This command opens nothing that could audit it.');
}
