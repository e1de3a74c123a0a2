import { describeTarget } from '../copy/target.contract.ts';
import { createMemory } from './memory.ts';

describeTarget('memory', async () => ({ target: createMemory(), close: async () => undefined }));
