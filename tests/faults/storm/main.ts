/** `npm run storm -- --kills 200 --seed 7`: the kill test with any number of kills. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { storm } from './storm.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? randomInt(1_000_000));
const print = (text: string) => process.stdout.write(`${text}\n`);
print(`${values.kills} kills with the seed ${seed}`);
const { faults, left, ...facts } = await storm({ kills: Number(values.kills), seed, print });
print(JSON.stringify(facts));
for (const fault of [...faults, ...left.map((each) => `still running: ${each}`)])
  print(`FAULT: ${fault}`);
if (faults.length + left.length > 0) process.exitCode = 1;
