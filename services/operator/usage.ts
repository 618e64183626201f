import type { Report } from './ports.ts';

/** How the command line is used. */
export const USAGE = `rastro client add --name NAME [--provider P] [--audience A] [--scope S] [--user U]
rastro client list
rastro client show ID
rastro client set ID [--name NAME] [--provider P] [--audience A] [--scope S]
rastro client rotate ID            a new secret; the older of two live ones is retired
rastro client retire ID SECRET_ID
rastro client enable ID | disable ID
rastro party add --kind provider|carrier --name NAME --url URL [--provider P] [--client ID]
  --auth static | --auth client-credentials --token-url URL --auth-client ID [--audience A]
  [--retry-tries N --retry-first S --retry-max S] [--feed] [--agency-contract C]
                                   the token or secret comes from RASTRO_PARTY_SECRET
rastro party list | show ID | set ID [options as above] | enable ID | disable ID
rastro command send PROVIDER start_tracking|stop_tracking --transport ID --plate P --country C
rastro command send PROVIDER --body JSON [--country C]
rastro command list [--provider P] [--state S] | show ID
rastro command resend ID [--body JSON]   again after correction, as a new command
rastro authorization send CARRIER --body JSON | list [--carrier ID] [--state S] | show ID
rastro authorization retry ID            once more, for what was parked
rastro dlq ls [--signature S] [--topic T] [--all] [--each]   records that could not be applied
rastro dlq show ID                       with its value, which may be personal data
rastro dlq redrive ID | --signature S | --topic T | --all [--dry-run] [--wait SECONDS]
                                   back into their topics, in order; twice is as good as once
rastro dlq release KEY [--dry-run]       gives up what a shipment waits for, and goes on behind it
rastro dlq give-up ID | --signature S | --topic T | --all [--dry-run]
rastro person show --shipment NUMBER | --device ID    what the log holds about its persons
rastro person erase --shipment NUMBER | --device ID   for ever: drops the keys, and the pictures
rastro person rewrap                     every key by the first of RASTRO_PERSONAL_KEY
rastro lag [--group PREFIX] [--max-seconds N]    how far each worker is behind; 1 when further than N
rastro topics                            what the log holds; 1 when a topic is missing or of other size
rastro capacity --devices N --period S [--costs FILE] [--peak F] [--busy F] [--full F]
  [--copies N] [--broker-cores N] [--log-bytes N] [--merge-gib N]
                                   what N devices need that send a location every S seconds, with
                                   the arithmetic, from what a run of the bench has measured
rastro export --format csv|parquet|geojson|gpx --device ID --from TIME --to TIME [--out FILE]
                                   fixes of devices, TIME as 2026-11-21 or 2026-11-21T10:00:00Z
rastro rebuild redis [--dry-run] [--positions]   the state from the log, or how it differs
rastro rebuild clickhouse [--dry-run]            the tables from the log, or what they lack
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
