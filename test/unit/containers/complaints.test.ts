import { describe, expect, it } from 'vitest';
import { complaintsAbout, type ImageFacts } from '../../containers/images/complaints.ts';

const GOOD: ImageFacts = {
  user: '10001:10001', entrypoint: ['node'], command: ['services/gateways/main.ts', 'all'],
  ownBytes: 60_000_000, writable: [],
  packages: [{ name: 'express', version: '5.3.0' }], listed: [{ name: 'express', version: '5.3.0' }],
  refusal: { exitCode: 1, lines: ['Bad configuration of gateways: REDIS_URL is not set.'] },
  starts: [{ program: 'services/cli/main.ts', exitCode: 0, says: 'Usage: rastro' }],
};

describe('an image', () => {
  it('is good as it should be', () => {
    expect(complaintsAbout(GOOD)).toEqual([]);
  });

  it.each<[Partial<ImageFacts>, RegExp]>([
    [{ user: '' }, /runs as root/],
    [{ user: '0:0' }, /runs as 0:0/],
    [{ user: 'node' }, /runs as node, not as a number/],
    [{ entrypoint: ['/bin/sh', '-c', 'node'] }, /starts by a shell/],
    [{ entrypoint: null, command: null }, /nothing to start/],
    [{ ownBytes: 90_000_001 }, /has 90 MB of its own/],
    [{ writable: ['/app/schemas'] }, /may write \/app\/schemas/],
    [{ listed: [] }, /has no list of parts/],
    [{ listed: [{ name: 'express', version: '5.2.0' }] }, /does not list express@5\.3\.0/],
    [{ packages: [] }, /lists what it does not have: express@5\.3\.0/],
    [{ packages: [...GOOD.packages, { name: 'vitest', version: '5.1.1' }] },
      /serves development alone: vitest/],
    [{ refusal: { exitCode: 0, lines: [] } }, /ends well without any setting/],
    [{ refusal: { exitCode: 1, lines: ['Error: Bad configuration', '    at read'] } }, /in 2 lines/],
    [{ starts: [{ program: 'scripts/topics.ts', exitCode: 1, says: 'EROFS' }] },
      /ends scripts\/topics\.ts --help with 1: EROFS/],
  ])('with %j is named', (change, said) => {
    const complaints = complaintsAbout({ ...GOOD, ...change });
    expect(complaints.some((complaint) => said.test(complaint))).toBe(true);
  });

  it('has as many bytes as it may', () => {
    expect(complaintsAbout({ ...GOOD, ownBytes: 90_000_000 })).toEqual([]);
  });
});
