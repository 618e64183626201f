import type { ControlPlane } from '../control-plane.ts';
import type { Overlay, Rendering } from '../overlays.ts';

/** What the acts of a cluster share. */
export interface ClusterStage {
  readonly runId: string;
  /** A folder of this run. */
  readonly folder: string;
  readonly print: (line: string) => void;
  /** How overlays are rendered: from a copy that offences may change. */
  readonly rendering: Rendering;
  /** The control plane of an overlay, with every definition; that of another one is ended first. */
  readonly plane: (overlay: Overlay) => Promise<ControlPlane>;
  /** Ends the control plane that runs. */
  readonly close: () => Promise<void>;
}
