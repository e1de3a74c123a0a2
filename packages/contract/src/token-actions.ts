/** The actions of limited tokens that several operations accept. */
import type { TokenAction } from '@portcullis/domain';

/** For the caller's own jobs: what may request one. */
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
