import { TOPIC } from '../../faults/checker/topics.ts';
import type { WebhookPosted } from '../../faults/checker/evidence.ts';
import { append, type Draft } from '../fault-draft.ts';
import type { BadHistory } from './spoil.ts';

/** Changes the last post of the good run, which took the last fact of its device. */
function changeLast(run: Draft, change: Partial<WebhookPosted>): void {
  const last = run.posts.pop();
  if (last === undefined) throw new Error('no post in the run');
  run.posts.push({ ...last, ...change });
}

/** What came to the receiver of a webhook otherwise than it must. */
export const WEBHOOK_HISTORIES: readonly BadHistory[] = [
  {
    invariant: 'I19', kind: 'lost', story: 'a fact was posted, and its receiver never took it',
    spoil: (run) => changeLast(run, { status: 500 }),
  },
  {
    invariant: 'I19', kind: 'lost', story: 'a fact of a platform was not posted',
    spoil: (run) => {
      append(run, TOPIC.clients, 'reader', { client_id: 'reader', audiences: ['platform'] });
      append(run, TOPIC.webhooks, 'w-2', {
        webhook_id: 'w-2', client_id: 'reader', kinds: ['journey'],
        ranges: [{ range_id: 'live', topics: [{ topic: TOPIC.journeys, starts: [2] }] }],
      });
    },
  },
  {
    invariant: 'I19', kind: 'order-violation', story: 'a fact overtakes the one before it',
    spoil: (run) => changeLast(run, { at: 3_701.5 }),
  },
  {
    invariant: 'I19', kind: 'duplicate', story: 'a fact that was taken comes again without a fault',
    spoil: (run) => { run.posts.push({ ...run.posts.at(-1)!, at: 9_000 }); },
  },
  {
    invariant: 'I19', kind: 'phantom', story: 'a fact of another client is posted',
    spoil: (run) => { run.posts.push({ ...run.posts.at(-1)!, id: 'AbC:0:3' }); },
  },
  {
    invariant: 'I19', kind: 'unsigned', story: 'a post has a wrong signature',
    spoil: (run) => changeLast(run, { is_signed: false }),
  },
];
