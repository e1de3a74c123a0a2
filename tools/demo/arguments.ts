/** The arguments of `npm run demo`. */
import { parseArgs } from 'node:util';
import { Refusal } from './refusal.ts';

export interface Arguments {
  /** Whether the demonstration is removed instead of run. */
  remove: boolean;
}

/** @throws Refusal */
export function readArguments(args: string[]): Arguments {
  const options = { remove: { type: 'boolean', default: false } } as const;
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal(`${why}; npm run demo knows -- --remove alone`);
  }
}
