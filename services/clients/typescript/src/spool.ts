import { mkdir, open, readdir, readFile, rm, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { readCommitted, writeCommitted, type Committed } from './committed.ts';
import { decodeEntry, encodeEntry, wholeEntries, PREFIX_BYTES, type SpoolDraft } from './entry.ts';
import { SpoolDamaged } from './errors.ts';
import { createFifo } from './fifo.ts';
import { ENTRY_COST, type Entry, type Outbox } from './outbox.ts';
import { takeOwnership } from './owner.ts';

/** Where a spool is. */
export interface SpoolConfig {
  readonly dir: string;
  /** From this size on the next entry begins another file. */
  readonly segmentBytes: number;
}

interface SpoolEntry extends Entry {
  readonly segment: number;
  readonly start: number;
  readonly end: number;
  isFinished: boolean;
}

const SEGMENT = /^(\d{12})\.segment$/;

/**
 * Opens a spool: append-only segments and a file with what is committed. What a killed process left
 * half written is cut off; it was never reported as safe. An entry is finished only once the
 * gateway answered it, so after a crash some are sent twice, and none is lost.
 */
export async function openSpool({ dir, segmentBytes }: SpoolConfig): Promise<Outbox> {
  await mkdir(dir, { recursive: true });
  const release = takeOwnership(dir);
  try {
    const { entries, segment } = await recover(dir);
    return serve(dir, segmentBytes, { entries, segment, release });
  } catch (error) {
    release();
    throw error;
  }
}

/** Entries without an answer, and the highest number that a segment ever had. */
async function recover(
  dir: string,
): Promise<{ readonly entries: SpoolEntry[]; readonly segment: number }> {
  const numbers = await segmentsOf(dir);
  const committed = await readCommitted(dir);
  const entries: SpoolEntry[] = [];
  for (const segment of numbers) {
    const file = fileOf(dir, segment);
    const bytes = await readFile(file);
    const found = wholeEntries(bytes);
    const whole = found.at(-1)?.end ?? 0;
    if (whole < bytes.length) {
      if (segment !== numbers.at(-1)) {
        throw new SpoolDamaged(`${file} is damaged at byte ${whole}, and later segments follow it.`);
      }
      await cutOff(file, whole);
    }
    entries.push(...found.filter(({ end }) => isAfter({ segment, byte: end }, committed))
      .map(({ head, start, end }) => spoolEntry(head, segment, start, end)));
  }
  // A number that is committed is not given again, or new entries would count as answered.
  return { entries, segment: Math.max(committed.segment, numbers.at(-1) ?? 0) };
}

interface Recovered {
  readonly entries: readonly SpoolEntry[];
  readonly segment: number;
  readonly release: () => void;
}

function serve(dir: string, segmentBytes: number, recovered: Recovered): Outbox {
  // The next append begins a new file: an old one is never written again.
  let { segment } = recovered;
  let length = 0;
  let file: FileHandle | undefined;
  let failure: unknown;
  let committing: Promise<void> | undefined;
  let reached: Committed | undefined;
  const pending = createFifo(recovered.entries);

  async function nextSegment(): Promise<FileHandle> {
    await file?.close();
    file = undefined;
    segment += 1;
    length = 0;
    file = await open(fileOf(dir, segment), 'ax');
    await syncFolder(dir);
    return file;
  }

  async function append(drafts: readonly SpoolDraft[]): Promise<readonly Entry[]> {
    if (failure !== undefined) throw failure as Error;
    try {
      const target = file === undefined || length >= segmentBytes ? await nextSegment() : file;
      const encoded = drafts.map(encodeEntry);
      await target.appendFile(Buffer.concat(encoded));
      await target.datasync();
      const added = drafts.map(({ head }, index) => {
        const start = length;
        length += encoded[index]?.length ?? 0;
        return spoolEntry(head, segment, start, length);
      });
      for (const each of added) pending.push(each);
      return added;
    } catch (error) {
      // What the disk holds after a failed write or sync is not known: the next start reads it.
      failure = error;
      throw error;
    }
  }

  async function commit(): Promise<void> {
    let done: Committed | undefined;
    while (reached !== undefined && reached !== done) {
      done = reached;
      await writeCommitted(dir, done);
      const { segment: current } = done;
      for (const old of await segmentsOf(dir)) {
        if (old < current) await rm(fileOf(dir, old), { force: true });
      }
    }
  }

  return {
    left: recovered.entries,
    append,
    async read(entry) {
      const { segment: number, start, end } = entry as SpoolEntry;
      return readBody(fileOf(dir, number), start, end);
    },
    finish(entry) {
      (entry as SpoolEntry).isFinished = true;
      let freed = 0;
      for (let first = pending.first(); first?.isFinished === true; first = pending.first()) {
        reached = { segment: first.segment, byte: first.end };
        freed += first.cost;
        pending.take();
      }
      if (freed > 0) {
        committing ??= commit().catch((error: unknown) => { failure = error; })
          .finally(() => { committing = undefined; });
      }
      return freed;
    },
    async close() {
      await committing;
      await file?.close();
      recovered.release();
      if (failure !== undefined) throw failure as Error;
    },
  };
}

async function readBody(file: string, start: number, end: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const bytes = Buffer.alloc(end - start);
    await handle.read(bytes, 0, bytes.length, start);
    const entry = decodeEntry(bytes);
    if (entry === undefined) throw new SpoolDamaged(`${file} is damaged at byte ${start}.`);
    return entry.body;
  } finally {
    await handle.close();
  }
}

function spoolEntry(head: Entry['head'], segment: number, start: number, end: number): SpoolEntry {
  return {
    head, segment, start, end, cost: end - start - PREFIX_BYTES + ENTRY_COST, isFinished: false,
  };
}

async function segmentsOf(dir: string): Promise<number[]> {
  return (await readdir(dir)).flatMap((name) => SEGMENT.exec(name)?.[1] ?? [])
    .map(Number).sort((one, other) => one - other);
}

function fileOf(dir: string, segment: number): string {
  return join(dir, `${String(segment).padStart(12, '0')}.segment`);
}

function isAfter(one: Committed, other: Committed): boolean {
  return one.segment > other.segment || (one.segment === other.segment && one.byte > other.byte);
}

async function cutOff(file: string, bytes: number): Promise<void> {
  await truncate(file, bytes);
  const handle = await open(file, 'r+');
  await handle.sync();
  await handle.close();
}

/** A file is there after a crash only once its folder is written too. */
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  await folder.sync();
  await folder.close();
}
