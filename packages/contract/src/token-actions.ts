/** The actions of limited tokens that several operations accept. */
import type { TokenAction } from '@portcullis/domain';

/**
 * For reading the caller's own jobs: what may request one. A limited token reaches those whose
 * image it may pull; with the action `report` for all folders it reads about each. Changing jobs
 * needs a token that is not limited.
 */
export const TOKENS_OF_JOBS = [
  'pull',
  'pull_external',
  'push',
  'push_external',
  'transfer',
] as const satisfies TokenAction[];

/** For saved registries: what may use one. */
export const TOKENS_OF_REGISTRIES = [
  'pull_external',
  'push_external',
  'transfer',
] as const satisfies TokenAction[];
