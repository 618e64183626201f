/** Settings of every operation, as tests of whole gateways use them. */
export const OPERATION_SETTINGS = {
  RASTRO_SECRET_PEPPER: 'pepper-for-tests', RTT_REQUIRE_OPEN_MONITORING: false,
  RASTRO_CARRIER_CLIENT_ID: undefined, RASTRO_CONTRACTS_REQUIRING_AGENCY: [],
  RASTRO_RACE_WAIT_MS_MAX: 2_000,
};
