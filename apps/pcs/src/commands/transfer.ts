/** `pcs transfer`: plans, requests and follows a transfer. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { ApiClient } from '@portcullis/client';
import { countText, type Result } from '@portcullis/command';
import type { Job, TransferRequest } from '@portcullis/contract';
import { invalid } from '@portcullis/errors';
import { BYPASS, bypassOf } from '../bypass.ts';
import type { PcsCall, PcsCommand } from '../command.ts';
import { EXIT, exitCodeOfTransfer } from '../exit-codes.ts';
import { followTransfer } from '../following.ts';
import { ID_FILE, writeIdFile } from '../id-file.ts';
import { type ImageLine, linesIn, listedImage } from '../image-list.ts';
import { registryOf } from '../images.ts';
import { PLATFORM, platformsOf } from '../platforms.ts';
import { REFERRERS, referrersOf } from '../referrers.ts';
import { type EndedTransfer, planLines, transferLines } from '../transfer-lines.ts';

export const transfer: PcsCommand = {
  name: 'transfer',
  words: ['[image…]'],
  summary: 'copy many images through the gate',
  help: [
    'The images are words, or lines of the file -f (- for standard input): `nginx:1.29`, `library/nginx:1.2?`,',
    '`library/nginx@sha256:…`, optionally followed by the repository at the destination; # begins a comment. With --wait',
    'it lists the blocked images with the reasons, and the exit code is 3 if there are any, 1 if others failed.',
    'With --plan it lists those that would be blocked by what earlier scans found; the exit code does not count them.',
  ],
  options: {
    file: { type: 'string', short: 'f', help: 'a file with an image in each line' },
    from: {
      type: 'string',
      help: 'the source: a saved registry by its name, host or id, local, or hub (default)',
    },
    to: { type: 'string', help: 'the folder of the destination' },
    registry: {
      type: 'string',
      help: 'the registry of the destination; by default the built-in one',
    },
    tag: { type: 'string', help: 'the tag at the destination; by default that of the source' },
    ...PLATFORM,
    ...REFERRERS,
    plan: { type: 'boolean', help: 'show what would be copied; nothing is changed' },
    wait: { type: 'boolean', short: 'w', help: 'wait until it has ended' },
    quiet: { type: 'boolean', short: 'q', help: 'print only the id of the transfer' },
    ...ID_FILE,
    ...BYPASS,
  },
  async run(call) {
    const lines = await listImages(call);
    if (lines.length === 0) throw invalid('USAGE', 'name the images, or a file of them with -f');
    const api = await call.api();
    const body = await requestOf(call, api, lines);
    if (call.flag('plan')) return planned(api, body);
    const accepted = await api.call('transfers.transfer', { body });
    const id = accepted.transfer_id;
    await writeIdFile(call, id);
    if (call.flag('wait')) return waitForEnd(call, api, id);
    const said = `The transfer was requested: ${id}, ${countText(accepted.count, 'image')}`;
    return { lines: [call.flag('quiet') ? id : said], facts: accepted };
  },
};

async function listImages({ words, value }: PcsCall): Promise<ImageLine[]> {
  const file = value('file');
  const given = words.map((word) => ({ text: word, where: '' }));
  if (file === undefined) return given;
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  return [...given, ...linesIn(content, file === '-' ? 'standard input' : file)];
}

async function requestOf(
  call: PcsCall,
  api: ApiClient,
  lines: readonly ImageLine[],
): Promise<TransferRequest> {
  const include_referrers = referrersOf(call);
  const source = await registryOf(api, call.value('from') ?? 'hub');
  const target = call.value('registry');
  const destination = target === undefined ? null : await registryOf(api, target);
  return {
    images: lines.map((line) => listedImage(line, source?.host ?? null)),
    ...(source && { source_registry_id: source.id }),
    ...(destination && { dest_registry_id: destination.id }),
    dest_folder: call.value('to'),
    dest_tag: call.value('tag'),
    platforms: platformsOf(call),
    include_referrers,
    ...bypassOf(call),
  };
}

async function planned(api: ApiClient, body: TransferRequest): Promise<Result> {
  const plan = await api.call('transfers.planTransfer', { body });
  const wrong = plan.totals.refused + plan.totals.failed;
  return { lines: planLines(plan), facts: plan, exitCode: wrong > 0 ? EXIT.failed : EXIT.ok };
}

async function waitForEnd(call: PcsCall, api: ApiClient, id: string): Promise<Result> {
  const transfer = await followTransfer(api, id, call.progress);
  const jobs = transfer.status === 'done' ? [] : await jobsOf(api, id);
  const facts: EndedTransfer = {
    transfer,
    blocked: jobs.filter(({ blocked }) => blocked),
    failed: jobs.filter(({ blocked, status }) => !blocked && status === 'failed'),
  };
  const lines = call.flag('quiet') ? [id] : transferLines(facts);
  return { lines, facts, exitCode: exitCodeOfTransfer(transfer) };
}

async function jobsOf(api: ApiClient, id: string): Promise<Job[]> {
  const jobs: Job[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { limit: 200, ...(cursor && { cursor }) };
    const page = await api.page('transfers.getTransfer', { params: { id }, query });
    jobs.push(...page.items.jobs);
    if (page.next === null) return jobs;
    cursor = page.next;
  }
}
