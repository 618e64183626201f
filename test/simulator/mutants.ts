import type { AccessStates } from '../../services/kernel/access.ts';
import type { AdmissionReader } from '../../services/kernel/admission.ts';
import type { AuthorizationStates } from '../../services/kernel/authorizations.ts';
import type { DeviceEvent, DeviceStates } from '../../services/kernel/devices.ts';
import type { FoldCheckpoints } from '../../services/kernel/fold-checkpoints.ts';
import type { Leases } from '../../services/kernel/leases.ts';
import type { Readiness } from '../../services/kernel/readiness.ts';
import type { ShipmentStates } from '../../services/kernel/shipments.ts';
import type { StateStore } from '../../services/kernel/state-store.ts';
import { deviceKey } from '../../services/state/device-directory.ts';
import type { FakeStateStore } from '../support/fake-state-store.ts';
import { bent, overwrite, type SimMutant } from './mutant.ts';

/** Every mutant; mutants.test.ts expects each to be found. */
export const MUTANTS: readonly SimMutant[] = [
  {
    name: 'a revocation is denied once only, before it is in the log',
    model: 'tokens',
    breaks: ['I7'],
    seed: 1_815,
    flaws: () => {
      const denied = new Set<string>();
      return bent<AccessStates>('access', ({ denyToken }) => ({
        async denyToken(event) {
          if (denied.has(event.token_hash)) return;
          await denyToken(event);
          denied.add(event.token_hash);
        },
      }));
    },
  },
  {
    name: 'a revocation is only in the log',
    model: 'tokens',
    breaks: ['I7'],
    seed: 1,
    flaws: () => bent<AccessStates>('access', () => ({ denyToken: async () => undefined })),
  },
  {
    name: 'a gateway remembers whom it let in',
    model: 'tokens',
    breaks: ['I7'],
    seed: 1,
    flaws: () => bent<AdmissionReader>('admission', ({ read }) => {
      const known = new Map<string, ReturnType<AdmissionReader['read']>>();
      return {
        async read(request) {
          const facts = known.get(request.tokenHash) ?? read(request);
          if ((await facts).caller !== undefined) known.set(request.tokenHash, facts);
          return facts;
        },
      };
    }),
  },
  {
    name: 'the marks are set before the log was read',
    model: 'tokens',
    breaks: ['I7', 'I14', 'I3'],
    seed: 1,
    flaws: () => bent<Readiness>('readiness', ({ claimRebuild, markReady }) => ({
      async claimRebuild(owner, leaseMs) {
        const isOwn = await claimRebuild(owner, leaseMs);
        if (isOwn) await markReady(owner);
        return isOwn;
      },
    })),
  },
  {
    name: 'an append is answered before it is written',
    model: 'devices',
    breaks: ['I1'],
    seed: 1,
    flaws: () => ({
      append: (log) => ({
        async append(record, deadlineMs) {
          log.append(record, deadlineMs).catch(() => undefined);
        },
      }),
    }),
  },
  {
    name: 'a device is confirmed before its fact is in the log',
    model: 'devices',
    breaks: ['I1', 'I3'],
    seed: 1,
    flaws: () => bent<DeviceStates>('devices', ({ claimRegistration, confirm }) => ({
      async claimRegistration(event, claimId) {
        const answer = await claimRegistration(event, claimId);
        if (answer === 'taken') await confirm(event, claimId);
        return answer;
      },
    })),
  },
  {
    name: 'the rank of a device is that of the last fact, not the highest',
    model: 'devices',
    breaks: ['I3', 'I5', 'I9', 'I14'],
    seed: 1,
    flaws: () => {
      let store: FakeStateStore | undefined;
      const lower = ({ client_id, device_id, epoch }: DeviceEvent): void => {
        store?.entry(deviceKey(client_id, device_id))?.fields.set('epoch', String(epoch));
      };
      return {
        stores(stores) {
          ({ store } = stores.states);
          return stores;
        },
        ...bent<DeviceStates>('devices', ({ apply }) => ({
          async apply(facts) {
            await apply(facts);
            for (const { event } of facts) lower(event);
          },
        })),
      };
    },
  },
  {
    name: 'the store writes whatever it is given, also over a newer version',
    model: 'devices',
    breaks: ['I3', 'I4', 'I5', 'I6', 'I9'],
    seed: 1,
    flaws: () => bent<StateStore>('store', ({ read, commit }) => ({
      async commit(transactions, access) {
        const keys = transactions.flatMap(({ entries }) => entries.map(({ key }) => key));
        const now = (await read(keys, access)).entries;
        let nth = 0;
        return commit(transactions.map(({ entries, ...rest }) => ({
          ...rest,
          entries: entries.map((each) => ({ ...each, version: now[nth++]?.version ?? 0 })),
        })), access);
      },
    })),
  },
  {
    name: 'every caller gets every claim on a device',
    model: 'devices',
    breaks: ['I4', 'I6'],
    seed: 1,
    flaws: () => bent<DeviceStates>('devices', (states) => ({
      async confirm(event, claimId) {
        await states.confirm(event, claimId);
        return true;
      },
      async claimRegistration(event, claimId) {
        await states.claimRegistration(event, claimId);
        return 'taken';
      },
      async claimTransition(event, from, claimId) {
        await states.claimTransition(event, from, claimId);
        return 'taken';
      },
    })),
  },
  {
    name: 'a caller that confirms believes that the claim was kept',
    model: 'devices',
    breaks: ['I4', 'I6'],
    seed: 425,
    flaws: () => bent<DeviceStates>('devices', ({ confirm }) => ({
      async confirm(event, claimId) {
        await confirm(event, claimId);
        return true;
      },
    })),
  },
  {
    name: 'a gateway remembers devices',
    model: 'devices',
    breaks: ['I5', 'I14'],
    seed: 1,
    flaws: () => bent<AdmissionReader>('admission', ({ read }) => {
      const known = new Map<string, ReturnType<AdmissionReader['read']>>();
      return {
        async read(request) {
          const name = request.deviceId ?? '';
          const facts = known.get(name) ?? read(request);
          if ((await facts).device !== undefined) known.set(name, facts);
          return facts;
        },
      };
    }),
  },
  {
    name: 'positions are committed before their batch is done',
    model: 'devices',
    breaks: ['I3', 'I9'],
    seed: 1_476,
    flaws: () => ({ group: { commitsFirst: true } }),
  },
  {
    name: 'a journey is stored without looking at the place of the one that is there',
    model: 'notifications',
    breaks: ['I8', 'I9'],
    seed: 1,
    flaws: () => {
      let shared: FakeStateStore | undefined;
      return {
        stores: (stores) => {
          shared = stores.states.store;
          return stores;
        },
        ...bent<ShipmentStates>('shipments', ({ loadJourneys }) => ({
          async putJourneys(journeys) {
            // The exchange, which may fail and takes its time.
            await loadJourneys([...journeys.keys()], false);
            for (const [number, journey] of journeys) await overwrite(shared, number, journey);
          },
        })),
      };
    },
  },
  {
    name: 'a journey forgets whose it is',
    model: 'notifications',
    breaks: ['I4'],
    seed: 1,
    flaws: () => bent<ShipmentStates>('shipments', ({ putJourneys }) => ({
      putJourneys: (journeys) => putJourneys(new Map([...journeys].map(([number, journey]) => (
        [number, { ...journey, carrier: 'nobody' }] as const
      )))),
    })),
  },
  {
    name: 'a cancellation is in the log, but not in the store',
    model: 'authorizations',
    breaks: ['I11'],
    seed: 1,
    flaws: () => bent<AuthorizationStates>('authorizations', ({ claim, confirm }) => ({
      claim: ({ cancellation: _, ...rest }, claimId) => claim(rest, claimId),
      confirm: async (event, claimId) =>
        event.type === 'ShipmentCancelled' || await confirm(event, claimId),
    })),
  },
  {
    name: 'a caller that confirms an authorization believes that the claim was kept',
    model: 'authorizations',
    breaks: ['I1', 'I11'],
    seed: 105,
    flaws: () => bent<AuthorizationStates>('authorizations', ({ confirm }) => ({
      async confirm(event, claimId) {
        await confirm(event, claimId);
        return true;
      },
    })),
  },
  {
    name: 'every command sender gets every lease',
    model: 'commands',
    breaks: ['I10'],
    seed: 335,
    flaws: () => {
      let fence = 0;
      return bent<Leases>('leases', () => ({
        claim: async () => fence += 1,
        renew: async () => true,
      }));
    },
  },
  {
    name: 'a checkpoint says that it has one record more of each topic',
    model: 'commands',
    breaks: ['I10', 'I16'],
    seed: 62,
    flaws: () => bent<FoldCheckpoints>('folds', ({ keep }) => ({
      keep: (name, checkpoint) => keep(name, {
        ...checkpoint,
        topics: checkpoint.topics.map((topic) => ({
          ...topic, next: Object.fromEntries(Object.entries(topic.next).map(
            ([partition, next]) => [partition, String(BigInt(next) + 1n)],
          )),
        })),
      }),
    })),
  },
  {
    name: 'results are not waited for',
    model: 'commands',
    breaks: ['I10'],
    seed: 53,
    flaws: () => ({
      append: (log) => ({
        async append(record, deadlineMs) {
          log.append(record, deadlineMs).catch(() => undefined);
        },
      }),
    }),
  },
];
