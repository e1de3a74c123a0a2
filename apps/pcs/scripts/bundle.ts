/**
 * Bundles the command with its packages into one file, which runs on Node alone: `node
 * scripts/bundle.ts [file]`.
 */
import path from 'node:path';
import { rolldown } from 'rolldown';

const HERE = path.resolve(import.meta.dirname, '..');
const file = path.resolve(process.argv[2] ?? path.join(HERE, 'dist', 'pcs.mjs'));

const bundle = await rolldown({
  input: path.join(HERE, 'src', 'main.ts'),
  platform: 'node',
  // The oldest Node of package.json has no `using`.
  transform: { target: 'node22' },
});
await bundle.write({ file, format: 'esm', minify: true, codeSplitting: false });
await bundle.close();
