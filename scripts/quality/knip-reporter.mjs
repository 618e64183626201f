/**
 * knip's findings as one JSON line that also says how many files knip looked at,
 * so that the gate can distinguish "nothing dead" from "nothing seen".
 */
import { relative } from 'node:path';

/** @param {import('knip').ReporterOptions} options what knip found */
export default function report({ counters, cwd, issues, report: reported }) {
  const complaints = [];
  for (const [kind, byFile] of Object.entries(issues)) {
    if (!reported[kind]) continue;
    for (const bySymbol of Object.values(byFile)) {
      for (const issue of Object.values(bySymbol)) {
        complaints.push(`${relative(cwd, issue.filePath)}: unused ${kind}: ${issue.symbol}`);
      }
    }
  }
  process.stdout.write(`${JSON.stringify({ seen: counters.processed, complaints })}\n`);
}
