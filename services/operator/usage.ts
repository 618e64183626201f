import type { Report } from './ports.ts';

/** How the command line is used. */
export const USAGE = `rastro client add --name NAME [--provider P] [--audience A] [--scope S] [--user U]
rastro client list
rastro client show ID
rastro client set ID [--name NAME] [--provider P] [--audience A] [--scope S]
rastro client rotate ID            a new secret; the older of two live ones is retired
rastro client retire ID SECRET_ID
rastro client enable ID | disable ID
rastro conformance --target URL --role receiver|provider|carrier [--only PREFIX] [--list]
  [--client-id ID] [--client-secret SECRET] [--token-target URL] [--provider P] [--country C]
  [--command-token TOKEN] [--final-code CODE] [--tracking-number NUMBER]
                                   or RASTRO_URL, RASTRO_CLIENT_ID, RASTRO_CLIENT_SECRET, …
--provider, --audience and --scope may be repeated or hold several values divided by commas.
--json prints a JSON value. Exit codes: 0 done, 1 failed, 2 wrong use.`;

/** The report of a wrong call: one sentence and the usage, exit code 2. */
export function misuse(sentence: string): Report {
  return { value: { error: sentence }, lines: [sentence, '', USAGE], exitCode: 2 };
}
