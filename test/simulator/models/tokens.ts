import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { issueToken } from '../../../services/gateways/oauth/operations/issue-token.ts';
import { revokeToken } from '../../../services/gateways/oauth/operations/revoke-token.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import type { Model } from '../core/model.ts';
import type { Process } from '../core/scheduler.ts';
import type { Gateway, World } from '../core/world.ts';
import { judgeTokens, type KnownToken } from '../invariants/tokens.ts';
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
  build(world) {
    const owner = seedAccount(world, 1, 'rtt', ['rtt:devices']);
    const known: KnownToken[] = [];
    world.keepGateways(2, (process) => gatewayOf(world, process));
    world.keepWorkers(
      'keeper', 2, [TOPICS.clients.name, TOPICS.tokens.name],
      (process) => createProjection('access', POISON_FLOOD_LIMITS, {
        ...workerPorts(world, process),
        access: world.states(process).access,
        parties: world.states(process).parties,
      }),
      (process) => ({ state: [accessSource(world, process)], lastFixes: NO_POSITIONS }),
    );
    for (const name of ['anna', 'bela', 'carl']) {
      world.client(name, (client) => behave(world, client, owner, known));
    }
    return { judge: () => judgeTokens(world, known) };
  },
};

function gatewayOf(world: World, process: Process): Gateway {
  const { access, admission } = world.states(process);
  const clock = world.wire.clockOf(process);
  const ports = {
    states: access, log: world.append(process), clock,
  };
  return {
    operations: [issueToken({ ...ports, secrets: SECRETS }), revokeToken(ports), PROBE],
    admission,
    clock,
  };
}

async function behave(
  world: World, client: Process, owner: Account, known: KnownToken[],
): Promise<void> {
  const { dice } = world.scheduler;
  const ownRevoking = await issue(world, client, owner, 'revoke', []);
  for (let left = dice.between(3, 7); left > 0; left -= 1) {
    const subject = known.length === 0 ? undefined : dice.pick(known);
    const roll = dice.next();
    if (subject === undefined || roll < 0.25) await issue(world, client, owner, 'rtt', known);
    else if (roll < 0.5 && ownRevoking !== undefined) {
      await revoke(world, client, ownRevoking, subject);
    } else await use(world, client, subject);
  }
}

/** Asks again until there is an answer, as the contract wants, but not for ever. */
async function issue(
  world: World, client: Process, { clientId, secret }: Account, audience: string,
  known: KnownToken[],
): Promise<KnownToken | undefined> {
  const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
  for (let left = 3; left > 0; left -= 1) {
    const name = `${client.name}-${world.scheduler.step()}`;
    const { status, body } = await world.call(client, {
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
  world: World, client: Process, by: KnownToken, subject: KnownToken,
): Promise<void> {
  for (let left = 3; left > 0; left -= 1) {
    const { outcome } = await world.call(client, {
      op: 'revoke', operation: 'revoke-token', args: { token: subject.name, by: by.name },
      authorization: `Bearer ${by.token}`, body: { token: subject.token },
    });
    if (outcome !== 'info') break;
  }
  await use(world, client, subject);
}

async function use(world: World, client: Process, subject: KnownToken): Promise<void> {
  await world.call(client, {
    op: 'use', operation: 'probe', args: { token: subject.name },
    authorization: `Bearer ${subject.token}`,
  });
}
