import { describe, expect, it } from 'vitest';
import { gatewaysSettings } from '../../../services/adapters/config/gateways.ts';
import { REDIS_DEFAULTS } from '../../../services/adapters/redis/config.ts';

describe('the limits of the gateways', () => {
  it('[RTT-13] [RTT-14] are by default those that the state store is tested with', () => {
    const defaults = {
      requestsPerSecond: gatewaysSettings.RASTRO_REQUESTS_PER_SECOND.default,
      requestsBurst: gatewaysSettings.RASTRO_REQUESTS_BURST.default,
      locationsPerSecond: gatewaysSettings.RASTRO_LOCATIONS_PER_SECOND.default,
      notificationsPerSecond: gatewaysSettings.RASTRO_NOTIFICATIONS_PER_SECOND.default,
      notificationsBurst: gatewaysSettings.RASTRO_NOTIFICATIONS_BURST.default,
      bytesPerSecond: gatewaysSettings.RASTRO_BYTES_PER_SECOND.default,
      bytesBurst: gatewaysSettings.RASTRO_BYTES_BURST.default,
      deviceRequestsPerSecond: gatewaysSettings.RASTRO_DEVICE_REQUESTS_PER_SECOND.default,
      deviceRequestsBurst: gatewaysSettings.RASTRO_DEVICE_REQUESTS_BURST.default,
    };
    expect(REDIS_DEFAULTS).toMatchObject(defaults);
    expect(defaults).toEqual({
      requestsPerSecond: 200, requestsBurst: 400, locationsPerSecond: 20_000,
      notificationsPerSecond: 500, notificationsBurst: 2_000,
      bytesPerSecond: 20_971_520, bytesBurst: 41_943_040,
      deviceRequestsPerSecond: 20, deviceRequestsBurst: 40,
    });
  });
});
