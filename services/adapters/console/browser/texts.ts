/** Every text of the console, in English. */
export const TEXTS = {
  title: 'Rastro',
  fleet: 'Fleet', find: 'Find',
  skip: 'Skip to content',
  signOut: 'Sign out',
  signedInAs: (name: string) => `Signed in as ${name}`,
  theme: 'Colours', themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
  signInTitle: 'Sign in',
  signInHow: 'A link signs this browser in. Who operates the platform makes one:',
  signInOpening: 'Opening the link…',
  map: 'Map of devices; arrow keys move it, plus and minus zoom.',
  states: { fresh: 'Fresh', late: 'Late', silent: 'Silent' },
  stateRanges: { fresh: 'up to 5 minutes', late: 'up to 1 hour', silent: 'older' },
  show: 'Show',
  provider: 'Provider', allProviders: 'all',
  devices: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'device' : 'devices'}`,
  nearest: 'Nearest to the middle of the map',
  noDevices: 'No device here.',
  noPositions: 'This client has no positions to show. Find shows its shipments.',
  live: 'Live', past: 'Past',
  connecting: 'Connecting…',
  updated: (seconds: number) => `Updated ${ageText(seconds)} ago`,
  reconnecting: 'Connection lost, trying again…',
  feedRefused: (detail: string) => `No live positions: ${detail}`,
  timeline: 'Time of the fleet', day: 'Day', minute: 'Minute of the day (UTC)',
  play: 'Play', pause: 'Pause', speed: 'Speed', backToLive: 'Back to live',
  at: (text: string) => `As of ${text} UTC`,
  pastFailed: (detail: string) => `No positions of then: ${detail}`,
  device: 'Device', close: 'Close', copyCurl: 'Copy as curl', copied: 'Copied',
  openDevice: 'Open device',
  lastPosition: 'Last position', age: 'Age', speedOf: 'Speed', bearing: 'Direction',
  state: 'State',
  findTitle: 'Find anything',
  findHow: 'Device, tracking number, shipment, transport order, transport, ingest id, call or command.',
  findLabel: 'Paste an id', findButton: 'Find', finding: 'Asking…',
  nothingFound: (text: string) => `Nothing is known as ${text}.`,
  shipment: 'Shipment', journey: 'Journey', ingest: 'Call that was accepted',
  transport: 'Devices of the transport', authorization: 'Authorization call', command: 'Command',
  time: 'Time', code: 'Code', carrierCode: 'Code of the carrier', outcome: 'Outcome', rule: 'Rule',
  noJourney: 'No notification yet.',
  hereNow: 'Where it is now', onMap: 'Show on map',
  track: 'Track', dayBefore: 'Day before', dayAfter: 'Day after',
  noFixes: 'No fix on this day (UTC).',
  fixes: (shown: number, total: number, every: number) => {
    const all = `${total.toLocaleString('en')} ${total === 1 ? 'fix' : 'fixes'}`;
    return every === 1 ? all : `${shown.toLocaleString('en')} of ${all}: one of each ${every}`;
  },
  cursor: 'Cursor over the track; arrow keys move it from fix to fix',
  strips: {
    speed: 'Speed, km/h', fuel_level: 'Fuel, %', fuel_quantity: 'Fuel, l',
    engine_rpm: 'Engine, rpm', engine_temperature: 'Engine, °C', air_temperature: 'Air, °C',
    battery_level: 'Battery, %', battery_temperature: 'Battery, °C',
  },
  ignition: 'Ignition', on: 'on', off: 'off', odometer: 'Odometer', received: 'Received',
  receivedAfter: (text: string, seconds: number) => `${text}, ${Math.round(seconds).toLocaleString('en')} s after the fix`,
  position: 'Position', flags: 'Flags', silenceBefore: 'Silence before it',
  drives: {
    standing: 'Standing', slow: '5 to 50 km/h', road: '50 to 90 km/h', fast: 'Faster',
    unknown: 'No speed reported', gap: 'Gap: over 15 minutes without a fix',
  },
  gaps: 'Gaps', gap: (from: string, to: string, seconds: number) => `${from} to ${to} (${ageText(seconds)})`,
  oddFixes: 'Odd fixes', oddMore: (count: number) => `and ${count.toLocaleString('en')} before them`,
  oddKinds: {
    jump: 'Jump', frozen: 'Frozen', hours_off: 'Hours off', gps_week_rollover: 'GPS week rollover',
  },
  copySql: 'Copy as SQL',
  commands: 'Commands about its transport', noCommands: 'No command in the last 30 days.',
  issued: 'Issued', attempts: 'Attempts', lastResult: 'Last result',
  deadLetters: 'Dead letters', deadLetter: 'Dead letter', deadLetterGroup: 'Dead letters of one cause',
  deadLettersHow: 'Records that a worker could not apply, by their cause. Mend the cause first, then put them back.',
  noDeadLettersRight: 'This client has no right to dead letters.',
  openDeadLetters: (count: number) => (count === 0
    ? 'No dead letters.' : `${count.toLocaleString('en')} open`),
  moreDeadLetters: 'There are more than are shown; they follow when these are put back.',
  howMany: 'How many', topic: 'Topic', detail: 'Detail', firstAt: 'First', lastAt: 'Newest',
  signature: 'Signature', workers: 'Workers', sample: 'Sample', key: 'Key', bytes: 'Bytes of its value',
  replay: 'Replay', dryRun: 'Dry run', putBack: 'Put back', progress: 'Put back so far',
  wouldPutBack: (count: number) => `${count.toLocaleString('en')} would be put back.`,
  nothingToPutBack: 'Nothing would be put back.',
  heldBack: 'Held back:',
  heldBackFor: (count: number, why: string) => `${count.toLocaleString('en')}: ${why}`,
  reason: 'Reason', reasonHow: 'Such as a ticket, and no name of a person. It is kept in the audit.',
  putBackSoFar: (done: number, planned: number) => (
    `${done.toLocaleString('en')} of ${planned.toLocaleString('en')} put back.`),
  putBackOf: (done: number, planned: number) => (
    `Done: ${done.toLocaleString('en')} put back, ${planned.toLocaleString('en')} planned.`),
  stillOpen: (count: number) => `Open of this signature: ${count.toLocaleString('en')}.`,
  refused: (detail: string) => `Refused: ${detail}`,
} as const;

/** An age for people, from seconds. */
export function ageText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7_200) return `${Math.round(whole / 60)} min`;
  return whole < 172_800 ? `${Math.round(whole / 3_600)} h` : `${Math.round(whole / 86_400)} d`;
}
