/** A pair of texts. */
export interface KeyValue {
  readonly name: string;
  readonly value: string;
}

/** What the vehicle measured at a fix; the units are those of the interface. */
export interface Telemetry {
  readonly timestamp: number;
  readonly ignition?: boolean;
  readonly odometer?: number;
  readonly speed?: number;
  readonly speed_accuracy?: number;
  readonly engine_rpm?: number;
  readonly engine_temperature?: number;
  readonly air_temperature?: number;
  readonly acceleration_longitudinal?: number;
  readonly acceleration_lateral?: number;
  readonly direction?: string;
  readonly fuel_quantity?: number;
  readonly fuel_level?: number;
  readonly fuel_consumption?: number;
  readonly battery_level?: number;
  readonly battery_consumption?: number;
  readonly battery_health?: number;
  readonly battery_temperature?: number;
  readonly battery_remaining?: number;
  readonly others?: readonly KeyValue[];
}

/** Where a traceable was (endpoint 12). */
export interface DeliveryFix {
  readonly timestamp: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude?: number;
  readonly accuracy?: number;
  readonly bearing?: number;
  readonly bearing_accuracy?: number;
  readonly metadata?: readonly KeyValue[];
}

/** One GPS fix of a device (endpoint 9). */
export interface LocationFix extends DeliveryFix {
  readonly country_id: string;
  readonly telemetry?: Telemetry;
}

/** A telemetry event of a device (endpoint 10). */
export interface TelemetryEvent {
  readonly name: 'harsh_braking' | 'harsh_acceleration' | 'unfastened_seatbelt' | 'sharp_turn'
  | 'speeding_route' | 'speeding_ops';
  readonly start_date: string;
  readonly end_date: string;
  readonly distance?: number;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly external_id?: string;
  readonly last_updated_date?: string;
  readonly status?: number;
  readonly metadata?: readonly KeyValue[];
}

/** The driver and what is carried, of delivery locations. */
export interface DeliveryHead {
  readonly device: { readonly external_id: string; readonly external_type: string };
  readonly traceables: readonly { readonly id: string; readonly type: string }[];
}

/** The error body of RFC 9457; `code` is stable, texts are not. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly {
    readonly pointer: string; readonly code: string; readonly message: string;
  }[];
  readonly type?: string;
  readonly title?: string;
  readonly request_id?: string;
}

/** The outcome of every item of an accepted call; `settled` once each item has one. */
export interface Receipt {
  readonly ingest_id: string;
  readonly received_at: string;
  readonly items: number;
  readonly settled: boolean;
  readonly waiting: number;
  readonly outcomes: {
    readonly stored: number;
    readonly duplicate: number;
    readonly outlier: number;
    readonly dead_lettered: number;
  };
  readonly records: readonly object[];
}
