import type { SealedType } from '../../kernel/personal.ts';

/** What kind of personal data a member is. */
export type PersonalClass =
  'name' | 'document' | 'contact' | 'place' | 'vehicle' | 'free text' | 'secret' | 'purchase'
  | 'device' | 'unknown';

/** One row: where in a record, what it is, and what it is for. */
export interface PersonalField {
  /** Names from the record down, divided by points; everything below it belongs to it. */
  readonly path: string;
  readonly class: PersonalClass;
  readonly purpose: string;
}

/** What is known about the members of one kind of record. */
export interface PersonalRecord {
  /** Whose key seals it. */
  readonly subject: 'shipment' | 'order' | 'device';
  /** Who opens it again. */
  readonly readers: readonly string[];
  readonly personal: readonly PersonalField[];
  /**
   * Members that nobody is known by: these alone stay in clear. `[]` stands for the items of a
   * list. What is named nowhere, also by no schema, is sealed as `unknown`.
   */
  readonly clear: readonly string[];
}

const field = (path: string, kind: PersonalClass, purpose: string): PersonalField =>
  ({ path, class: kind, purpose });

const below = (base: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${base}.${name}`);

const NOTIFICATION: PersonalRecord = {
  subject: 'shipment',
  readers: ['the notification feed (scope tracking:read, of the carrier that notified)'],
  personal: [
    field('notification.payload.comment', 'free text', 'Part of the feed.'),
    field('notification.payload.agency.phone_number', 'contact', 'Where a package is asked for.'),
    field('notification.payload.location.zip_code', 'place', 'Where it happened.'),
    field('notification.payload.location.neighborhood_name', 'place', 'Where it happened.'),
    field('notification.payload.location.geolocation', 'place', 'Where it happened.'),
    field('notification.payload.redispatch.tracking_url', 'free text', 'Where people follow it.'),
    field('notification.payload.proof_of_delivery.receiver_document', 'document', 'Who received.'),
    field('notification.payload.proof_of_delivery.receiver_last_name', 'name', 'Who received.'),
    field('notification.payload.proof_of_delivery.receiver_name', 'name', 'Who received.'),
    field('notification.payload.driver', 'contact', 'Who delivers, for the receiver.'),
    field('notification.payload.vehicle.reference', 'vehicle', 'Which vehicle delivers.'),
  ],
  clear: [
    ...below('notification', ['tracking_number', 'code', 'carrier_code']),
    ...below('notification.payload', [
      'date', 'reason', 'flight.awb', 'declaration_number', 'agency_id', 'cost',
      'location.country_id', 'location.state_name', 'location.city_name', 'location.facility',
      'dimensions.height', 'dimensions.width', 'dimensions.length', 'dimensions.weight',
      'redispatch.tracking_number', 'redispatch.carrier_id', 'estimated_delivery_date',
      'estimated_pickup_date', 'proof_of_delivery.receiver_relationship',
      'vehicle.reference_type', 'details.transport.content.restricted_item_type',
      'consolidated_packages.consolidation_id', 'consolidated_packages.tracking_number',
      'consolidated_packages.shipments[]',
    ]),
  ],
};

const SIDES = ['sender', 'receiver'] as const;
const HANDLING = ['pickup', 'delivery'] as const;

/** The request of an authorization, the same in what we decide and in what we ask others. */
const REQUEST: Pick<PersonalRecord, 'personal' | 'clear'> = {
  personal: [
    field('request.keyword', 'secret', 'Hash of a word that the receiver is asked for.'),
    ...SIDES.flatMap((side) => {
      const user = `request.shipment_information.${side}`;
      return [
        field(`${user}.full_name`, 'name', 'To pick up and deliver.'),
        field(`${user}.first_name`, 'name', 'To pick up and deliver.'),
        field(`${user}.last_name`, 'name', 'To pick up and deliver.'),
        field(`${user}.phone`, 'contact', 'To call on delivery.'),
        field(`${user}.identification`, 'document', 'For the label and for customs.'),
        ...[
          'street_name', 'street_number', 'intersection', 'address_line', 'zip_code',
          'neighborhood', 'municipality', 'geolocation',
        ].map((name) => field(`${user}.address.${name}`, 'place', 'To pick up and deliver.')),
        field(`${user}.address.comment`, 'free text', 'How to find the entrance.'),
      ];
    }),
    field('request.shipment_information.package.items[].description', 'purchase',
      'For customs and handling.'),
    ...HANDLING.flatMap((handling) => [
      field(`request.requirements.${handling}.location_metadata.name`, 'place', 'Where to go.'),
      field(`request.requirements.${handling}.location_metadata.external_data`, 'contact',
        'Whom to call there.'),
      field(`request.requirements.${handling}.location_metadata.timetable`, 'place',
        'When a person is there.'),
    ]),
  ],
  clear: [
    ...below('request', [
      'id', 'transport_order_id', 'direction', 'test', 'carrier_information.contract',
      'carrier_information.agency.id', 'requirements.special_treatments[]',
      'requirements.delivery.affinity_group', 'requirements.delivery.delivery_strategy',
    ]),
    ...HANDLING.flatMap((handling) => below(`request.requirements.${handling}`, [
      'schedule.from', 'schedule.to', 'location_metadata.location_id', 'location_metadata.source',
      'location_metadata.types[]', 'location_metadata.has_reception',
      'location_metadata.is_present',
    ])),
    ...SIDES.flatMap((side) => below(`request.shipment_information.${side}.address`, [
      'city.id', 'city.name', 'state.id', 'state.name', 'country.id', 'country.name', 'facility_id',
    ])),
    ...below('request.shipment_information.package', [
      'amount', 'dimensions.height', 'dimensions.length', 'dimensions.width', 'dimensions.weight',
      'dimensions.volumetric_weight', 'items[].item_id', 'items[].quantity',
    ]),
  ],
};

/** Every kind of record that may hold personal data: what of it is sealed, and what is not. */
export const PERSONAL_RECORDS: Readonly<Record<SealedType, PersonalRecord>> = {
  NotificationRecorded: NOTIFICATION,
  ShipmentAuthorized: {
    subject: 'shipment', readers: ['rastro person show (the right of access)'], ...REQUEST,
  },
  ShipmentCancelled: {
    subject: 'shipment',
    readers: ['rastro person show (the right of access)'],
    personal: [field('reason', 'free text', 'Why it was cancelled, for people.')],
    clear: [],
  },
  AuthorizationAsked: {
    subject: 'order', readers: ['the authorizer, which sends it to the carrier'], ...REQUEST,
  },
  AuthorizationTried: {
    subject: 'order',
    readers: ['rastro person show (the right of access)'],
    personal: [field('answer.status_message', 'free text', 'What the carrier says, for people.')],
    clear: below('answer', [
      'id', 'status', 'error_code', 'tracking_number', 'authorization_information.date',
    ]),
  },
  DeadLetter: {
    subject: 'shipment',
    readers: ['an operator who repairs the feed of a carrier, with the key'],
    personal: [field('item', 'unknown', 'An item of a feed that is no notification, as it came.')],
    clear: [],
  },
  DeviceRegistered: {
    subject: 'device',
    readers: ['the operations that answer a device, for its owner'],
    personal: [
      field('entity_id', 'vehicle', 'How its owner calls it; may be a plate or a driver.'),
      field('device_specs.equipment_id', 'device', 'Which of several devices it is.'),
    ],
    clear: below('device_specs', ['device_type', 'brand', 'model']),
  },
};

/** One row of what may point to a person and is not sealed all the same, with the reason. */
export interface OpenField {
  readonly record: string;
  readonly path: string;
  readonly reason: string;
}

const open = (record: string, path: string, reason: string): OpenField =>
  ({ record, path, reason });

/** What is not sealed although it may point to a person. */
export const OPEN_FIELDS: readonly OpenField[] = [
  open('DeviceRegistered', 'entity_hash',
    'A keyed hash that finds an entity again; names cannot be tried out without the pepper.'),
  open('DeliveryLocationsRecord', 'device.external_id',
    'A pseudonym of the provider, and the key that keeps order; kept 7 days in the log.'),
  open('LocationsRecord', 'locations[].metadata',
    'Free pairs of a fix, at most 20; positions of vehicles, kept 7 days in the log.'),
  open('ProviderCommandIssued', 'body', 'Plates of carriers\' vehicles, and facilities; 90 days.'),
];
