/**
 * Each process of the product is killed with `kill -9` three times, in a random order and under
 * load; `npm run storm` kills any number of times.
 */

import { randomInt } from 'node:crypto';
import { PATIENCE_MS } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { VICTIMS } from './storm/installation.ts';
import { storm } from './storm/storm.ts';

const TIMES = 3;

it(
  'F4, F5: after three kills of each process nothing is lost, doubled, unaudited or left behind',
  async () => {
    const seed = Number(process.env.STORM_SEED ?? randomInt(1_000_000));
    const said: string[] = [];
    const report = await storm({
      kills: TIMES * VICTIMS.length,
      seed,
      print: (text) => said.push(text),
    });
    process.stdout.write(`kill storm, STORM_SEED=${seed}: ${JSON.stringify(report)}\n`);
    expect(report.faults, `STORM_SEED=${seed}\n${said.join('\n')}`).toEqual([]);
    expect(report.left).toEqual([]);
  },
  8 * PATIENCE_MS,
);
