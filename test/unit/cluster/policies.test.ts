import { describe, expect, it } from 'vitest';
import { blocksWithout } from '../../cluster/policies/blocks.ts';
import {
  rulesFrom, type NetworkPolicy, type PolicyPod, type PolicyScope,
} from '../../cluster/policies/rules.ts';
import { selects } from '../../cluster/policies/selectors.ts';

const GATEWAY: PolicyPod = {
  namespace: 'rastro', labels: { app: 'gateway' }, address: '10.0.0.2',
  ports: [{ name: 'http', containerPort: 8080 }, { name: 'names', containerPort: 53, protocol: 'UDP' }],
};
const STORE: PolicyPod = {
  namespace: 'rastro', labels: { app: 'store' }, address: '10.0.0.3',
  ports: [{ name: 'http', containerPort: 9000 }],
};
const STRANGER: PolicyPod = {
  namespace: 'elsewhere', labels: { app: 'store' }, address: '10.0.0.4', ports: [],
};

function scope(...policies: readonly NetworkPolicy['spec'][]): PolicyScope {
  return {
    pods: [GATEWAY, STORE, STRANGER],
    policies: policies.map((spec, index) => ({
      metadata: { name: `policy-${index}`, namespace: 'rastro' }, spec,
    })),
    namespaces: {
      rastro: { 'kubernetes.io/metadata.name': 'rastro' },
      elsewhere: { 'kubernetes.io/metadata.name': 'elsewhere', calls: 'true' },
    },
  };
}

/** Rules of chains whose names end so, without what is the same for all. */
function chain(end: string, given: PolicyScope): readonly string[] {
  return rulesFrom(given).split('\n').filter((line) => line.startsWith(`-A RASTRO-${end} `))
    .map((line) => line.slice(`-A RASTRO-${end} `.length));
}

const app = (name: string) => ({ matchLabels: { app: name } });

describe('rules for a Pod', () => {
  it('are none when no policy selects it', () => {
    expect(rulesFrom(scope())).not.toContain('DROP');
  });

  it('drop everything that a policy does not allow, in the directions that it names', () => {
    const given = scope({ podSelector: app('gateway'), policyTypes: ['Ingress'] });
    expect(chain('IN-10.0.0.2', given)).toEqual(['-j DROP']);
    expect(chain('OUT-10.0.0.2', given)).toEqual([]);
    expect(chain('IN-10.0.0.4', given)).toEqual([]);
    expect(chain('POLICIES', given)).toEqual([
      '-m conntrack --ctstate ESTABLISHED,RELATED -j RETURN', '-d 10.0.0.2 -j RASTRO-IN-10.0.0.2',
    ]);
  });

  it('let in Pods of its own namespace when only Pods are named, at the port of that name', () => {
    expect(chain('IN-10.0.0.2', scope({
      podSelector: app('gateway'), policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: app('store') }], ports: [{ port: 'http' }] }],
    }))).toEqual(['-s 10.0.0.3/32 -p tcp --dport 8080 -j RETURN', '-j DROP']);
  });

  it('let in Pods of namespaces with a label', () => {
    expect(chain('IN-10.0.0.2', scope({
      podSelector: {}, policyTypes: ['Ingress'],
      ingress: [{ from: [{ namespaceSelector: { matchLabels: { calls: 'true' } } }] }],
    }))).toEqual(['-s 10.0.0.4/32 -j RETURN', '-j DROP']);
  });

  it('let out to a port with a name only where a Pod has it', () => {
    expect(chain('OUT-10.0.0.3', scope({
      podSelector: app('store'), policyTypes: ['Egress'],
      egress: [{ ports: [{ port: 'names', protocol: 'UDP' }, { port: 443 }] }],
    }))).toEqual([
      '-d 0.0.0.0/0 -p tcp --dport 443 -j RETURN', '-d 10.0.0.2/32 -p udp --dport 53 -j RETURN',
      '-d 10.0.0.2/32 -p tcp --dport 443 -j RETURN', '-d 10.0.0.3/32 -p tcp --dport 443 -j RETURN',
      '-d 10.0.0.4/32 -p tcp --dport 443 -j RETURN', '-j DROP',
    ]);
  });

  it('let out to a block of addresses without others, and to a range of ports', () => {
    expect(chain('OUT-10.0.0.2', scope({
      podSelector: app('gateway'), policyTypes: ['Egress'],
      egress: [{
        to: [{ ipBlock: { cidr: '8.0.0.0/6', except: ['10.0.0.0/8'] } }],
        ports: [{ port: 1000, endPort: 2000 }],
      }],
    }))).toEqual([
      '-d 8.0.0.0/7 -p tcp --dport 1000:2000 -j RETURN',
      '-d 11.0.0.0/8 -p tcp --dport 1000:2000 -j RETURN', '-j DROP',
    ]);
  });

  it('allow what any of several policies allows', () => {
    expect(chain('IN-10.0.0.2', scope(
      { podSelector: {}, policyTypes: ['Ingress'] },
      { podSelector: app('gateway'), policyTypes: ['Ingress'], ingress: [{}] },
    ))).toEqual(['-s 0.0.0.0/0 -j RETURN', '-j DROP']);
  });
});

describe('blocks of addresses', () => {
  it('are whole when nothing of them is excepted', () => {
    expect(blocksWithout('10.0.0.0/8', ['11.0.0.0/8'])).toEqual(['10.0.0.0/8']);
  });

  it('are nothing when all is excepted', () => {
    expect(blocksWithout('10.1.0.0/16', ['10.0.0.0/8'])).toEqual([]);
  });

  it('are the rest of the halves of the Internet', () => {
    expect(blocksWithout('0.0.0.0/0', ['224.0.0.0/3', '0.0.0.0/2']))
      .toEqual(['64.0.0.0/2', '128.0.0.0/2', '192.0.0.0/3']);
  });
});

describe('a selector', () => {
  it.each([
    [{}, true], [app('store'), true], [app('gateway'), false],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['store', 'other'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['store'] }] }, false],
    [{ matchExpressions: [{ key: 'none', operator: 'Exists' }] }, false],
    [{ matchExpressions: [{ key: 'none', operator: 'DoesNotExist' }] }, true],
  ])('%j means labels of a store: %s', (selector, expected) => {
    expect(selects(selector, STORE.labels)).toBe(expected);
  });

  it('with another operator is refused', () => {
    expect(() => selects({ matchExpressions: [{ key: 'app', operator: 'Gt' }] }, {}))
      .toThrow('operator Gt');
  });
});
