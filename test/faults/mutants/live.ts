import type { Mutant } from './mutant.ts';

/** Mistakes about what the viewers of the live feeds get. */
export const LIVE_MUTANTS: readonly Mutant[] = [
  {
    name: 'resumes-one-late',
    why: 'The id names the last record that was seen, so the next one begins behind it.',
    breaks: ['I20'],
    scenario: 'live-killed',
    patches: [{
      file: 'services/gateways/live/facts/fact-ids.ts',
      find: `reader.topics.has(topic) ? asked.next().value ?? 0 : own[at] ?? 0`,
      replace: `reader.topics.has(topic) ? (asked.next().value ?? 0) + 1 : own[at] ?? 0`,
    }],
  },
  {
    name: 'resumes-one-early',
    why: 'A line may have been cut amid the last record, so it is sent again to be sure.',
    breaks: ['I20'],
    scenario: 'live-killed',
    patches: [{
      file: 'services/gateways/live/facts/fact-ids.ts',
      find: `reader.topics.has(topic) ? asked.next().value ?? 0 : own[at] ?? 0`,
      replace: `reader.topics.has(topic)
          ? Math.max(0, (asked.next().value ?? 0) - 1) : own[at] ?? 0`,
    }],
  },
  {
    name: 'resumes-from-memory-alone',
    why: 'What the ring does not have any more is too old to be news.',
    breaks: ['I20'],
    scenario: 'live-killed',
    patches: [{
      file: 'services/gateways/live/facts/serve-facts.ts',
      find: `isBehind ? update?.number ?? -1 : feed.head.next;`,
      replace: `isBehind ? update?.number ?? feed.head.next : feed.head.next;`,
    }],
  },
  {
    name: 'newest-fact-first',
    why: 'Who looks at a feed wants to see the newest fact on top.',
    breaks: ['I20'],
    scenario: 'live-frozen',
    patches: [{
      file: 'services/gateways/live/facts/fact-feed.ts',
      find: `    ring.push({ number: next, before, after, facts: open });`,
      replace: `    ring.push({ number: next, before, after, facts: open.toReversed() });`,
    }],
  },
  {
    name: 'reset-not-said',
    why: 'The whole map follows anyway and overwrites what the viewer has.',
    breaks: ['I20'],
    scenario: 'live-killed',
    patches: [{
      file: 'services/gateways/live/fixes/fix-feed.ts',
      find: `    speak(viewer, viewer.format === 'json'`,
      replace: `    if (reason !== 'too_far') speak(viewer, viewer.format === 'json'`,
    }],
  },
  {
    name: 'gone-left-out',
    why: 'A viewer that goes on has its map; it needs only what moved meanwhile.',
    breaks: ['I20'],
    scenario: 'live-frozen',
    patches: [{
      file: 'services/gateways/live/fixes/channel.ts',
      find: `      if (isHidden(device, view.showsStates) && after === 0) continue;`,
      replace: `      if (isHidden(device, view.showsStates) && device.appeared <= after) continue;`,
    }],
  },
  {
    name: 'follows-from-the-end',
    why: 'What the log has when the map is read is on that map, so what comes later is enough.',
    breaks: ['I20'],
    scenario: 'live-killed',
    patches: [{
      file: 'services/gateways/live/follow-log.ts',
      find: `      next: nextOf(extent, committed),`,
      replace: `      next: extent.end,`,
    }],
  },
];
