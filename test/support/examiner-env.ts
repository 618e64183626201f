import { openOutbound, type OutboundConfig } from '../../services/adapters/outbound/outbound.ts';
import { createVault } from '../../services/adapters/secrets/vault.ts';
import { systemClock, systemPause } from '../../services/adapters/system/system.ts';
import type { ClientId } from '../../services/kernel/ids.ts';
import type { AddressExamination } from '../../services/kernel/examinations.ts';
import type { Outbound } from '../../services/kernel/outbound.ts';
import type { PartyRecorded } from '../../services/kernel/parties.ts';
import { kitOver } from '../../services/workers/assemble-parties.ts';
import { EXAMINER_LIMITS } from '../../services/workers/parties/examinations/config.ts';
import { createExaminer, type PartyKit } from '../../services/workers/parties/examinations/examiner.ts';
import { aParty } from './command-facts.ts';
import { TEST_VAULT_KEY } from './command-sender-run.ts';
import { fakeSignals } from './fake-signals.ts';
import { fakeStates, type FakeStates } from './fake-states.ts';
import { memoryItemDefects } from './memory-defects.ts';

/** The client that is the party of these tests. */
export const PARTNER: ClientId = '100000000000042';

/** What a test of the examiner may change. */
export interface ExaminerWishes {
  /** The stores of a gateway that asks; by default stores of its own. */
  readonly states?: FakeStates;
  readonly outbound?: Partial<OutboundConfig>;
  readonly runMsMax?: number;
  /** In the place of the conformance kit. */
  readonly kit?: PartyKit;
  /** Stands between the examiner and the calls that it makes. */
  readonly around?: (call: Outbound) => Outbound;
}

/** The examiner over stores in memory, and real calls. */
export interface ExaminerEnv {
  readonly states: FakeStates;
  readonly crashes: readonly unknown[];
  /** Lines that were logged, as one text. */
  readonly lines: () => string;
  readonly vault: ReturnType<typeof createVault>;
  /** Records a party of the partner. */
  party(change: Partial<PartyRecorded>): Promise<PartyRecorded>;
  /** Asks for an examination, as the gateway does. */
  ask(partyId: string, clientId?: ClientId): Promise<void>;
  /** Takes what is asked for, and waits for its end. */
  poll(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
  newest(partyId: string): Promise<AddressExamination>;
}

/** Opens it; the caller stops it. */
export function openExaminerEnv(wishes: ExaminerWishes = {}): ExaminerEnv {
  const states = wishes.states ?? fakeStates();
  const crashes: unknown[] = [];
  const logged: unknown[] = [];
  const vault = createVault(TEST_VAULT_KEY);
  const { call, close } = openOutbound({
    allowsInsecure: false, allowsPrivate: false, timeoutMs: 10_000, answerBytesMax: 65_536,
    socketsMaxPerHost: 20, ...wishes.outbound,
  });
  const outbound = wishes.around?.(call) ?? call;
  const signals = fakeSignals({
    line: (_level, event, fields) => { logged.push([event, fields]); },
  });
  const runMsMax = wishes.runMsMax ?? EXAMINER_LIMITS.runMsMax;
  const examiner = createExaminer({ ...EXAMINER_LIMITS, pollMs: 10, runMsMax }, {
    outbound, vault, kit: wishes.kit ?? kitOver(outbound),
    examinations: states.examinations, parties: states.parties,
    itemDefects: memoryItemDefects(), clock: systemClock, pause: systemPause, signals,
    onCrash: (error) => { crashes.push(error); },
  });
  let runs = 0;
  return {
    states, crashes, vault,
    lines: () => JSON.stringify(logged),
    async party(change) {
      const party = aParty({ client_id: PARTNER, ...change });
      await states.parties.apply(party);
      return party;
    },
    async ask(partyId, clientId = PARTNER) {
      const run = `run${runs += 1}`;
      const asked = await states.examinations.ask({ partyId, clientId, country: 'UY', run });
      if (asked.kind !== 'asked') throw new Error(`not asked: ${asked.because}`);
    },
    poll: () => examiner.poll(),
    start: () => { examiner.start(); },
    async stop() {
      await examiner.stop();
      close();
    },
    async newest(partyId) {
      const [found] = await states.examinations.find([partyId]);
      if (found === undefined) throw new Error('no examination is there');
      return found;
    },
  };
}
