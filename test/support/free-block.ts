import { freePorts, isFree } from '../../infra/local/ports.ts';

/** As many as one local copy of the platform takes. */
const PORTS = 16;

/** The first of so many free ports in a row as one copy of the platform takes. */
export async function freeBlock(): Promise<number> {
  for (;;) {
    const [first = 0] = await freePorts(1);
    const block = Array.from({ length: PORTS - 1 }, (_, i) => isFree(first + 1 + i));
    if ((await Promise.all(block)).every(Boolean)) return first;
  }
}
