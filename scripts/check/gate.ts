/** What one gate found: how much work it saw, in its own unit, and what it complains about. */
export interface GateReport {
  readonly seen: number;
  readonly complaints: readonly string[];
}

/**
 * A named check of the whole tree. `unit` names what `seen` counts.
 * A gate that saw nothing has failed, whatever it says: no complaint about nothing is no proof.
 */
export interface Gate {
  readonly name: string;
  readonly unit: string;
  readonly inspect: (root: string) => Promise<GateReport>;
}

/** The verdict on one gate, with what a reader wants to see about it. */
export interface GateVerdict {
  readonly name: string;
  readonly unit: string;
  readonly passed: boolean;
  readonly seen: number;
  readonly seconds: number;
  readonly complaints: readonly string[];
}

/** Runs one gate; a gate that breaks is a gate that complains, never a crash of the others. */
export async function runGate(gate: Gate, root: string): Promise<GateVerdict> {
  const startedMs = performance.now();
  const report = await gate.inspect(root).catch(broken);
  const complaints =
    report.seen === 0 && report.complaints.length === 0
      ? [`saw no ${gate.unit}: the gate itself is broken`]
      : report.complaints;
  const seconds = (performance.now() - startedMs) / 1000;
  return {
    name: gate.name,
    unit: gate.unit,
    passed: complaints.length === 0,
    seen: report.seen,
    seconds,
    complaints,
  };
}

/**
 * Runs all gates, `atOnceMax` at a time and in the given order, and calls `each` as verdicts come.
 * Answers the verdicts in the order they came in.
 */
export async function runAllGates(
  gates: readonly Gate[],
  root: string,
  atOnceMax: number,
  each: (verdict: GateVerdict) => void,
): Promise<GateVerdict[]> {
  const waiting = [...gates];
  const verdicts: GateVerdict[] = [];
  const runNext = async (): Promise<void> => {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      const verdict = await runGate(gate, root);
      verdicts.push(verdict);
      each(verdict);
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, runNext));
  return verdicts;
}

function broken(error: unknown): GateReport {
  return { seen: 0, complaints: [`broke: ${error instanceof Error ? error.message : 'unknown'}`] };
}
