import { catalogueAt, finalCodesOf, type CodeCatalogue } from '../../domain/journey/catalogue.ts';
import type { Clock, Pause } from '../../kernel/clock.ts';
import type { Signals } from '../../kernel/signals.ts';

/** Every version of the catalogue, that of the interface alone first. */
export type CodeVersions = readonly [CodeCatalogue, ...CodeCatalogue[]];

/** How fresh the versions must be that notifications are classified by. */
export interface CodesConfig {
  /**
   * Longest time since they were read, in milliseconds. Shorter than the time between the import of
   * a version and its first validity, so that no worker can classify by an older one.
   */
  readonly freshMs: number;
  /** Between two tries to read them while the log is away. */
  readonly pauseMs: number;
}

/** A worker knows a version five seconds before it holds at the latest; see `CODES_LEAD_MS`. */
export const CODES_LIMITS: CodesConfig = { freshMs: 5_000, pauseMs: 500 };

/** How often the gauge of final codes is set while no notification comes, in milliseconds. */
export const CODES_POLL_MS = 10_000;

/** What knowing the versions takes. */
export interface CodesPorts {
  readonly read: () => Promise<CodeVersions>;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly signals: Signals;
}

/** The catalogue as the log has it. */
export interface Codes {
  /** Reads it once, if the log is there. */
  poll(): Promise<void>;
  /** Reads it unless that was just done; waits while the log is away, and never guesses. */
  refresh(): Promise<void>;
  /** The version that held at the receipt of a notification; call {@link Codes.refresh} first. */
  at(receivedAtMs: number): CodeCatalogue;
}

/** Keeps the versions, and reports how many codes of the valid one end a shipment. */
export function createCodes(config: CodesConfig, ports: CodesPorts): Codes {
  const { clock, pause, signals } = ports;
  let versions: CodeVersions | undefined;
  let readAtMs = 0;

  async function read(): Promise<void> {
    const begunAtMs = clock.nowMs();
    const found = await ports.read();
    // A slower read that began before may not take back what is known by now.
    if (begunAtMs < readAtMs) return;
    versions = found;
    readAtMs = begunAtMs;
    signals.codesRead({ final_codes: finalCodesOf(catalogueAt(versions, begunAtMs)) });
  }

  async function isRead(): Promise<boolean> {
    try {
      await read();
      return true;
    } catch (error) {
      signals.codesReadFailed({ reason: error instanceof Error ? error.message : String(error) });
      return false;
    }
  }

  return {
    async poll() {
      await isRead();
    },
    async refresh() {
      if (versions !== undefined && clock.nowMs() - readAtMs < config.freshMs) return;
      while (!await isRead()) await pause(config.pauseMs);
    },
    at(receivedAtMs) {
      if (versions === undefined) throw new Error('The catalogue of codes was not read.');
      return catalogueAt(versions, receivedAtMs);
    },
  };
}
