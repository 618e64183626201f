import type { Signals } from '../../kernel/signals.ts';
import type { RunningTracer } from './open-tracer.ts';

/** The settings of traces, by the names of their variables. */
export interface TraceSettings {
  readonly RASTRO_TRACES: boolean;
  readonly RASTRO_TRACES_RATIO: number;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string;
}

/** The tracer of a process, or nothing: then not even the library is loaded. */
export async function startTracing(
  service: string, settings: TraceSettings, ports: { readonly signals: Signals },
): Promise<RunningTracer | undefined> {
  if (!settings.RASTRO_TRACES) return undefined;
  const { openTracer } = await import('./open-tracer.ts');
  return openTracer({
    service, endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: settings.RASTRO_TRACES_RATIO,
  }, ports);
}
