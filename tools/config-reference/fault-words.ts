/**
 * What each fault code means and what to do about it: the words of docs/guide/faults.md, which
 * words/faults.json has by subject. A remedy that several codes share is under its name.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const Faults = z.record(z.string(), z.tuple([z.string(), z.string()]));
const Subjects = z.record(z.string(), Faults);

const Catalogue = z.strictObject({
  remedies: z.record(z.string(), z.string()),
  api: Subjects,
  /** Of wrong fields; they have no remedy. */
  fields: z.record(z.string(), z.string()),
  /** In `error` of a job, and of transfers, scans and maintenance tasks. */
  jobs: Subjects,
  /** Where a process refuses to start. */
  start: Faults,
  command: Faults,
});

/** What happened, and what the caller or the operator can do. */
export type FaultWords = z.infer<typeof Faults>[string];

const FILE = path.join(import.meta.dirname, 'words/faults.json');
const { remedies, api, fields, jobs, start, command } = Catalogue.parse(
  JSON.parse(readFileSync(FILE, 'utf8')),
);

export const API_FAULTS = mapped(api, withRemedies);
export const FIELD_FAULT_WORDS = fields;
export const JOB_FAULTS = mapped(jobs, withRemedies);
export const START_FAULTS = withRemedies(start);
export const COMMAND_FAULTS = withRemedies(command);

function withRemedies(words: Record<string, FaultWords>): Record<string, FaultWords> {
  return mapped(words, ([happened, remedy]): FaultWords => [happened, remedies[remedy] ?? remedy]);
}

function mapped<T, R>(record: Record<string, T>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
