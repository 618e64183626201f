import { expect, it } from 'vitest';
import { createDeviceStates } from '../../services/state/devices.ts';
import { createSandboxStore, SANDBOX_LIMITS } from '../../services/state/sandbox-store.ts';
import { aClient, aRegistration, asking, aToken, placed, startOf } from './state-facts.ts';
import type { OpenStates } from './open-states.ts';

/** What every implementation of the port AdmissionReader must do for sandbox clients. */
export function admissionOfSandboxSuite(open: OpenStates): void {
  it('reads the device of a sandbox client in its sandbox, and never a real one', async () => {
    const states = await open();
    const sandboxed = aClient({ sandbox: true });
    const own = aToken(sandboxed);
    await states.access.applyClient(sandboxed);
    await states.access.putToken(own);
    const device = aRegistration(sandboxed);
    const read = () => states.admission.read(asking(own, { deviceId: device.device_id }));
    await states.devices.apply(placed([device, startOf(device)]));
    expect(await read()).toMatchObject({ caller: { sandbox: true }, device: undefined });
    const store = createSandboxStore(SANDBOX_LIMITS, states.store, sandboxed.client_id);
    await createDeviceStates({ claimLeaseMs: 1_000 }, store).apply(placed([device]));
    expect((await read()).device).toEqual({ epoch: 1, transportId: String(device.transport_id) });
    await states.close();
  });
}
