import { run } from '../../../infra/local/command.ts';
import type { Namespaces } from '../../containers/machine/namespaces.ts';
import type { NodePlace } from '../network.ts';

/** A node with a network of its own. */
export interface NetworkedNode {
  readonly place: NodePlace;
  readonly namespaces: Namespaces;
}

const COMMAND_MS_MAX = 300_000;

/** A pair of interfaces between two nodes; each knows the way to the other and to its Pods. */
export async function connectNodes(first: NetworkedNode, second: NetworkedNode): Promise<void> {
  // Both ids are those of the machine, which only its processes know.
  await run('nsenter', [
    '--target', String(first.namespaces.pid), '--net', '--', 'ip', 'link', 'add', linkTo(second.place),
    'type', 'veth', 'peer', 'name', linkTo(first.place), 'netns', String(second.namespaces.pid),
  ], { deadlineMs: COMMAND_MS_MAX });
  await second.namespaces.run([
    'ip', 'address', 'add', `${second.place.address}/32`, 'dev', 'lo',
  ], COMMAND_MS_MAX);
  await lead(first, second.place);
  await lead(second, first.place);
}

/** The name of the interface that leads to a node. */
export function linkTo({ name }: NodePlace): string {
  return `to-${name}`;
}

async function lead({ namespaces, place }: NetworkedNode, other: NodePlace): Promise<void> {
  const ip = (...words: readonly string[]): Promise<string> => (
    namespaces.run(['ip', ...words], COMMAND_MS_MAX));
  const link = linkTo(other);
  await ip('link', 'set', link, 'up');
  await ip('route', 'add', `${other.address}/32`, 'dev', link, 'src', place.address);
  await ip('route', 'add', other.pods, 'via', other.address, 'dev', link, 'onlink');
}
