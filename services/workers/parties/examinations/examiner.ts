import { isInProgress } from '../../../domain/examination/examination.ts';
import { isOwnParty } from '../../../domain/examination/own-parties.ts';
import type {
  AddressExamination, Examinations, ExaminedCheck, ExaminerToken,
} from '../../../kernel/examinations.ts';
import type { Parties, PartyRecorded } from '../../../kernel/parties.ts';
import { createDueRunner, type DueRunner, type DueRunnerPorts } from '../common/due-runner.ts';
import type { DueItem, Next, PartyQueue } from '../common/due-work.ts';
import type { PartyTokenPorts } from '../common/party-tokens.ts';
import type { ExaminerConfig } from './config.ts';
import { registeredTokens } from './registered-tokens.ts';

/** One run, as the conformance kit is handed it. */
export interface PartyRun {
  readonly party: PartyRecorded;
  readonly examination: AddressExamination;
  readonly secondsMax: number;
  readonly stop: AbortSignal;
  readonly tokenOf: (audience: string) => Promise<ExaminerToken>;
  readonly onCheck: (check: ExaminedCheck) => Promise<void>;
}

/** The checks of the conformance kit. */
export interface PartyKit {
  readonly count: (party: PartyRecorded) => number;
  /** Makes them; gives why it was stopped, if it was. */
  readonly run: (run: PartyRun) => Promise<string | undefined>;
}

/** What the examiner works with. */
export interface ExaminerPorts extends DueRunnerPorts, Omit<PartyTokenPorts, 'clock' | 'signals'> {
  readonly examinations: Examinations;
  readonly parties: Pick<Parties, 'find'>;
  readonly kit: PartyKit;
}

interface Due extends DueItem {
  readonly party: PartyRecorded;
  readonly examination: AddressExamination;
}

/** The end of a run: why it was stopped, if it was. */
interface RunEnd {
  readonly stopped: string | undefined;
}

const INTERRUPTED = 'the run was interrupted; ask for another one';
const TOO_LATE = 'no process took it in time; ask for another one';
const NOT_CALLED = 'the platform does not call this party for the client any more';
const LEAVING = 'the process that examined was stopped; ask for another one';
const DONE: Next<never> = { dueMs: undefined };

/**
 * Examines the addresses of parties that a client asked for. A run is made once: what a process
 * began and did not end is not begun again, as the party has had its calls. A stop ends runs early.
 */
export function createExaminer(config: ExaminerConfig, ports: ExaminerPorts): DueRunner {
  const { examinations, parties, clock, signals, kit } = ports;
  const leaving = new AbortController();

  const queue: PartyQueue<Due> = {
    takeDue: (nowMs, leaseMs, max) => examinations.takeDue(nowMs, leaseMs, max),
    reschedule,
    onFailed: (id, { code, stage }) => signals.examinationFailed({ id, code, stage }),
    async load(partyId) {
      const [examination] = await examinations.find([partyId]);
      if (examination === undefined || examination.endedAtMs !== undefined) return DONE;
      if (!isInProgress(examination, clock.nowMs())) return endNow(examination, TOO_LATE);
      const party = await parties.find(partyId);
      return party === undefined || !isOwnParty(party, examination.clientId)
        ? endNow(examination, NOT_CALLED)
        : { partyId, party, examination };
    },
  };
  const queues = Promise.resolve([queue]);

  /** A party for which another run was asked for meanwhile stays in the queue. */
  async function reschedule(partyId: string, { dueMs }: Next<never>): Promise<void> {
    await examinations.reschedule(partyId, dueMs);
    if (dueMs !== undefined) return;
    const [newest] = await examinations.find([partyId]);
    if (newest === undefined || newest.startedAtMs !== undefined) return;
    if (newest.endedAtMs === undefined) await examinations.reschedule(partyId, clock.nowMs());
  }

  async function endNow(examination: AddressExamination, why: string): Promise<Next<never>> {
    await examinations.end(examination, why);
    return DONE;
  }

  async function request({ party, examination }: Due): Promise<RunEnd> {
    // Another process began it, and did not end it within its lease.
    if (!await examinations.begin(examination, kit.count(party))) return { stopped: INTERRUPTED };
    const stopped = await kit.run({
      party, examination,
      secondsMax: config.runMsMax / 1_000,
      stop: AbortSignal.any([leaving.signal, AbortSignal.timeout(config.runMsMax)]),
      tokenOf: registeredTokens(party, ports),
      onCheck: (check) => examinations.add(examination, check),
    });
    return { stopped };
  }

  async function record({ examination }: Due, { stopped }: RunEnd): Promise<Next<never>> {
    await examinations.end(examination, stopped);
    return DONE;
  }

  const runner = createDueRunner('parties.examinations', config, {
    queues: () => queues, request, record,
    onPolled: (inFlight) => signals.examinationsInFlight({ in_flight: inFlight }),
    onPollFailed: ({ code, stage }) => signals.examinerPollFailed({ code, stage }),
  }, ports);
  return {
    ...runner,
    stop() {
      leaving.abort(LEAVING);
      return runner.stop();
    },
  };
}
