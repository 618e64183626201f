import { FUTURE_TOLERANCE_SECONDS } from './limits.ts';
import { parseFields } from './json-fields.ts';
import type { LogRecord } from './record-log.ts';
import { isPlausible, readFix, type Fix, type FixConfig } from './plausible-fix.ts';
import { cutNewestFix } from './cut-newest-fix.ts';

/**
 * The newest plausible fix of a post, the last in the list of those at one second; `none` when no
 * fix is plausible, undefined when the value is no post. Most values are not parsed for it.
 */
export function newestFix(
  config: FixConfig, record: Pick<LogRecord, 'value' | 'headers'>, receivedAtSeconds: number,
): Fix | 'none' | undefined {
  const cut = cutNewestFix(record.value, Number(record.headers['n']), {
    fromSeconds: receivedAtSeconds - config.fixAgeSecondsMax,
    toSeconds: receivedAtSeconds + FUTURE_TOLERANCE_SECONDS,
  });
  const fix = cut === undefined ? undefined : readFix(parseFields(cut));
  if (fix !== undefined && isPlausible(config, fix, receivedAtSeconds)) return fix;
  return newestParsed(config, record.value, receivedAtSeconds);
}

function newestParsed(
  config: FixConfig, value: Buffer, receivedAtSeconds: number,
): Fix | 'none' | undefined {
  const fixes = parseFields(value)?.['locations'];
  if (!Array.isArray(fixes)) return undefined;
  let newest: Fix | 'none' = 'none';
  for (const item of fixes as readonly unknown[]) {
    const fix = readFix(item);
    if (fix === undefined) return undefined;
    if (!isPlausible(config, fix, receivedAtSeconds)) continue;
    if (newest === 'none' || fix.timestamp >= newest.timestamp) newest = fix;
  }
  return newest;
}
