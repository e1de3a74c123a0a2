import { createMemory } from './memory.ts';
import { describeTarget } from './target.contract.ts';

describeTarget('memory', async () => ({ target: createMemory(), close: async () => undefined }));
