import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSignals } from '../../../services/adapters/signals/signals.ts';
import { SIGNALS, type SignalName } from '../../../services/kernel/signals.ts';
import type { SignalRow } from '../../../services/kernel/signals/signal-row.ts';
import { METRICS } from '../../../services/kernel/signals/metrics.ts';

const ROWS = Object.entries(SIGNALS) as [SignalName, SignalRow][];

function setUp() {
  const lines: string[] = [];
  const signals = createSignals({
    service: 'sample', level: 'info', measuresProcess: false,
    stream: { write: (line) => { lines.push(line); } },
  });
  return { signals, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

describe('lines', () => {
  it('are JSON with the event and the fields that the table names', () => {
    const { signals, last } = setUp();
    const facts = { group: 'g', reason: 'away', body: '{}', latitude: 1 };
    signals.commitFailed(facts);
    expect(last()).toMatchObject({
      level: 'warn', service: 'sample', event: 'commit_failed', group: 'g', reason: 'away',
    });
    expect(last()).not.toHaveProperty('body');
    expect(last()).not.toHaveProperty('latitude');
  });

  it('below the level are not written, also where the caller says the level', () => {
    const { signals, lines } = setUp();
    signals.batchCommitted({ group: 'g', records: 1, offsets: 't:0:1' });
    signals.kafkajsLogged({ level: 'debug', namespace: 'n', message: 'm' });
    expect(lines).toHaveLength(0);
    signals.kafkajsLogged({ level: 'warn', namespace: 'n', message: 'm' });
    expect(lines).toHaveLength(1);
  });

  it.each([
    ['authorization: Bearer abcdefgh12345678', 'abcdefgh12345678'],
    [`token 1f${'x'.repeat(43)} was refused`, 'x'.repeat(43)],
    ['redis://user:hunter2@host:6379', 'hunter2'],
    ['{"client_secret":"hunter2"}', 'hunter2'],
    ['password=hunter2&x=1', 'hunter2'],
  ])('cover the secret in "%s"', (reason, secret) => {
    const { signals, lines } = setUp();
    signals.imagesFailed({ reason });
    expect(lines[0]).not.toContain(secret);
    expect(lines[0]).toContain('***');
  });
});

describe('metrics', () => {
  it('are counted, set and observed under their full names', async () => {
    const { signals } = setUp();
    signals.spansExported({ outcome: 'sent', spans: 2 });
    signals.spansExported({ outcome: 'sent', spans: 1 });
    signals.requestUnreadable();
    signals.bodyBytesHeld({ bytes: 7 });
    signals.requestAnswered({
      operation: 'sample', status: 200, code: 'ok', seconds: 0.03,
      stage: undefined, request_id: undefined, client_id: undefined,
    });
    const { text, contentType } = await signals.metrics();
    expect(contentType).toContain('text/plain');
    expect(text).toContain('rastro_trace_spans_total{outcome="sent"} 3');
    expect(text).toContain('rastro_http_unreadable_total 1');
    expect(text).toContain('rastro_http_body_bytes_held 7');
    expect(text).toContain('{operation="sample",status="200",code="ok"} 1');
    expect(text).toMatch(/rastro_http_request_seconds_count\{operation="sample"\} 1/);
  });

  it('are counted once however often they are read, and each set of labels on its own', async () => {
    const { signals } = setUp();
    const operations = ['first', 'second', 'first'];
    for (const operation of operations) {
      signals.itemsAccepted({ operation, items: 10 });
      signals.keysParked({ worker: operation, keys: operations.length, records: 1 });
    }
    await signals.metrics();
    signals.itemsAccepted({ operation: 'first', items: 1 });
    const { text } = await signals.metrics();
    expect(text).toContain('rastro_accepted_items_total{operation="first"} 21');
    expect(text).toContain('rastro_accepted_items_total{operation="second"} 10');
    expect(text).toContain('rastro_parked_keys{worker="first"} 3');
  });

  it('are named by one rule', () => {
    for (const [name, { kind, help }] of Object.entries(METRICS)) {
      expect(name).toMatch(/^rastro_[a-z_]+$/);
      if (kind === 'counter') expect(name).toMatch(/_total$/);
      if (kind === 'histogram') expect(name).toMatch(/_(seconds|records|bytes)$/);
      expect(help).toMatch(/^[A-Z1].*\.$/);
    }
  });
});

describe('the table of signals', () => {
  it.each(ROWS)('names the line of %s as the signal', (name, { level, event, fields, metrics }) => {
    const snakeCase = name.replaceAll(/[A-Z]/g, (upper) => `_${upper.toLowerCase()}`);
    if (level !== undefined) expect(event).toBe(snakeCase);
    else expect([event, fields]).toEqual([undefined, undefined]);
    expect(level === undefined && metrics === undefined).toBe(false);
  });

  it('has no signal that nothing in the product calls', () => {
    const product = productText();
    expect(ROWS.map(([name]) => name).filter((name) => !isCalled(name, product))).toEqual([]);
  });

  it('would show one that nothing calls', () => {
    expect(isCalled('requestAnswered', 'signals.requestAnsweredTwice({})')).toBe(false);
    expect(isCalled('requestAnswered', 'ports.signals.requestAnswered({})')).toBe(true);
  });

  it('cannot be left: other names, labels and values do not compile', () => {
    const { signals } = setUp();
    const wrong = [
      // @ts-expect-error a label is missing
      () => { signals.requestRefused({ code: 'invalid_token', stage: 'head' }); },
      // @ts-expect-error a fact that is no label
      () => { signals.requestRefused({ code: 'c', stage: 's', provider: 'p', device: 'd' }); },
      // @ts-expect-error a value that is no number
      () => { signals.bodyBytesHeld({ bytes: '7' }); },
    ];
    const names: readonly SignalName[] = [
      // @ts-expect-error no such signal
      'unheardOf',
      // @ts-expect-error no way to a metric by its name
      'count',
    ];
    expect([...wrong, ...names]).toHaveLength(5);
  });
});

function isCalled(name: string, text: string): boolean {
  return new RegExp(`\\bsignals\\.${name}\\(`).test(text);
}

/** All code that may emit signals: the product, and the tool that makes topics. */
function productText(): string {
  const root = resolve(import.meta.dirname, '../../..');
  return [join(root, 'services'), join(root, 'infra')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((entry) => entry.endsWith('.ts'))
      .map((entry) => readFileSync(join(folder, entry), 'utf8'))).join('\n');
}
