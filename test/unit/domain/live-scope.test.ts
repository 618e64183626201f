import { describe, expect, it } from 'vitest';
import {
  audienceOf, FACT_KINDS, fleetOf, mayFollow, type FactOwner, type Viewer,
} from '../../../services/domain/live/scope.ts';

const provider: Viewer = {
  kind: 'client', clientId: '1', providers: ['acme'], seesCommands: true,
};
const carrier: Viewer = { kind: 'carrier', clientId: '1' };

const fact = (kind: FactOwner['kind'], more: Partial<FactOwner> = {}): FactOwner => (
  { kind, clientId: '1', provider: 'acme', side: 'rtt', ...more }
);

describe('who follows a fact', () => {
  it.each(FACT_KINDS)('platform and operator: every %s, of any client and side', (kind) => {
    for (const side of ['rtt', 'tracking', 'other'] as const) {
      const foreign = fact(kind, { clientId: undefined, provider: undefined, side });
      expect(mayFollow({ kind: 'platform' }, foreign)).toBe(true);
      expect(mayFollow({ kind: 'operator' }, foreign)).toBe(true);
    }
  });

  it.each(['device', 'receipt', 'dead_letter'] as const)(
    'a client: a %s of its own by RTT, and nothing else', (kind) => {
      expect(mayFollow(provider, fact(kind))).toBe(true);
      expect(mayFollow(provider, fact(kind, { clientId: '2' }))).toBe(false);
      expect(mayFollow(provider, fact(kind, { clientId: undefined }))).toBe(false);
      expect(mayFollow(provider, fact(kind, { side: 'tracking' }))).toBe(false);
      expect(mayFollow(provider, fact(kind, { side: 'other' }))).toBe(false);
    },
  );

  it('a client: commands to its providers, issued by anyone, with the scope for commands', () => {
    const issued = fact('command', { clientId: 'the platform' });
    expect(mayFollow(provider, issued)).toBe(true);
    expect(mayFollow({ ...provider, seesCommands: false }, issued)).toBe(false);
    expect(mayFollow(provider, { ...issued, provider: 'other' })).toBe(false);
    expect(mayFollow(provider, { ...issued, provider: undefined })).toBe(false);
    expect(mayFollow(provider, fact('command', { provider: 'other' }))).toBe(false);
  });

  it.each(['journey', 'receipt', 'dead_letter'] as const)(
    'a carrier: a %s of its own notifications, and nothing else', (kind) => {
      expect(mayFollow(carrier, fact(kind, { side: 'tracking' }))).toBe(true);
      expect(mayFollow(carrier, fact(kind, { side: 'tracking', clientId: '2' }))).toBe(false);
      expect(mayFollow(carrier, fact(kind))).toBe(false);
      expect(mayFollow(carrier, fact(kind, { side: 'other' }))).toBe(false);
    },
  );

  it('a carrier: no command, even to a provider of the same client', () => {
    expect(mayFollow(carrier, fact('command', { side: 'tracking' }))).toBe(false);
  });
});

describe('whose positions a caller follows', () => {
  it('its own, those of all, or none', () => {
    expect(fleetOf(provider)).toBe('1');
    expect(fleetOf({ kind: 'platform' })).toBe('all');
    expect(fleetOf({ kind: 'operator' })).toBe('all');
    expect(fleetOf(carrier)).toBe('none');
  });
});

describe('an audience', () => {
  it('is shared by those who see the same, and by no one else', () => {
    const viewers: readonly Viewer[] = [
      provider, { ...provider, clientId: '2' }, { ...provider, providers: ['other'] },
      { ...provider, seesCommands: false }, carrier, { ...carrier, clientId: '2' },
      { kind: 'platform' }, { kind: 'operator' },
    ];
    expect(new Set(viewers.map(audienceOf)).size).toBe(viewers.length);
    expect(audienceOf({ ...provider, providers: ['b', 'a'] }))
      .toBe(audienceOf({ ...provider, providers: ['a', 'b'] }));
    expect(audienceOf({ ...provider, seesCommands: false }))
      .toBe(audienceOf({ ...provider, seesCommands: false, providers: ['other'] }));
  });
});
