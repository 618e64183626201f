import type { Alert } from './alert.ts';
import { OUR_JOBS } from './missing-alert.ts';

/** The breaker of records ends a process three times at one, which has an alarm of its own. */
const RESTARTS_MAX = 3;
/** A rollout and its rollback end as many young Pods as there are, and some may fail beside. */
const YOUNG_PODS_MAX = 3;
const WINDOW = '30m';
const WINDOW_S = 1_800;

const STARTED = `process_start_time_seconds{job=~"${OUR_JOBS}"}`;
const UP = `up{job=~"${OUR_JOBS}"}`;
/** One Pod, or one process where there are none. */
const ONE = 'job, pod, instance';

/**
 * A process ends again and again, while others of its kind go on. A container that starts again in
 * its Pod changes its time of start, and one that ends before it is read is mostly not up. Of Pods
 * that are replaced the young ones count, and those of one rollout are taken off: a rollout ends
 * old Pods, and its rollback the young ones, each once.
 */
export function crashLoopAlert(): Alert {
  const young = `last_over_time(${STARTED}[${WINDOW}]) > time() - ${WINDOW_S} unless ${STARTED}`;
  return {
    name: 'RastroCrashLoop', severity: 'ticket', lasting: '10m',
    expr: `sum by (${ONE}) (changes(${STARTED}[${WINDOW}])) > ${RESTARTS_MAX}`
      + ` or avg by (${ONE}) (avg_over_time(${UP}[15m]) and ${UP}) < 0.5`
      + ` or count by (job) (${young})`
      + ` - max_over_time(count by (job) (${STARTED})[${WINDOW}:1m]) > ${YOUNG_PODS_MAX}`,
    summary: 'A process ends again and again, or one of several does not answer.',
    rings: {
      series: {
        [started('ingest', 'a')]: '0x60',
        [started('ingest', 'b')]: '0x10 600x2 780 840x2 1020x2 _x2 1320x4 _x4 1860x4',
      },
      at: '32m', labels: { job: 'ingest', pod: 'b', instance: 'b:9080' },
    },
    ringsToo: [{
      series: { [up('control', 'a')]: '1x40', [up('control', 'b')]: '_x10 0x4 1 0x9 1 0x20' },
      at: '30m', labels: { job: 'control', pod: 'b', instance: 'b:9080' },
    }, {
      series: { [started('journey', 'a')]: '0x60', ...replacedEach2Minutes('journey') },
      at: '35m', labels: { job: 'journey' },
    }],
    silent: {
      // A rollout of five Pods that are an hour old, and its rollback nine minutes later.
      ...Object.fromEntries([1, 2, 3, 4, 5].flatMap((pod) => [
        [started('ingest', `a${pod}`), '-3600x3 stale'],
        [started('ingest', `b${pod}`), `_x${2 + pod} ${(3 + pod) * 60}x8 stale`],
        [started('ingest', `c${pod}`), `_x${11 + pod} ${(12 + pod) * 60}x40`],
      ])),
      // Three ends at one record, until it is a dead letter.
      [started('projector', 'a')]: '0x10 660 _ 780x2 _x2 1080x30',
      // A process that takes four minutes to start, and one that was ended and left.
      [up('control', 'a')]: '_x20 0x4 1x30', [up('control', 'b')]: '1x8 0x8 stale',
    },
    silentAt: '28m',
  };
}

function started(job: string, pod: string): string {
  return `process_start_time_seconds{job="${job}",pod="${pod}",instance="${pod}:9080"}`;
}

function up(job: string, pod: string): string {
  return `up{job="${job}",pod="${pod}",instance="${pod}:9080"}`;
}

/** Six Pods, each there for a minute. */
function replacedEach2Minutes(job: string): Readonly<Record<string, string>> {
  return Object.fromEntries([10, 12, 14, 16, 18, 20].map((minute) => (
    [started(job, `b${minute}`), `_x${minute - 1} ${minute * 60}x1 stale`]
  )));
}
