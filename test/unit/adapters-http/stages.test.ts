import { describe, expect, it } from 'vitest';
import { readSource } from '../../../scripts/generate/source.ts';
import { STAGES, type RequestStage } from '../../../services/adapters/http/stages.ts';
import type { Code } from '../../../services/kernel/codes.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { everyOperation } from '../../support/every-operation.ts';
import { strayRefusals } from '../../support/stray-refusals.ts';

const { catalog } = readSource(`${process.cwd()}/schemas`);

/** Operations that speak for a device, whose state admission reads. */
const OF_A_DEVICE = new Set(['send-locations', 'send-telemetry-events']);

const CODES_OF_FORMS = new Set<Code>(['duplicate_key', 'invalid_encoding']);

/** Whether a stage can give this code to a call of this operation. */
function canGive(operation: Operation, { name }: RequestStage, code: Code): boolean {
  const { id, authentication, bodyKind, needsCountry, path, scope } = operation;
  if (['token', 'head', 'slot', 'admission', 'authorization'].includes(name)) {
    if (authentication !== 'bearer') return false;
  }
  if (['body', 'json', 'schema'].includes(name)) {
    if (bodyKind === 'none') return false;
    // No form has a list that could be too long, or a name that is reserved.
    if (bodyKind === 'form' && name === 'schema') return code === 'validation_failed';
    if (bodyKind === 'form' && name === 'json') return CODES_OF_FORMS.has(code);
  }
  if (code === 'missing_parameter' || code.startsWith('client_id_')) return needsCountry;
  if (code === 'insufficient_scope') return scope !== 'any';
  if (code === 'provider_not_allowed') return path.includes('{provider}');
  if (code === 'device_not_allowed' || code.startsWith('tracking_')) return OF_A_DEVICE.has(id);
  return true;
}

function documentedCodes(id: string): ReadonlySet<string> {
  const responses = catalog.operations.find((each) => each.id === id)?.responses ?? {};
  return new Set(Object.values(responses).flatMap(({ codes }) => codes));
}

describe('the stages of a request', () => {
  it('are these, in this order', () => {
    expect(STAGES.map(({ name }) => name)).toEqual([
      'headers', 'token', 'head', 'query', 'body', 'slot', 'json', 'schema', 'admission',
      'authorization', 'freshness', 'operation',
    ]);
  });

  it('act only when all input was read and the caller was let in', () => {
    const kinds = STAGES.map(({ kind }) => kind);
    expect(kinds.indexOf('act')).toBeGreaterThan(kinds.lastIndexOf('input'));
    expect(kinds.indexOf('act')).toBeGreaterThan(kinds.lastIndexOf('caller'));
    expect(STAGES.at(-1)?.name).toBe('operation');
  });

  it.each(everyOperation().map((operation) => [operation.id, operation] as const))(
    'give %s only codes that its document names', (id, operation) => {
      const documented = documentedCodes(id);
      const hidden = STAGES.flatMap((stage) => stage.refuses
        .filter((code) => canGive(operation, stage, code) && !documented.has(code))
        .map((code) => `${stage.name} gives ${code}`));
      expect(hidden).toEqual([]);
    },
  );
});

describe('a refusal in the lines of a gateway', () => {
  const line = (stage: string, code: string): string =>
    JSON.stringify({ event: 'request_answered', operation: 'sample', stage, code });

  it('is a stray one when its stage does not own it', () => {
    expect(strayRefusals([line('query', 'rate_limited')]))
      .toEqual(['sample: the stage query gave rate_limited']);
    expect(strayRefusals([line('made-up', 'invalid_token')])).toHaveLength(1);
    expect(strayRefusals([line('schema', 'ok')])).toHaveLength(1);
  });

  it('is none when its stage owns it, or when it is an outage', () => {
    const lines = [
      line('authorization', 'rate_limited'), line('body', 'internal'), line('operation', 'ok'),
      line('slot', 'gone'), line('operation', 'device_not_found'),
    ];
    expect(strayRefusals(lines)).toEqual([]);
  });
});
