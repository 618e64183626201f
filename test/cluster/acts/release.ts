import { secondsSince, type Act, type ActFinding } from '../../containers/acts/act.ts';
import { deploy } from '../product/deploy.ts';
import { OURS } from '../product/ours.ts';
import type { ProductStage } from '../product/place.ts';
import { podsOf } from '../product/pods.ts';
import { moreRows, underLoad } from '../product/under-load.ts';
import { offenceBy } from './offences.ts';

/** The next version of the product and back, Pod by Pod. */
export const release: Act<ProductStage> = {
  name: 'release',
  does: 'the next version and back to the one before, while devices drive: no call fails',
  run: (stage) => underLoad(stage, {
    name: 'release', disturb, touches: (app) => OURS.has(app), answersAll: true,
  }),
  offences: [offenceBy(
    'the image of the next version is nowhere', 'next-is-absent', /ErrImagePull|ImagePullBackOff/,
  )],
};

async function disturb(stage: ProductStage): Promise<ActFinding> {
  const { tag } = stage.tags;
  const next = stage.mistakes.has('next-is-absent') ? '0.0.0-absent' : stage.tags.next;
  const there = performance.now();
  const complaints = await roll(stage, next);
  if (complaints.length > 0) {
    const left = await undo(stage, next);
    return { seen: `no ${next}`, complaints: [...complaints, ...left] };
  }
  const thereTook = secondsSince(there);
  await moreRows(stage);
  const back = performance.now();
  const backComplaints = await roll(stage, tag);
  return {
    seen: `${tag} to ${next} in ${thereTook}, back in ${secondsSince(back)}`,
    complaints: backComplaints,
  };
}

/** Deploys a version; then every Pod has it. */
async function roll(stage: ProductStage, tag: string): Promise<readonly string[]> {
  const complaints = await deploy(stage, tag);
  if (complaints.length > 0) return complaints;
  const { plane } = await stage.cluster();
  return (await podsOf(plane)).filter(({ app, isLeaving }) => OURS.has(app) && !isLeaving)
    .filter(({ image }) => image !== `rastro:${tag}`)
    .map(({ name, image }) => `${name} runs ${image}`);
}

/** Back from a version that cannot be had: its Jobs would try forever. */
async function undo(stage: ProductStage, next: string): Promise<readonly string[]> {
  const { plane } = await stage.cluster();
  await plane.kubectl([
    '--namespace', 'rastro', 'delete', 'job', '--ignore-not-found',
    `rastro-topics-${next}`, `rastro-migrations-${next}`,
  ]);
  return deploy(stage, stage.tags.tag);
}
