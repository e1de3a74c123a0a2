/**
 * `npm run bench [-- runs [pulls|families|pushes|staged]]`: the product against crane, regctl,
 * skopeo and the bare registry, in turn. Marks each figure below its aim, and prints the table of
 * all aims. Needs 25 GB of disk under TMPDIR and half an hour. `npm run bench quick` leaves out
 * what is large, the batches and the warm-ups, and takes less than three minutes.
 */
import { aimTable, type Measured, table } from './aims.ts';
import { PEERS } from './copies/peers.ts';
import { families, pulls } from './copies/pulls.ts';
import { pushes, stagedPushes } from './copies/pushes.ts';
import { openSetting } from './copies/setting.ts';
import { serve } from './serve.ts';
import { transfers } from './transfer.ts';

const PARTS = [undefined, 'pulls', 'families', 'pushes', 'staged'];

const [amount = '3', only] = process.argv.slice(2);
const isQuick = amount === 'quick';
const runs = isQuick ? 1 : Number(amount);
if (!Number.isInteger(runs) || runs < 1 || !PARTS.includes(only)) {
  process.stderr.write('Usage: npm run bench [-- runs|quick [pulls|families|pushes|staged]]\n');
  process.exit(2);
}
const rounds = { warmUps: isQuick ? 0 : 1, runs };

const isWanted = (part: string) => only === undefined || only === part;

async function copies(): Promise<Measured> {
  await using setting = await openSetting(rounds, isQuick);
  process.stdout.write(table(['work', 'ours', ...PEERS], []));
  if (isWanted('pulls')) await pulls(setting);
  if (isWanted('families')) await families(setting);
  if (isWanted('pushes')) await pushes(setting);
  if (isWanted('staged')) await stagedPushes(setting);
  return setting.measured;
}

const started = performance.now();
const measured: Measured = new Map();
const others = isQuick ? [() => serve(1, '1')] : [() => serve(runs), () => transfers(runs)];
for (const part of [copies, ...(only === undefined ? others : [])]) {
  for (const [id, value] of await part()) measured.set(id, value);
  process.stdout.write('\n');
}
process.stdout.write(aimTable(measured));
process.stdout.write(`\n${Math.round((performance.now() - started) / 1000)} s\n`);
