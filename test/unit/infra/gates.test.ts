import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeSchemas } from '../../../infra/check/resource-schemas.ts';
import { generateInfra } from '../../../infra/generate/generate-infra.ts';
import { runbookOf } from '../../../infra/generate/monitoring/alert.ts';
import { alerts } from '../../../infra/generate/monitoring/alerts.ts';
import { OUR_JOBS } from '../../../infra/generate/monitoring/missing-alert.ts';
import { metric } from '../../../infra/generate/monitoring/metric.ts';
import { gatewayProcesses, workerProcesses } from '../../../infra/generate/processes.ts';
import { yamlFile } from '../../../infra/generate/yaml.ts';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'rastro-infra-')); });
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

describe('what is generated below infra/', () => {
  it('is what the catalog, the processes and the metrics say today', () => {
    expect(generateInfra(process.cwd(), true)).toEqual([]);
  });

  it('is named when it drifts, is missing or is no longer made, and then mended', () => {
    generateInfra(folder, false);
    const changed = 'infra/kubernetes/base/generated/control.yaml';
    const stranger = 'infra/kubernetes/base/generated/nobody.yaml';
    writeFileSync(join(folder, changed), 'kind: Other\n');
    writeFileSync(join(folder, stranger), '');
    expect(generateInfra(folder, true)).toEqual([changed, stranger]);
    generateInfra(folder, false);
    expect(existsSync(join(folder, stranger))).toBe(false);
    expect(generateInfra(folder, true)).toEqual([]);
  });
});

describe('the writer of manifests', () => {
  it('quotes what YAML would read as something else', () => {
    expect(yamlFile([{ 'a': 'true', 'b': '10', 'c': 'x: y', 'd': [], 'e': [{ f: 1 }], '#g': 'why' }]))
      .toContain('a: "true"\nb: "10"\nc: "x: y"\nd: []\ne:\n  - f: 1\n# why\n');
  });
});

describe('the schemas of resources', () => {
  it('are closed, but where a definition says that anything may be there', () => {
    writeSchemas(JSON.stringify({
      kind: 'CustomResourceDefinition',
      spec: { group: 'g', names: { kind: 'Thing' }, versions: [{
        name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties: {
          port: { 'x-kubernetes-int-or-string': true },
          free: { 'type': 'object', 'properties': {}, 'x-kubernetes-preserve-unknown-fields': true },
        } } },
      }] },
    }), folder);
    const schema = JSON.parse(readFileSync(join(folder, 'g/thing_v1.json'), 'utf8')) as object;
    expect(schema).toMatchObject({
      additionalProperties: false,
      properties: { port: { anyOf: [{ type: 'integer' }, { type: 'string' }] } },
    });
    expect(schema).not.toHaveProperty('properties.free.additionalProperties');
  });
});

describe('the alarms', () => {
  it.each([...gatewayProcesses(), ...workerProcesses()])(
    'ring when $name is missing, and when each of its Pods is gone', ({ name }) => {
      expect(name).toMatch(new RegExp(`^(${OUR_JOBS})$`));
    },
  );

  it('know no metric or label that no process has', () => {
    // @ts-expect-error no process has this metric
    expect(metric('rastro_nothing')).toBe('rastro_nothing');
    // @ts-expect-error the metric has no such label
    expect(metric('rastro_state_ready', 'color')).toBe('rastro_state_ready');
  });

  it.each(alerts())('have a runbook for $name', (alert) => {
    const text = readFileSync(join(process.cwd(), runbookOf(alert)), 'utf8');
    expect(text).toContain(alert.name);
    const parts = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(parts).toEqual(['Symptom', 'Impact', 'First query', 'Fix', 'Rollback']);
  });
});
