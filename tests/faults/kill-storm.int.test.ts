/**
 * Thirty random `kill -9` over all processes of the product under load; `npm run storm` does any
 * number.
 */
import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { storm } from './storm/storm.ts';

it('F4, F5: after 30 random kills nothing is lost, doubled, unaudited or left behind', async () => {
  const seed = Number(process.env.STORM_SEED ?? randomInt(1_000_000));
  const said: string[] = [];
  const report = await storm({ kills: 30, seed, print: (text) => said.push(text) });
  process.stdout.write(`kill storm, STORM_SEED=${seed}: ${JSON.stringify(report)}\n`);
  expect(report.faults, `STORM_SEED=${seed}\n${said.join('\n')}`).toEqual([]);
  expect(report.left).toEqual([]);
}, 900_000);
