import type { Budget, Question } from './questions.ts';

const MONTH = 'ts >= {month:DateTime(\'UTC\')} AND ts < {until:DateTime(\'UTC\')}';
const DAY = 'ts >= {since:DateTime(\'UTC\')} AND ts < {until:DateTime(\'UTC\')}';
const DAYS = 'day BETWEEN {from_day:Date} AND {to_day:Date}';
const BOX = 'south = {latitude:Float64} - 0.05, north = {latitude:Float64} + 0.05, '
  + 'west = {longitude:Float64} - 0.05, east = {longitude:Float64} + 0.05';
const [NOON, FIVE_PAST] = ['{noon:DateTime(\'UTC\')}', '{five_past:DateTime(\'UTC\')}'];
const [HOUR, MONTH_OF_RECEIPT] = [
  'since = {noon:DateTime64(3, \'UTC\')}, until = {one:DateTime64(3, \'UTC\')}',
  'since = {month:DateTime64(3, \'UTC\')}, until = {until:DateTime64(3, \'UTC\')}',
];

const inBox = (since: string, until: string): string => (
  `SELECT device_id, count() FROM v_fixes_in_box(${BOX}, since = ${since}, until = ${until})
   GROUP BY device_id`
);
const ofTransport = (since: string): string => (
  `SELECT device_id, count() FROM v_transport_locations(transport = 1007,
   since = ${since}, until = {until:DateTime('UTC')})
   GROUP BY device_id`
);
const question = (name: string, budget: Budget, sql: string): Question => ({ name, budget, sql });

/** What fleet analysts ask that no file of the cookbook asks. */
export const MORE_QUESTIONS: readonly Question[] = [
  question('box of five minutes', { seconds: 0.05, megaRows: 1 }, inBox(NOON, FIVE_PAST)),
  question('box of an hour', { seconds: 0.1, megaRows: 1 },
    inBox(NOON, '{one:DateTime(\'UTC\')}')),
  question('box of a day', { seconds: 0.3, megaRows: 1 },
    inBox('{since:DateTime(\'UTC\')}', '{until:DateTime(\'UTC\')}')),
  question('box of a month', { seconds: 2, megaRows: 10 },
    inBox('{month:DateTime(\'UTC\')}', '{until:DateTime(\'UTC\')}')),
  question('near a point, a month', { seconds: 2, megaRows: 10 }, `
    SELECT device_id, min(ts), min(distance_m) FROM v_fixes_near(latitude = {latitude:Float64},
      longitude = {longitude:Float64}, meters = 1000, since = {month:DateTime('UTC')},
      until = {until:DateTime('UTC')})
    GROUP BY device_id`),
  question('heat map of a day', { seconds: 1, megaRows: 10 }, `
    SELECT h3, sum(seconds), sum(devices) FROM v_heat
    WHERE day = toDate({since:DateTime('UTC')}) GROUP BY h3 ORDER BY sum(seconds) DESC LIMIT 1000`),
  question('heat map of a day by its fixes', { seconds: 3, megaRows: 10 }, `
    SELECT geoToH3(latitude, longitude, 8) AS cell, count() FROM v_locations
    WHERE ${DAY} GROUP BY cell ORDER BY count() DESC LIMIT 1000`),
  question('devices of each provider by day, a month', { seconds: 1, megaRows: 1 }, `
    SELECT provider, day, uniqExact(device_id) FROM v_device_days WHERE ${DAYS}
    GROUP BY provider, day ORDER BY provider, day`),
  question('seconds of each provider by day, a month', { seconds: 1, megaRows: 1 }, `
    SELECT provider, day, sum(seconds) FROM v_device_days WHERE ${DAYS}
    GROUP BY provider, day ORDER BY provider, day`),
  question('fastest devices, a month', { seconds: 1, megaRows: 1 }, `
    SELECT device_id, max(speed_max_kmh) AS fastest FROM v_device_days WHERE ${DAYS}
    GROUP BY device_id ORDER BY fastest DESC LIMIT 100`),
  question('devices above 110 km/h, a day', { seconds: 2, megaRows: 10 }, `
    SELECT device_id, count() AS fixes FROM v_locations WHERE speed > 110 AND ${DAY}
    GROUP BY device_id ORDER BY fixes DESC LIMIT 100`),
  question('mean battery of each device, a day', { seconds: 2, megaRows: 10 }, `
    SELECT device_id, avg(battery_level) FROM v_telemetry
    WHERE battery_level IS NOT NULL AND ${DAY} GROUP BY device_id`),
  question('one device, an hour', { seconds: 0.1, megaRows: 0.5 }, `
    SELECT ts, latitude, longitude FROM v_locations WHERE device_id = {device:String}
      AND ts >= ${NOON} AND ts < {one:DateTime('UTC')} ORDER BY ts`),
  question('one device, a month', { seconds: 1, megaRows: 5 }, `
    SELECT device_id, count(), max(speed) FROM v_locations
    WHERE device_id = {device:String} AND ${MONTH} GROUP BY device_id`),
  question('one transport, a day', { seconds: 0.5, megaRows: 10 },
    ofTransport('{since:DateTime(\'UTC\')}')),
  question('one transport, a month', { seconds: 3, megaRows: 20 },
    ofTransport('{month:DateTime(\'UTC\')}')),
  question('distance of each device by day, a month', { seconds: 1, megaRows: 1 }, `
    SELECT device_id, day, distance_m FROM v_device_days WHERE ${DAYS} ORDER BY device_id, day
    LIMIT 100000`),
  question('odd fixes of an hour', { seconds: 1, megaRows: 10 }, `
    SELECT count() FROM v_odd_fixes(device = '', since = ${NOON}, until = {one:DateTime('UTC')})`),
  question('scorecard of an hour', { seconds: 2, megaRows: 14 },
    `SELECT * FROM v_provider_quality(${HOUR})`),
  question('scorecard of a month', { seconds: 3, megaRows: 12 },
    `SELECT * FROM v_provider_quality(${MONTH_OF_RECEIPT})`),
  question('balance of an hour', { seconds: 1, megaRows: 10 }, `
    SELECT provider, sum(unexplained) FROM v_ingest_balance(${HOUR}) GROUP BY provider`),
  question('balance of a month', { seconds: 3, megaRows: 10 }, `
    SELECT provider, sum(unexplained) FROM v_ingest_balance(${MONTH_OF_RECEIPT})
    GROUP BY provider`),
];
