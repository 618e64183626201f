import type { Report } from './ports.ts';

const DONE = 'Exit codes: 0 done, 1 failed, 2 wrong use.';

/** How each command is used, by its name; the last line of each says what its exit codes mean. */
export const HELP: Readonly<Record<string, string>> = {
  client: `rastro client add --name NAME [--provider P] [--audience A] [--scope S] [--user U]
rastro client list
rastro client show ID
rastro client set ID [--name NAME] [--provider P] [--audience A] [--scope S]
rastro client rotate ID            a new secret; the older of two live ones is retired
rastro client retire ID SECRET_ID
rastro client enable ID | disable ID
                                   --provider, --audience and --scope may be repeated or hold
                                   several values divided by commas
${DONE}`,
  party: `rastro party add --kind provider|carrier --name NAME --url URL [--provider P] [--client ID]
  --auth static | --auth client-credentials --token-url URL --auth-client ID [--audience A]
  [--retry-tries N --retry-first S --retry-max S] [--feed] [--agency-contract C]
                                   the token or secret comes from RASTRO_PARTY_SECRET
rastro party list | show ID | set ID [options as above] | enable ID | disable ID
rastro party reseal                every secret by the first of RASTRO_VAULT_KEY
${DONE}`,
  command: `rastro command send PROVIDER start_tracking|stop_tracking --transport ID --plate P --country C
rastro command send PROVIDER --body JSON [--country C]
rastro command list [--provider P] [--state S] | show ID
rastro command resend ID [--body JSON]   again after correction, as a new command
${DONE}`,
  authorization: `rastro authorization send CARRIER --body JSON
rastro authorization list [--carrier ID] [--state S] | show ID
rastro authorization retry ID            once more, for what was parked
${DONE}`,
  dlq: `rastro dlq ls [--signature S] [--topic T] [--all] [--each]   records that could not be applied
rastro dlq show ID                       with its value, which may be personal data
rastro dlq redrive ID | --signature S | --topic T | --all [--dry-run] [--wait SECONDS]
                                   back into their topics, in order; twice is as good as once
rastro dlq release KEY [--dry-run]       gives up what a shipment waits for, and goes on behind it
rastro dlq give-up ID | --signature S | --topic T | --all [--dry-run]
Exit codes: 0 done, 1 something was refused, failed again or was not taken up, 2 wrong use.`,
  person: `rastro person show --shipment NUMBER | --device ID    what the log holds about its persons
rastro person erase --shipment NUMBER | --device ID   for ever: drops the keys, and the pictures
rastro person rewrap                     every key by the first of RASTRO_PERSONAL_KEY
${DONE}`,
  device: `rastro device ID [--records N] [--window T]
                                   one device: who owns it, how far it has come in the log and in
                                   the state store (REDIS_URL), its last place, what it sent within
                                   T (1d) of the newest N (5000) records of its partition, its dead
                                   letters. Names of entities stay sealed.
Exit codes: 0 found and in order, 1 unknown or something is wrong with it, 2 wrong use.`,
  shipment: `rastro shipment TRACKING_NUMBER | --order TRANSPORT_ORDER_ID [--entries N]
                                   one shipment: authorizations, carrier, status, the last N (20)
                                   of its journey, what came after its end, dead letters, and the
                                   state store (REDIS_URL). Nothing of any person.
Exit codes: 0 found and in order, 1 unknown or something is wrong with it, 2 wrong use.`,
  'hot-keys': `rastro hot-keys [--topic T] [--top N] [--window T] [--records N] [--share S] [--min-records N]
                                   the keys that take most bytes of each partition, from the
                                   records of the last T (5m) and at most the newest N (2000) of
                                   each partition; topic rtt.locations.v1 unless said
Exit codes: 0 none is hot, 1 a key has at least S (0.5) of its partition's bytes in at least
--min-records (200) records, 2 wrong use.`,
  quarantine: `rastro quarantine add DEVICE_ID [--reason TEXT]   its locations go into the tables by a
                                   lane of their own, so that they hold up no other device
rastro quarantine rm DEVICE_ID           with all others again, once the lane has none of them
rastro quarantine ls [--all]             who is in, and how much the lane has before it; --all also
                                   who was
Exit codes: 0 done, 1 failed, 2 wrong use.`,
  drain: `rastro drain --pid PID [--max-seconds S]
                                   asks a process of this machine to end (SIGTERM) as kubectl drain
                                   does: a gateway takes no new calls and answers those under way, a
                                   worker ends its batch, commits and leaves its groups; waits up to
                                   S (60) seconds until it has, and until others have its share
rastro drain --group PREFIX [--until-lag N] [--max-seconds S]
                                   waits until no such group is more than N (0) records behind
Exit codes: 0 drained, 1 not in time, or nobody is left to go on, 2 wrong use.`,
  lag: `rastro lag [--group PREFIX] [--max-seconds N]    how far each worker is behind
Exit codes: 0 none further behind than N, 1 one is, 2 wrong use.`,
  topics: `rastro topics                            what the log holds
Exit codes: 0 as the catalog says, 1 a topic is missing or of other size, 2 wrong use.`,
  capacity: `rastro capacity --devices N --period S [--costs FILE] [--peak F] [--busy F] [--full F]
  [--copies N] [--broker-cores N] [--log-bytes N] [--merge-gib N]
                                   what N devices need that send a location every S seconds, with
                                   the arithmetic, from what a run of the bench has measured
Exit codes: 0 done, 1 there is no good run of the bench, 2 wrong use.`,
  export: `rastro export [--view V] --format csv|parquet|geojson|gpx [--from TIME --to TIME]
  [--device ID] [--only COLUMN=VALUE] [--out FILE]
                                   rows of a view (v_locations) as a file for other tools, TIME as
                                   2026-11-21 or 2026-11-21T10:00:00Z; of columns of text only rows
                                   with these values, which may be repeated
rastro export --list                     the views, their formats, and the time of their windows
${DONE}`,
  rebuild: `rastro rebuild redis [--dry-run] [--positions]   the state from the log, or how it differs
rastro rebuild clickhouse [--dry-run]            the tables from the log, or what they lack
Exit codes: 0 done or equal, 1 failed or different, 2 wrong use.`,
  conformance: `rastro conformance --target URL --role receiver|provider|carrier [--only PREFIX] [--list]
  [--client-id ID] [--client-secret SECRET] [--token-target URL] [--provider P] [--country C]
  [--command-token TOKEN] [--final-code CODE] [--tracking-number NUMBER]
                                   or RASTRO_URL, RASTRO_CLIENT_ID, RASTRO_CLIENT_SECRET, …
Exit codes: 0 conforms, 1 does not, 2 wrong use.`,
};

/** How the command line is used, command by command. */
export const USAGE = `${Object.values(HELP).map(withoutCodes).join('\n')}
Every command takes --json (one JSON value on standard output) and --help (with its exit codes).
Exit codes: 0 done and in order, 1 failed or found something wrong, 2 wrong use.`;

/** The report of a wrong call: one sentence, exit code 2. The command line adds how it is used. */
export function misuse(sentence: string): Report {
  return { value: { error: sentence }, lines: [sentence], exitCode: 2 };
}

function withoutCodes(text: string): string {
  return text.slice(0, text.lastIndexOf('\nExit codes:'));
}
