import { kill, restart } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/**
 * The next version beside this one: it writes a field and a header more, under a schema of its own,
 * and each version reads what the other wrote.
 */
export const twoVersions: Scenario = {
  name: 'two-versions',
  does: 'a gateway and workers of the next version, with a schema of its own, beside this one',
  aims: ['I1', 'I3', 'I7', 'I8', 'I9'], seconds: 26,
  ownCluster: {
    changed: {
      names: ['gateway-2', 'workers-2'],
      patches: [
        {
          file: 'schemas/records/token-revoked.json',
          find: '"const": "TokenRevoked"',
          replace: '"const": "TokenRevoked"}, "why": {"type": "string"',
        },
        {
          file: 'services/domain/token/token.ts',
          find: "    type: 'TokenRevoked',",
          replace: "    type: 'TokenRevoked', ...{ why: 'asked' },",
        },
        {
          file: 'services/gateways/georeceiver/append-post.ts',
          find: '    n: String(rows),',
          replace: "    n: String(rows), release: 'next',",
        },
      ],
    },
  },
  plan: () => [
    { atMs: 2_000, fault: kill('workers-1') },
    { atMs: 9_000, fault: kill('workers-2') },
    { atMs: 16_000, fault: restart('gateway-1') },
  ],
};
