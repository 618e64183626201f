import { describe } from 'vitest';
import { accessStatesSuite } from '../../support/access-states.suite.ts';
import { admissionReaderSuite } from '../../support/admission-reader.suite.ts';
import { clientCallsSuite } from '../../support/client-calls.suite.ts';
import { deviceStatesSuite } from '../../support/device-states.suite.ts';
import { entityDirectorySuite } from '../../support/entity-directory.suite.ts';
import { fakeStates } from '../../support/fake-states.ts';
import type { OpenStates } from '../../support/open-states.ts';
import { shipmentIndexSuite } from '../../support/shipment-index.suite.ts';
import { lastFixesSuite } from '../../support/last-fixes.suite.ts';
import { tenantLimitsSuite } from '../../support/tenant-limits.suite.ts';

const open: OpenStates = async (settings) => {
  const states = fakeStates(settings);
  return { ...states, wipe: async () => states.wipe(), close: async () => {} };
};

describe('The state store in memory', () => {
  describe('admission', () => admissionReaderSuite(open));
  describe('limits of tenants', () => tenantLimitsSuite(open));
  describe('calls of clients', () => clientCallsSuite(open));
  describe('access', () => accessStatesSuite(open));
  describe('devices', () => deviceStatesSuite(open));
  describe('entities', () => entityDirectorySuite(open));
  describe('authorized numbers', () => shipmentIndexSuite(open));
  describe('positions and readiness', () => lastFixesSuite(open));
});
