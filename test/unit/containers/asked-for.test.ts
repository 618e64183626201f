import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { composeServices } from '../../../infra/check/compose-files.ts';
import { imagesAskedFor } from '../../containers/images/asked-for.ts';

const DOCKERFILE = 'FROM node:24.1.0-bookworm-slim AS packages\nFROM packages AS base\nFROM base AS last\n';

describe('the images that our files ask for', () => {
  it('are the bases of the Dockerfile and those of the profile, without our own', () => {
    expect(imagesAskedFor(DOCKERFILE, {
      kafka: { image: 'apache/kafka:4.3.1', profiles: ['demo'] },
      ours: { image: 'rastro:0.1.0', profiles: ['demo'], build: {} },
      page: { image: 'grafana/grafana:12.2.0', profiles: ['observability'] },
    }, 'demo')).toEqual([
      { image: 'node:24.1.0-bookworm-slim', standIn: 'node' },
      { image: 'apache/kafka:4.3.1', standIn: 'kafka' },
    ]);
  });

  it('are refused when one has no stand-in', () => {
    expect(() => imagesAskedFor(DOCKERFILE, {
      other: { image: 'other/part:1.0', profiles: ['demo'] },
    }, 'demo')).toThrow(/The image other\/part:1\.0 has no stand-in/);
  });

  it('all have a stand-in today', () => {
    const asked = imagesAskedFor(
      readFileSync('infra/images/Dockerfile', 'utf8'), composeServices(process.cwd()), 'demo',
    );
    expect(asked.map(({ standIn }) => standIn).toSorted())
      .toEqual(['clickhouse', 'kafka', 'node', 'redis', 'registry']);
  });
});
