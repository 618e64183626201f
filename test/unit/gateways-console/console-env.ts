import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { decideLink } from '../../../services/domain/token/session.ts';
import { endSession } from '../../../services/gateways/console/operations/end-session.ts';
import { openSession, type BrowserSessionPorts } from '../../../services/gateways/console/operations/open-session.ts';
import { showSession } from '../../../services/gateways/console/operations/show-session.ts';
import type { ClientRecorded } from '../../../services/kernel/access.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { tokenText } from '../../../services/kernel/shards.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakeStates, type FakeStates } from '../../support/fake-states.ts';

export const CLIENT: ClientRecorded = {
  type: 'ClientRecorded', client_id: '100000000000001', user_id: '7', name: 'Acme', providers: ['acme'],
  audiences: ['rtt', 'revoke', 'tracking-pull'], scopes: ['query:read'], secrets: [], status: 'active',
  version: 1, at_ms: 0,
};

/** Sessions over a store and a log in memory. */
export interface ConsoleEnv {
  readonly states: FakeStates;
  readonly log: FakeRecordLog;
  readonly operations: readonly Operation[];
  /** The clock of all of it. */
  readonly time: { nowMs: number };
  /** Makes a link as the command line does; gives its token. */
  link(client?: ClientRecorded): Promise<string>;
}

export async function consoleEnv(): Promise<ConsoleEnv> {
  let links = 0;
  const log = fakeRecordLog();
  const time = { nowMs: Date.now() };
  const clock = { nowMs: () => time.nowMs };
  const states = fakeStates({}, clock);
  const ports: BrowserSessionPorts = { states: states.access, log, clock, country: 'BR' };
  await states.access.applyClient(CLIENT);
  return {
    log, states, time, operations: [openSession(ports), showSession(ports), endSession(ports)],
    async link(client = CLIENT) {
      links += 1;
      const token = tokenText(client.client_id, `link-${links}`.padEnd(43, 'x'));
      const decision = decideLink(client, sha256(token), time.nowMs);
      if (decision.kind !== 'happened') throw new Error(`No link: ${JSON.stringify(decision)}`);
      await states.access.applyTokens(decision.events);
      return token;
    },
  };
}
