/** `portcullis waivers import-vex`: an OpenVEX document becomes requested waivers. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { OpenVex } from '@portcullis/contract';
import { assertAllowed, mayRequestWaiver } from '@portcullis/domain';
import { invalid, tooLarge } from '@portcullis/errors';
import { vexRequests } from '@portcullis/gate';
import type { CommandCall, Result } from '../command.ts';
import { announceChange, withStore } from '../connections.ts';
import { principalOf, waiverDays } from '../waiver-orders.ts';

const MAX_BYTES = 1_048_576;
const MOST_NOTED = 100;

export async function importVex(call: CommandCall, file: string): Promise<Result> {
  const document = await readDocument(path.resolve(call.config.cwd, file));
  const days = waiverDays(call);
  const folder = call.value('folder') ?? null;
  const done = await withStore(call, async (store) => {
    const by = await principalOf(store, call.value('account'));
    assertAllowed(mayRequestWaiver(by, { folder }));
    const order = { requestedById: by.id, folder, days, host: hostOf(call) };
    const known = { waivers: store.waivers, now: new Date() };
    const { wanted, skipped } = await vexRequests(known, document, order);
    return { by, skipped, requested: await store.waivers.insertWaivers(wanted) };
  });
  const ids = done.requested.map(({ id }) => id);
  const { author, '@id': id } = document;
  const counts = { requested: ids.length, skipped: done.skipped.length };
  const warnings = await announceChange(call, {
    event: 'waiver.requested',
    action: 'waivers import-vex',
    resource: { kind: 'vex_document', id: null, name: id.slice(0, 255) },
    detail: {
      ...{ account: done.by.username, author, folder, ...counts },
      waivers: ids.slice(0, MOST_NOTED),
    },
    change: 'gate',
  });
  const lines = [
    `${ids.length} waivers were requested, ${done.skipped.length} statements were skipped`,
    ...done.skipped.map(({ statement, reason }) => `statement ${statement}: ${reason}`),
  ];
  return {
    lines: [...lines, ...warnings],
    facts: { waivers: ids, skipped: done.skipped, warnings },
  };
}

function hostOf({ config: { publicUrl, port } }: CommandCall): string {
  return publicUrl === undefined ? `localhost:${port}` : new URL(publicUrl).host.toLowerCase();
}

/** @throws invalid `USAGE` with every wrong field */
async function readDocument(file: string): Promise<OpenVex> {
  if ((await stat(file)).size > MAX_BYTES)
    throw tooLarge('BODY_TOO_LARGE', `${file} is larger than 1 MiB`);
  const parsed = OpenVex.safeParse(jsonOf(file, await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    ({ path: field, message }) => `${field.join('.') || 'the document'}: ${message}`,
  );
  throw invalid('USAGE', `${file} is no OpenVEX document: ${faults.join('; ')}`);
}

function jsonOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('USAGE', `${file} is not JSON`);
  }
}
