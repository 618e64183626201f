import { namesOf } from '../engine/engine.ts';
import { leftBy, type MachineState } from '../machine/traces.ts';
import { complaintOf, type Act, type ActFinding, type ContainerStage } from './act.ts';
import { servicesIn } from './compose.ts';
import { leaveAddress, leaveMount, leaveProcess } from './left.ts';

/** Networks that every engine has. */
const GIVEN_NETWORKS = new Set(['bridge', 'host', 'none']);
const OURS = /^rastro/;
const LEFT_VOLUME = 'rastro_left';

/** Down, and the machine as it was before the first act. */
export function down(before: MachineState): Act {
  return {
    name: 'down',
    does: 'ends everything: no container, volume, network, process, mount, address or control group is left',
    run: (stage) => end(stage, before),
    offences: [
      { name: 'a process is left', seed: leaveProcess, said: /left the process \d+ \(.*setInterval/ },
      { name: 'a mount is left', seed: leaveMount, said: /left a mount at .*\/left$/ },
      { name: 'an address is left', seed: leaveAddress, said: /left the address 127\.77\.0\.1/ },
      { name: 'a volume is left', seed: leaveVolume, said: /left the volume rastro_left/ },
    ],
  };
}

async function end(stage: ContainerStage, before: MachineState): Promise<ActFinding> {
  const { docker } = await stage.engine('own');
  const ends = await stop(stage).catch((error: unknown) => [complaintOf(error)]);
  const containers = await namesOf(docker, ['ps', '--all', '--format', '{{.Names}}']);
  const volumes = await namesOf(docker, ['volume', 'ls', '--quiet']);
  const networks = await namesOf(docker, ['network', 'ls', '--format', '{{.Name}}']);
  await stage.close();
  const left = await leftBy(stage, before);
  return {
    seen: 'the machine is as it was',
    complaints: [
      ...ends,
      ...containers.map((name) => `left the container ${name}`),
      ...volumes.map((name) => `left the volume ${name}`),
      ...networks.filter((name) => !GIVEN_NETWORKS.has(name)).map((name) => `left the network ${name}`),
      ...left,
    ],
  };
}

/** Stops and removes all; what of ours ended with an error is named. */
async function stop(stage: ContainerStage): Promise<readonly string[]> {
  await stage.compose(['stop']);
  const text = await stage.compose(['ps', '--all', '--format', 'json']);
  await stage.compose(['down', '--volumes', '--remove-orphans']);
  return servicesIn(text).filter(({ ExitCode, Image }) => ExitCode !== 0 && OURS.test(Image))
    .map(({ Service, ExitCode }) => `${Service} ended with ${ExitCode}`);
}

async function leaveVolume(stage: ContainerStage): Promise<() => Promise<void>> {
  const { docker } = await stage.engine('own');
  await docker(['volume', 'create', LEFT_VOLUME]);
  return async () => {
    const again = await stage.engine('own');
    await again.docker(['volume', 'rm', '--force', LEFT_VOLUME]);
    await stage.close();
  };
}
