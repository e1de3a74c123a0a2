import { describeTarget } from '../copy/target.contract.ts';
import { createMemoryStore } from './memory.ts';

describeTarget('memory', async () => ({
  target: createMemoryStore(),
  close: async () => undefined,
}));
