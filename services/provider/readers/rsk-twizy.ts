import type { Telemetry } from '../../../schemas/generated/types.ts';
import { createTrackCollector, type TrackReader } from './track.ts';
import { readLocal, readNumber, readRows } from './values.ts';

/** Morocco keeps UTC+1, but kept UTC+0 during Ramadan of 2021 (epoch seconds, local). */
const UTC_FROM = Date.UTC(2021, 3, 11) / 1000;
const UTC_UNTIL = Date.UTC(2021, 4, 16) / 1000;

const OTHERS = ['GpsSpeed', 'Humidity', 'Weather', 'WindSpeedAv', 'Traffic', 'SpeedLimit'];

/**
 * One drive of an electric car at 1 Hz, one track per file. CAN values change each second while the
 * GPS fix is held for about twelve; impossible dates (`90/02/2032`) cannot be sent and leave a gap.
 */
export const readRskTwizy: TrackReader = (text, name) => {
  const collector = createTrackCollector('rsk-twizy', 'MA');
  const vehicle = name.replace(/\.csv$/, '');
  for (const row of readRows(text)) {
    const [date, time, soc, speed, mode, latText, lonText, altText, gpsSpeed, temperature] = row;
    const timestamp = readMoroccanTime(date, time);
    const latitude = readNumber(latText);
    const longitude = readNumber(lonText);
    if (timestamp === undefined || latitude === undefined || longitude === undefined) {
      collector.addUnsendable(vehicle);
      continue;
    }
    const altitude = readNumber(altText);
    collector.add(vehicle, {
      timestamp,
      country_id: 'MA',
      latitude,
      longitude,
      ...(altitude === undefined ? {} : { altitude }),
      telemetry: {
        timestamp,
        ignition: mode !== 'N',
        ...numbers({ speed, battery_level: soc, air_temperature: temperature }),
        others: pairs([gpsSpeed, ...row.slice(10)]),
      },
    });
  }
  return collector.tracks();
};

function numbers(texts: Record<string, string | undefined>): Partial<Telemetry> {
  const values: Record<string, number> = {};
  for (const [field, text] of Object.entries(texts)) {
    const value = readNumber(text);
    if (value !== undefined) values[field] = value;
  }
  return values;
}

function pairs(values: readonly (string | undefined)[]): NonNullable<Telemetry['others']> {
  return OTHERS.flatMap((name, index) => {
    const value = values[index];
    return value === undefined || value === '' ? [] : [{ name, value }];
  });
}

function readMoroccanTime(date: string | undefined, time: string | undefined) {
  const parts = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(date ?? '');
  if (parts === null) return undefined;
  const local = readLocal(Number(parts[3]), Number(parts[1]), Number(parts[2]), time);
  if (local === undefined) return undefined;
  return local >= UTC_FROM && local < UTC_UNTIL ? local : local - 3600;
}
