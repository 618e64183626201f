import { describe } from 'vitest';
import { fakeFeeds } from '../../support/fake-feeds.ts';
import { feedStatesSuite } from '../../support/feed-states.suite.ts';

describe('Feeds in memory', () => feedStatesSuite(async () => {
  const feeds = fakeFeeds();
  return { feeds, wipe: feeds.wipe, close: () => undefined };
}));
