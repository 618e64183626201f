import { describe, expect, it } from 'vitest';
import { hopelessOf, podFrom, unexpectedStarts, type Pod } from '../../cluster/product/pods.ts';

const POD: Pod = podFrom({
  metadata: { name: 'ingest-1', uid: 'a', labels: { 'app.kubernetes.io/name': 'ingest' } },
  spec: { nodeName: 'node-2', containers: [{ image: 'rastro:0.1.0' }] },
  status: {
    podIP: '10.251.1.7',
    containerStatuses: [{
      ready: true, restartCount: 1, containerID: 'containerd://c1', state: {},
    }],
  },
});

describe('a Pod', () => {
  it('is read as the API server shows it', () => {
    expect(POD).toEqual({
      name: 'ingest-1', uid: 'a', app: 'ingest', image: 'rastro:0.1.0', node: 'node-2',
      address: '10.251.1.7', isReady: true, isJob: false, isLeaving: false, restarts: 1,
      container: 'c1', waits: '',
    });
  });

  it.each([
    ['ErrImagePull: no such host', 0], ['ImagePullBackOff', 0],
    ['CreateContainerConfigError: no key', 0], ['CrashLoopBackOff: back-off 40s', 3],
  ])('never gets ready when it waits for %s', (waits, restarts) => {
    expect(hopelessOf({ ...POD, waits, restarts })).toBe(`ingest-1 waits forever: ${waits}`);
  });

  it.each([
    ['', 0], ['ContainerCreating', 0], ['CrashLoopBackOff: back-off 10s', 2],
  ])('may get ready when it waits for "%s"', (waits, restarts) => {
    expect(hopelessOf({ ...POD, waits, restarts })).toBeUndefined();
  });
});

describe('starts that an act did not cause', () => {
  const untouched = (): boolean => false;

  it('are none when every Pod is as it was', () => {
    expect(unexpectedStarts([POD], [POD], untouched)).toEqual([]);
  });

  it('are a container that started again, and a Pod that is new', () => {
    expect(unexpectedStarts([POD], [
      { ...POD, restarts: 3 }, { ...POD, name: 'ingest-2', uid: 'b' },
    ], untouched)).toEqual([
      'ingest-1 started again, 2 times', 'ingest-2 is new, and the act did not touch ingest',
    ]);
  });

  it('are neither those of what the act touched nor those of Jobs', () => {
    const restarted = { ...POD, restarts: 2 };
    expect(unexpectedStarts([POD], [restarted], (app) => app === 'ingest')).toEqual([]);
    expect(unexpectedStarts([], [{ ...POD, isJob: true }], untouched)).toEqual([]);
  });
});
