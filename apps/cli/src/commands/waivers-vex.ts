/**
 * `portcullis waivers import-vex`: an OpenVEX document becomes requested waivers; `export-vex`: the
 * waivers in force become one.
 */

import path from 'node:path';
import { plainJson, type Result } from '@portcullis/command';
import { OpenVex } from '@portcullis/contract';
import { assertAllowed, folderOf, mayRequestWaiver } from '@portcullis/domain';
import { invalid, notFound } from '@portcullis/errors';
import { createVexDocuments, vexRequests } from '@portcullis/gate';
import { isDigest } from '@portcullis/oci';
import type { CommandCall } from '../command.ts';
import { announceChange, withStore } from '../connections.ts';
import { localImage, publicHost, withRegistry } from '../local-image.ts';
import { principalOf, waiverDays } from '../waiver-orders.ts';
import { readDocument } from './json-document.ts';

const MOST_NOTED = 100;
const PATIENCE_MS = 20_000;

export async function importVex(call: CommandCall, file: string): Promise<Result> {
  const document = await readDocument(path.resolve(call.config.cwd, file), OpenVex, {
    codes: { invalid: 'USAGE', large: 'BODY_TOO_LARGE' },
    fault: 'is no OpenVEX document',
  });
  const days = waiverDays(call);
  const folder = call.value('folder') ?? null;
  const done = await withStore(call, async (store) => {
    const by = await principalOf(store, call.value('account'));
    assertAllowed(mayRequestWaiver(by, { folder }, await store.mirrors.byFolder()));
    const order = { requestedById: by.id, folder, days, host: publicHost(call) };
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

/** Of the folder, or of the image: exactly one of them is given. The document is the output. */
export async function exportVex(call: CommandCall, image: string | undefined): Promise<Result> {
  const folder = call.value('folder');
  if ((image === undefined) === (folder === undefined))
    throw invalid('USAGE', 'usage: portcullis waivers export-vex <image>, or --folder <folder>');
  const document = await withStore(call, async (store) => {
    const host = publicHost(call);
    const { version } = call.config;
    const now = () => new Date();
    const documents = createVexDocuments({ store, publicHost: () => host, version, now });
    const folders = new Set(await store.folders.names());
    if (image === undefined) return documents.ofFolder(knownFolder(folder, folders));
    const { repository, reference } = localImage(call, image);
    const digest = await digestOf(call, { repository, reference });
    return documents.ofImage({ digest, repository, folder: folderOf(repository, folders) });
  });
  return { lines: plainJson(document).split('\n'), facts: { ...document } };
}

/** @throws not_found `FOLDER_UNKNOWN` */
function knownFolder(name: string | undefined, folders: ReadonlySet<string>): string {
  if (name !== undefined && folders.has(name)) return name;
  throw notFound('FOLDER_UNKNOWN', `there is no folder ${name ?? ''}`);
}

/** Only a tag needs the registry. */
async function digestOf(
  call: CommandCall,
  { repository, reference }: { repository: string; reference: string },
): Promise<string> {
  if (isDigest(reference)) return reference;
  if (!call.surroundings.has('registry'))
    throw invalid('USAGE', 'a tag needs REGISTRY_URL; or name the image by its digest');
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return withRegistry(
    call,
    async (open) => (await open(repository).resolve(reference, { signal })).digest,
  );
}
