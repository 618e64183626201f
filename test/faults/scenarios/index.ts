import type { Scenario } from '../scenario.ts';
import { brokerHangs } from './broker-hangs.ts';
import { brokerKilled } from './broker-killed.ts';
import { calm } from './calm.ts';
import { crashLoop } from './crash-loop.ts';
import { diskFull } from './disk-full.ts';
import { senderKilled } from './sender-killed.ts';
import { gatewayCommands } from './gateway-commands.ts';
import { gatewayFrozen } from './gateway-frozen.ts';
import { gatewayKilled } from './gateway-killed.ts';
import { gatewaySteps } from './gateway-steps.ts';
import { liveFrozen } from './live-frozen.ts';
import { liveKilled } from './live-killed.ts';
import { liveLogCut } from './live-log-cut.ts';
import { liveStateWiped } from './live-state-wiped.ts';
import { logUnreachable } from './log-unreachable.ts';
import { lostAcknowledgements } from './lost-acknowledgements.ts';
import { partyAway } from './party-away.ts';
import { rebalanceStorm } from './rebalance-storm.ts';
import { fewRepeatedCommands } from './repeated-commands.ts';
import { registryDown } from './registry-down.ts';
import { receipts } from './receipts.ts';
import { retentionPassed } from './retention-passed.ts';
import { rollingRestart } from './rolling-restart.ts';
import { stateCluster } from './state-cluster.ts';
import { stateFailover } from './state-failover.ts';
import { stateFull } from './state-full.ts';
import { stateRestarts } from './state-restarts.ts';
import { stateUnreachable } from './state-unreachable.ts';
import { stateWiped } from './state-wiped.ts';
import { tablesAway } from './tables-away.ts';
import { tablesDiskLost } from './tables-disk-lost.ts';
import { tablesKilled } from './tables-killed.ts';
import { threeBrokers } from './three-brokers.ts';
import { topicRecreated } from './topic-recreated.ts';
import { twoSenders } from './two-senders.ts';
import { twoVersions } from './two-versions.ts';
import { webhooksKilled } from './webhooks-killed.ts';
import { workerKilled } from './worker-killed.ts';
import { workerSteps } from './worker-steps.ts';
import { workersFrozen } from './workers-frozen.ts';
import { wrongClocks } from './wrong-clocks.ts';

/** Every scenario, in the order in which a matrix runs them. */
export const SCENARIOS: readonly Scenario[] = [
  calm,
  gatewayKilled,
  workerKilled,
  lostAcknowledgements,
  stateWiped,
  tablesKilled,
  rollingRestart,
  gatewaySteps,
  gatewayCommands,
  fewRepeatedCommands,
  workerSteps,
  senderKilled,
  gatewayFrozen,
  workersFrozen,
  rebalanceStorm,
  brokerKilled,
  brokerHangs,
  logUnreachable,
  stateRestarts,
  stateUnreachable,
  stateFull,
  tablesAway,
  registryDown,
  wrongClocks,
  partyAway,
  threeBrokers,
  stateFailover,
  stateCluster,
  tablesDiskLost,
  diskFull,
  crashLoop,
  retentionPassed,
  topicRecreated,
  twoSenders,
  webhooksKilled,
  liveKilled,
  liveFrozen,
  liveLogCut,
  liveStateWiped,
  receipts,
  twoVersions,
];
