import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { METRICS } from '../../../services/adapters/signals/metrics.ts';
import { createSignals } from '../../../services/adapters/signals/signals.ts';

function setUp(isStrict = true) {
  const lines: string[] = [];
  const signals = createSignals({
    service: 'sample', level: 'info', isStrict, measuresProcess: false,
    stream: { write: (line) => { lines.push(line); } },
  });
  return { signals, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

describe('lines', () => {
  it('are JSON with the event and the fields that may be written', () => {
    const { signals, last } = setUp();
    signals.log('warn', 'thing_happened', { code: 'internal', body: '{}', latitude: 1, topic: 't' });
    expect(last()).toMatchObject({
      level: 'warn', service: 'sample', event: 'thing_happened', code: 'internal', topic: 't',
    });
    expect(last()).not.toHaveProperty('body');
    expect(last()).not.toHaveProperty('latitude');
  });

  it('below the level are not written', () => {
    const { signals, lines } = setUp();
    signals.log('debug', 'thing_happened');
    expect(lines).toHaveLength(0);
  });

  it.each([
    ['authorization: Bearer abcdefgh12345678', 'abcdefgh12345678'],
    [`token 1f${'x'.repeat(43)} was refused`, 'x'.repeat(43)],
    ['redis://user:hunter2@host:6379', 'hunter2'],
    ['{"client_secret":"hunter2"}', 'hunter2'],
    ['password=hunter2&x=1', 'hunter2'],
  ])('cover the secret in "%s"', (reason, secret) => {
    const { signals, lines } = setUp();
    signals.log('error', 'thing_happened', { reason });
    expect(lines[0]).not.toContain(secret);
    expect(lines[0]).toContain('***');
  });
});

describe('metrics', () => {
  it('are counted, set and observed under their declared names', async () => {
    const { signals } = setUp();
    signals.count('rastro_http_unreadable_total', 2);
    signals.count('http_unreadable_total', 1);
    signals.gauge('rastro_http_body_bytes_held', 7);
    signals.observe('rastro_http_request_seconds', 0.03, { operation: 'sample' });
    const { text, contentType } = await signals.metrics();
    expect(contentType).toContain('text/plain');
    expect(text).toContain('rastro_http_unreadable_total 3');
    expect(text).toContain('rastro_http_body_bytes_held 7');
    expect(text).toMatch(/rastro_http_request_seconds_count\{operation="sample"\} 1/);
  });

  it('are counted once however often they are read, and each set of labels by itself', async () => {
    const { signals } = setUp();
    const operations = ['first', 'second', 'first'];
    for (const operation of operations) {
      signals.count('rastro_accepted_items_total', 10, { operation });
      signals.gauge('rastro_parked_keys', operations.length, { worker: operation });
    }
    await signals.metrics();
    signals.count('rastro_accepted_items_total', 1, { operation: 'first' });
    const { text } = await signals.metrics();
    expect(text).toContain('rastro_accepted_items_total{operation="first"} 21');
    expect(text).toContain('rastro_accepted_items_total{operation="second"} 10');
    expect(text).toContain('rastro_parked_keys{worker="first"} 3');
  });

  it('that are not declared throw in tests, and are dropped and counted elsewhere', async () => {
    const strict = setUp().signals;
    expect(() => strict.count('unheard_of_total', 1)).toThrow('declared');
    expect(() => strict.count('http_unreadable_total', 1, { client_id: '1' })).toThrow('declared');
    expect(() => strict.gauge('http_unreadable_total', 1)).toThrow('declared');
    const { signals } = setUp(false);
    signals.count('unheard_of_total', 1);
    signals.count('http_unreadable_total', 1, { client_id: '1' });
    expect((await signals.metrics()).text).toContain('rastro_signals_dropped_total 2');
  });

  it('are named by one rule', () => {
    for (const [name, { kind, help }] of Object.entries(METRICS)) {
      expect(name).toMatch(/^rastro_[a-z_]+$/);
      if (kind === 'counter') expect(name).toMatch(/_total$/);
      if (kind === 'histogram') expect(name).toMatch(/_(seconds|records|bytes)$/);
      expect(help).toMatch(/^[A-Z1].*\.$/);
    }
  });

  it('that any room reports are declared', () => {
    const services = resolve(import.meta.dirname, '../../../services');
    const used = new Set<string>();
    for (const entry of readdirSync(services, { recursive: true, encoding: 'utf8' })) {
      if (!entry.endsWith('.ts')) continue;
      const text = readFileSync(join(services, entry), 'utf8');
      for (const [, name] of text.matchAll(/\.(?:count|gauge|observe)\(\s*'([a-z_]+)'/g)) {
        used.add(`rastro_${(name ?? '').replace(/^rastro_/, '')}`);
      }
    }
    expect(used.size).toBeGreaterThan(5);
    expect([...used].filter((name) => !(name in METRICS))).toEqual([]);
  });
});
