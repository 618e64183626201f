import { join } from 'node:path';
import type { SeededOffence } from '../../containers/acts/act.ts';
import { edit, type TextEdit } from '../../containers/product.ts';
import { ask } from '../../containers/machine/ask.ts';
import { deploy } from '../product/deploy.ts';
import type { ActSlip, ProductStage } from '../product/place.ts';

const LOSE_ROW = join(import.meta.dirname, '../../containers/inside/lose-row.ts');
const LOSE_MS_MAX = 300_000;

/** A stored location is deleted when the drive is over: the account must miss it. */
export const lostRow: SeededOffence<ProductStage> = {
  name: 'a stored location is deleted',
  seed(stage) {
    const lose = async (): Promise<void> => {
      const { namespaces } = await stage.cluster();
      await ask(namespaces, LOSE_ROW, stage.product().tablesAdmin, LOSE_MS_MAX);
    };
    stage.spoils.push(lose);
    return Promise.resolve(() => { stage.spoils.splice(stage.spoils.indexOf(lose), 1); });
  },
  said: /lost=1\b/,
};

/** An act leaves something out, or does it wrong. */
export function offenceBy(
  name: string, mistake: ActSlip, said: RegExp,
): SeededOffence<ProductStage> {
  return {
    name, said,
    seed({ mistakes }) {
      mistakes.add(mistake);
      return Promise.resolve(() => { mistakes.delete(mistake); });
    },
  };
}

/** The budget of a Deployment is not there. */
export function budgetRemoved(app: string, said: RegExp): SeededOffence<ProductStage> {
  return changedOnServer(`${app} has no budget`, ['delete', 'poddisruptionbudget', app], said);
}

/** A resource is changed on the API server alone; a deploy makes it what the manifests say. */
export function changedOnServer(
  name: string, words: readonly string[], said: RegExp,
): SeededOffence<ProductStage> {
  return {
    name, said,
    async seed(stage) {
      const { plane } = await stage.cluster();
      await plane.kubectl(['--namespace', 'rastro', ...words]);
      return async () => {
        const complaints = await deploy(stage, stage.tags.tag);
        if (complaints.length > 0) throw new Error(complaints.join('; '));
      };
    },
  };
}

/** A text of the manifests is another. */
export function misedited(
  name: string, change: TextEdit, said: RegExp,
): SeededOffence<ProductStage> {
  return { name, said, seed: ({ copy }) => Promise.resolve(edit(copy, change)) };
}
