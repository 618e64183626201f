import { waitFor } from '../../../infra/local/wait.ts';
import { answersOk } from '../../../infra/local/processes/process.ts';
import type { Dice } from '../dice.ts';
import type { Fault, FaultEnv } from '../scenario.ts';
import { untilWhole, type StateServer } from '../state/cluster-state.ts';
import { killForGood } from './parts.ts';

const TARGET = 'a primary of the state store';
/** What is measured ends far earlier; a machine that carries all of this may take its time. */
const FAILOVER_MS_MAX = 60_000;
const EVERY_MS = 20;

/**
 * `kill -9` of a primary that stays away until a replica was promoted and every gateway is ready
 * again; both times are reported. At the end it comes back, as a replica.
 */
export function failOver(dice: Dice): Fault {
  let killed: StateServer | undefined;
  return {
    name: 'kill -9 and failover', target: TARGET,
    async begin(env) {
      const { state } = env.cluster;
      const before = await state.primaries();
      killed = dice.pick(before);
      const { part, raw } = killed;
      const begunMs = performance.now();
      await killForGood(part);
      const passed = (): string => `${Math.round(performance.now() - begunMs)} ms`;
      await untilMs('A promotion', async () => {
        const now = await state.primaries();
        return now.length === before.length && now.every((primary) => primary.raw !== raw);
      });
      const promoted = passed();
      await untilMs('Ready gateways after a failover', () => areReady(env));
      env.remark(`failover: a replica promoted after ${promoted}, gateways ready after ${passed()}`);
    },
    async end({ cluster: { state } }) {
      await killed?.part.start();
      await untilWhole(state);
    },
  };
}

/** `kill -9` of a primary that comes back at once, mostly before another takes over. */
export function killPrimary(dice: Dice): Fault {
  return {
    name: 'kill -9', target: TARGET,
    begin: async ({ cluster: { state } }) => dice.pick(await state.primaries()).part.kill(),
    end: ({ cluster: { state } }) => untilWhole(state),
  };
}

/** SIGTERM of a replica, as a node that is maintained, and its return. */
export function restartReplica(dice: Dice): Fault {
  return {
    name: 'SIGTERM', target: 'a replica of the state store',
    async begin({ cluster: { state } }) {
      const primaries = await state.primaries();
      await dice.pick(state.servers.filter((server) => !primaries.includes(server))).part.restart();
    },
    end: ({ cluster: { state } }) => untilWhole(state),
  };
}

async function areReady({ cluster }: FaultEnv): Promise<boolean> {
  const answers = cluster.gateways.map(({ adminUrl }) => answersOk(`${adminUrl}/readyz`));
  return (await Promise.all(answers)).every(Boolean);
}

function untilMs(what: string, condition: () => Promise<boolean>): Promise<void> {
  return waitFor(condition, { what, deadlineMs: FAILOVER_MS_MAX, everyMs: EVERY_MS });
}
