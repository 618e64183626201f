import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { issueToken } from '../../../services/gateways/oauth/operations/issue-token.ts';
import { revokeToken } from '../../../services/gateways/oauth/operations/revoke-token.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import type { Model } from '../core/model.ts';
import type { SimProcess } from '../core/scheduler.ts';
import type { SimGateway, Simulation } from '../core/simulation.ts';
import { checkTokens, type KnownToken } from '../invariants/tokens.ts';
import {
  accessSource, NO_POSITIONS, SECRETS, seedAccount, type Account,
} from './accounts.ts';
import { workerPorts } from './ports.ts';

/** An operation that does nothing but let its caller in. */
const PROBE: Operation = {
  id: 'probe', method: 'GET', path: '/probe', authentication: 'bearer', audience: 'rtt',
  scope: 'any', bodyKind: 'none', bodyBytesMax: 0, needsCountry: false, errors: problemErrors,
  handle: async () => ({ kind: 'answer', status: 200, body: {} }),
};

/** Tokens: issued, used and revoked by several at once, while the store is wiped and rebuilt. */
export const tokensModel: Model = {
  name: 'tokens',
  mustAnswer: ['issue 200', 'revoke 200', 'use 200', 'use 403', 'use 500'],
  build(simulation) {
    const owner = seedAccount(simulation, 1, 'rtt', ['rtt:devices']);
    const known: KnownToken[] = [];
    simulation.keepGateways(2, (process) => gatewayOf(simulation, process));
    simulation.keepWorkers(
      'keeper', 2, [TOPICS.clients.name, TOPICS.tokens.name],
      (process) => createProjection('access', POISON_FLOOD_LIMITS, {
        ...simulation.states(process),
        ...workerPorts(simulation, process),
      }),
      (process) => ({ state: [accessSource(simulation, process)], lastFixes: NO_POSITIONS }),
    );
    for (const name of ['anna', 'bela', 'carl']) {
      simulation.client(name, (client) => behave(simulation, client, owner, known));
    }
    return { check: () => checkTokens(simulation, known) };
  },
};

function gatewayOf(simulation: Simulation, process: SimProcess): SimGateway {
  const { access, admission } = simulation.states(process);
  const clock = simulation.wire.clockOf(process);
  const ports = {
    states: access, log: simulation.append(process), clock,
  };
  return {
    operations: [issueToken({ ...ports, secrets: SECRETS }), revokeToken(ports), PROBE],
    admission,
    clock,
  };
}

async function behave(
  simulation: Simulation, client: SimProcess, owner: Account, known: KnownToken[],
): Promise<void> {
  const { dice } = simulation.scheduler;
  const ownRevoking = await issue(simulation, client, owner, 'revoke', []);
  for (let left = dice.between(3, 7); left > 0; left -= 1) {
    const subject = known.length === 0 ? undefined : dice.pick(known);
    const roll = dice.next();
    if (subject === undefined || roll < 0.25) await issue(simulation, client, owner, 'rtt', known);
    else if (roll < 0.5 && ownRevoking !== undefined) {
      await revoke(simulation, client, ownRevoking, subject);
    } else await use(simulation, client, subject);
  }
}

/** Asks again until there is an answer, as the contract wants, but not without end. */
async function issue(
  simulation: Simulation, client: SimProcess, { clientId, secret }: Account, audience: string,
  known: KnownToken[],
): Promise<KnownToken | undefined> {
  const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
  for (let left = 3; left > 0; left -= 1) {
    const name = `${client.name}-${simulation.scheduler.step()}`;
    const { status, body } = await simulation.call(client, {
      op: 'issue', operation: 'issue-token', args: { token: name },
      authorization: `Basic ${basic}`, body: { audience, grant_type: 'client_credentials' },
    });
    const token = body['access_token'];
    if (status !== 200 || typeof token !== 'string') continue;
    const issued = { name, token };
    known.push(issued);
    return issued;
  }
  return undefined;
}

async function revoke(
  simulation: Simulation, client: SimProcess, by: KnownToken, subject: KnownToken,
): Promise<void> {
  for (let left = 3; left > 0; left -= 1) {
    const { outcome } = await simulation.call(client, {
      op: 'revoke', operation: 'revoke-token', args: { token: subject.name, by: by.name },
      authorization: `Bearer ${by.token}`, body: { token: subject.token },
    });
    if (outcome !== 'info') break;
  }
  await use(simulation, client, subject);
}

async function use(simulation: Simulation, client: SimProcess, subject: KnownToken): Promise<void> {
  await simulation.call(client, {
    op: 'use', operation: 'probe', args: { token: subject.name },
    authorization: `Bearer ${subject.token}`,
  });
}
