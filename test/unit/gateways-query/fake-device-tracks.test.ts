import { describe } from 'vitest';
import { deviceTracksSuite } from '../../support/device-tracks.suite.ts';
import { fakeDeviceTracks } from '../../support/fake-device-tracks.ts';

describe('The ways of devices in memory', () => {
  deviceTracksSuite(async () => {
    const tracks = fakeDeviceTracks();
    return { tracks, send: async (posts) => tracks.send(...posts), close: async () => undefined };
  });
});
