/** Describes what is stored of images that clusters run. */

/** How many were kept, and how many were not, because their cluster is one too many. */
export interface KeptRunning {
  kept: number;
  left: number;
}
