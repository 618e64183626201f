import type { Clock, Pause } from '../kernel/clock.ts';
import type { ExaminedCheck, ExaminerToken } from '../kernel/examinations.ts';
import type { Outbound } from '../kernel/outbound.ts';
import type { Schemas } from '../kernel/schemas.ts';
import { checksOf } from './all-checks.ts';
import type { Check, Role } from './check.ts';
import { createPartyTalk } from './party-talk.ts';
import { createPatientTalk } from './patience.ts';
import { verdictOf } from './profiles.ts';
import { runChecks, type Result } from './run-checks.ts';
import { CannotAsk, endOf } from './run-ends.ts';
import { createSession } from './session.ts';

/** A registered party, as it is examined. */
export interface ExaminedParty {
  readonly role: Exclude<Role, 'receiver'>;
  readonly target: string;
  readonly country: string;
  /** True when the platform fetches its notifications. */
  readonly hasFeed: boolean;
  /** Makes the names of this run unlike those of every other one. */
  readonly run: string;
  readonly secondsMax: number;
}

/** What an examination of a party needs from outside. */
export interface PartyKitPorts {
  /** Makes calls under the rules of parties: their addresses, size and time. */
  readonly outbound: Outbound;
  /** Ends the run; its reason is a sentence, or that of a time that is over. */
  readonly stop: AbortSignal;
  readonly schemas: Schemas;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly tokenOf: (audience: string) => Promise<ExaminerToken>;
  /** Gets each check as it is made. */
  readonly onCheck: (check: ExaminedCheck) => Promise<void>;
}

const REASONS_MAX = 5;
const REASON_CHARACTERS_MAX = 300;

/** How many checks there are for a party. */
export function countChecks(party: Pick<ExaminedParty, 'role' | 'hasFeed'>): number {
  return checksFor(party).length;
}

/**
 * Makes the checks of its role at the address of a party, as the command line does, but through the
 * calls and with the credentials that are registered for it. Gives why it was stopped, if it was.
 */
export async function examineParty(
  party: ExaminedParty, ports: PartyKitPorts,
): Promise<string | undefined> {
  const { clock, schemas, outbound, tokenOf, onCheck } = ports;
  const sent = new Set<string>();
  const ended = endOf(ports.stop);
  const pause: Pause = (ms) => Promise.race([ended, ports.pause(ms)]);
  const { talk } = createPatientTalk({ deadlineSeconds: party.secondsMax, tokensPerMinute: 0 }, {
    talk: createPartyTalk(party.target, { outbound, ended, sent }), clock, pause,
  });
  async function takeToken(audience: string): Promise<string> {
    const found = await tokenOf(audience);
    if (found.kind === 'token') {
      sent.add(found.token);
      return found.token;
    }
    throw found.isOurs ? new CannotAsk(found.why) : new Error(found.why);
  }
  const session = createSession(
    { clientId: '', clientSecret: '', provider: '', country: party.country },
    { talk, clock, pause, schemas, run: party.run, takeToken },
  );
  const { stopped } = await runChecks(
    checksFor(party), session, (result) => onCheck(checkOf(result)),
  );
  return stopped;
}

function checksFor({ role, hasFeed }: Pick<ExaminedParty, 'role' | 'hasFeed'>): readonly Check[] {
  return checksOf(role).filter(({ id }) => hasFeed || !id.startsWith('feed-'));
}

/** What a check says in few words: what fails it, and what is advice with its remark. */
function checkOf(result: Result): ExaminedCheck {
  const { check: { id, title, level }, outcome } = result;
  const { kind, failures, advice } = verdictOf(result, 'interface');
  const reasons = [
    ...(outcome.kind === 'skipped' ? [outcome.reason] : []),
    ...failures.map(({ text }) => text),
    ...advice.map(({ text, remark }) => (remark === undefined ? text : `${remark} (${text})`)),
  ];
  return {
    id, title, level, outcome: kind,
    reasons: reasons.slice(0, REASONS_MAX).map((text) => text.slice(0, REASON_CHARACTERS_MAX)),
  };
}
