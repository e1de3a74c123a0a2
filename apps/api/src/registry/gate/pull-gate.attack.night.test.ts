/**
 * A property of the gate: whatever is pushed, tagged, copied, scanned again, waived, and decided by
 * changed policies, an enforcing folder serves a blocked image to no account without a bypass.
 * A model of four lines says what is blocked; two processes of the api have to agree with it within
 * the five seconds that a standing may be old, and their doors at once after that.
 */
import type { ScanReport, Severity } from '@portcullis/domain';
import { publishReports } from '@portcullis/events';
import {
  buildIndex,
  fetchManifest,
  json,
  past,
  pushImage,
  randomImage,
  type TestImage,
} from '@portcullis/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';
import { cleanReport, reportWith } from './report.fixture.ts';

const ENFORCING = ['prod', 'stage'] as const;
const FOLDERS = ['open', ...ENFORCING] as const;
type FolderName = (typeof FOLDERS)[number];

const FINDINGS = [
  { id: 'CVE-2026-1', severity: 'CRITICAL' },
  { id: 'CVE-2026-2', severity: 'LOW' },
] as const satisfies { id: string; severity: Severity }[];
type Finding = (typeof FINDINGS)[number];

const IMAGES = 3;
const INDEX = IMAGES;

type Step =
  | { do: 'push' | 'tag' | 'pull'; image: number; folder: FolderName }
  | { do: 'copy'; image: number; folder: FolderName; to: FolderName }
  | { do: 'report'; image: number; findings: Finding[] }
  | { do: 'policy'; blocks: Severity[] }
  | { do: 'waive' | 'lapse'; finding: Finding; folder: FolderName | null }
  | { do: 'revoke' };

const image = fc.nat({ max: INDEX });
const folder = fc.constantFrom(...FOLDERS);
const finding = fc.constantFrom(...FINDINGS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('push' as const), image, folder }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tag' as const), image, folder }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('copy' as const), image, folder, to: folder }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pull' as const), image, folder }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      image: fc.nat({ max: IMAGES - 1 }),
      findings: fc.subarray([...FINDINGS]),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('policy' as const),
      blocks: fc.subarray<Severity>(['CRITICAL', 'LOW']),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('waive' as const, 'lapse' as const),
      finding,
      folder: fc.option(folder),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const) }) },
);

/** Otherwise few of the random steps would be about an image that a folder has. */
const FIRST: Step[] = [
  { do: 'push', image: INDEX, folder: 'prod' },
  { do: 'push', image: 2, folder: 'open' },
  { do: 'report', image: 0, findings: [...FINDINGS] },
  { do: 'policy', blocks: ['CRITICAL'] },
];

let api: TestApi;
let second: TestApi;
let root: Client;
let dev: Client;
let reviewer: Client;
let ann: Client[];
let policyId: string;

beforeAll(async () => {
  const env = { PULL_GATE_WAIT_SECONDS: '0' };
  api = await startApi(env);
  second = await startApi(env, api);
  await api.account('root', { isAdmin: true });
  const ids = {
    reviewer: await api.account('reviewer', { canBypassVulnBlock: true }),
    dev: await api.account('dev'),
    ann: await api.account('ann'),
  };
  for (const name of FOLDERS)
    for (const [username, id] of Object.entries(ids))
      await api.grant(id, name, { canPull: true, canPush: username === 'dev' });
  [root, dev, reviewer] = await Promise.all([api.as('root'), api.as('dev'), api.as('reviewer')]);
  ann = await Promise.all([api.as('ann'), second.as('ann')]);
  const terms = { name: 'model', grace_days: 0, unscannable: 'allow', rules: rulesOf([]) };
  policyId = (await json(root.post('/api/policies', terms))).id;
  for (const name of ENFORCING) {
    const stored = await api.store.folders.find(name);
    await api.store.folders.update(stored?.id ?? '', { pullGate: 'enforce', policyId });
  }
});

afterAll(async () => {
  await second?.stop();
  await api?.stop();
});

function rulesOf(blocks: readonly Severity[]) {
  const rules = [{ severities: ['MEDIUM'], action: 'warn' }];
  return blocks.length > 0 ? [{ severities: blocks, action: 'block' }, ...rules] : rules;
}

/** What was done, and what follows from it. */
class Model {
  /** The pool, children before the index. */
  readonly images: TestImage[];
  readonly prefix = `run${++runs}`;
  readonly present = new Map<FolderName, Set<number>>(FOLDERS.map((name) => [name, new Set()]));
  readonly reports = new Map<number, Finding[]>();
  readonly waivers: { id: string; finding: Finding; folder: FolderName | null }[] = [];
  blocks: Severity[] = [];

  constructor(images: TestImage[]) {
    this.images = images;
  }

  /** Whether the folder's policy lets the image pass; an index passes with any of its images. */
  passes(position: number, name: FolderName, { every = false } = {}): boolean {
    if (position === INDEX) {
      const below = [0, 1].map((child) => this.passes(child, name));
      return every ? below.every(Boolean) : below.some(Boolean);
    }
    return (
      this.reports
        .get(position)
        ?.every(
          (found) =>
            !this.blocks.includes(found.severity) ||
            this.waivers.some(
              (waiver) => waiver.finding.id === found.id && [null, name].includes(waiver.folder),
            ),
        ) ?? false
    );
  }

  serves(position: number, name: FolderName): boolean {
    return name === 'open' || this.passes(position, name);
  }

  mayCopy(position: number, from: FolderName, to: FolderName): boolean {
    return [from, to].every(
      (name) => name === 'open' || this.passes(position, name, { every: true }),
    );
  }

  digest(position: number): string {
    return this.images[position]?.digest ?? '';
  }

  repository(name: FolderName): string {
    return `${name}/${this.prefix}`;
  }

  /** Images that a folder has, also by digest, below an index. */
  held(name: FolderName): Set<number> {
    const tagged = this.present.get(name) ?? new Set();
    return tagged.has(INDEX) ? new Set([...tagged, 0, 1]) : tagged;
  }
}

let runs = 0;

async function newModel(): Promise<Model> {
  const platforms = ['linux/amd64', 'linux/arm64', 'linux/amd64'];
  const images = await Promise.all(platforms.map((platform) => randomImage({ platform })));
  return new Model([...images, buildIndex(images.slice(0, 2))]);
}

it('a blocked image leaves an enforcing folder for no account without a bypass', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      const model = await newModel();
      await setPolicy(model, []);
      for (const each of [...FIRST, ...steps]) await take(model, each);
      for (const each of [...model.waivers]) await end(model, each);
      await assertDoors(model);
    }),
    { numRuns: 4, endOnFailure: true },
  );
});

async function take(model: Model, each: Step): Promise<void> {
  if (each.do === 'push') await push(model, each);
  else if (each.do === 'tag') await tag(model, each);
  else if (each.do === 'copy') await copy(model, each);
  else if (each.do === 'pull') await assertPulls(model, each);
  else if (each.do === 'report') await report(model, each);
  else if (each.do === 'policy') await setPolicy(model, each.blocks);
  else if (each.do === 'waive') await waive(model, each);
  else if (each.do === 'lapse') await lapse(model, each);
  else if (model.waivers[0]) await end(model, model.waivers[0]);
  await agreed(model);
}

type InFolder = { image: number; folder: FolderName };

async function push(model: Model, { image: position, folder: name }: InFolder): Promise<void> {
  const pushed = model.images[position];
  const credentials = { username: 'dev', password: 'pass-of-dev' };
  if (pushed)
    await pushImage(api.url, model.repository(name), `${position}`, pushed, { credentials });
  model.present.get(name)?.add(position);
}

async function tag(model: Model, { image: position, folder: name }: InFolder): Promise<void> {
  if (!model.present.get(name)?.has(position)) return;
  const path = `/api/images/__local__/tags?repository=${model.repository(name)}`;
  const reply = await dev.post(path, { source_tag: `${position}`, new_tag: 'latest' });
  expect([name, position, reply.status]).toEqual([
    name,
    position,
    model.mayCopy(position, name, name) ? 201 : 403,
  ]);
}

async function copy(
  model: Model,
  { image: position, folder: from, to }: InFolder & { to: FolderName },
): Promise<void> {
  if (!model.present.get(from)?.has(position) || from === to) return;
  const reply = await dev.post('/api/images/copy', {
    source_repository: model.repository(from),
    source_tag: `${position}`,
    dest_repository: model.repository(to),
  });
  const may = model.mayCopy(position, from, to);
  expect([from, to, position, reply.status]).toEqual([from, to, position, may ? 201 : 403]);
  if (may) model.present.get(to)?.add(position);
}

async function report(
  model: Model,
  { image: position, findings }: { image: number; findings: Finding[] },
): Promise<void> {
  model.reports.set(position, findings);
  const of = (found: readonly Finding[]): ScanReport =>
    found.length === 0 ? cleanReport() : reportWith(found);
  const scannedAt = new Date();
  await api.store.reports.record({
    digest: model.digest(position),
    report: of(findings),
    scannedAt,
  });
  await publishReports(api.redis, [model.digest(position)]);
}

async function setPolicy(model: Model, blocks: Severity[]): Promise<void> {
  const { version } = await json(root.get(`/api/policies/${policyId}`));
  await root.patch(`/api/policies/${policyId}`, { version, rules: rulesOf(blocks) });
  model.blocks = blocks;
}

type Wanted = { finding: Finding; folder: FolderName | null };

async function approved(wanted: Wanted, ends: Date): Promise<string> {
  const waiver = await approvedInTime(wanted, ends);
  if (waiver === null) throw new Error(`the waiver of ${wanted.finding.id} is refused`);
  return waiver;
}

/** Null where the API refuses it, as it does after its end. */
async function approvedInTime(
  { finding: { id }, folder: name }: Wanted,
  ends: Date,
): Promise<string | null> {
  const asked = {
    vulnerability: id,
    folder: name,
    status: 'accepted',
    reason: 'not reachable',
    expires_at: ends.toISOString(),
  };
  const by = name === null ? root : dev;
  const response = await by.post('/api/waivers', asked);
  if (!response.ok) return null;
  const { id: waiver } = await response.json();
  const isApproved = (await reviewer.post(`/api/waivers/${waiver}/approve`)).status === 200;
  return isApproved ? waiver : null;
}

async function waive(model: Model, wanted: Wanted): Promise<void> {
  model.waivers.push({ ...wanted, id: await approved(wanted, after(3_600_000)) });
}

/** The pulls before its end put standings with the waiver into memory. */
async function lapse(model: Model, wanted: Wanted): Promise<void> {
  const ends = await approvedForAMoment(wanted);
  for (const name of ENFORCING)
    for (const position of model.held(name))
      await pull(model, { image: position, folder: name }, api);
  await past(ends);
}

/** A busy machine may need longer than the moment to approve it, which is longer then. */
async function approvedForAMoment(wanted: Wanted): Promise<Date> {
  for (const ms of [1_000, 3_000, 9_000]) {
    const ends = after(ms);
    if ((await approvedInTime(wanted, ends)) !== null) return ends;
  }
  const ends = after(27_000);
  await approved(wanted, ends);
  return ends;
}

function after(ms: number): Date {
  return new Date(Date.now() + ms);
}

async function end(model: Model, waiver: Model['waivers'][number]): Promise<void> {
  model.waivers.splice(model.waivers.indexOf(waiver), 1);
  expect((await root.post(`/api/waivers/${waiver.id}/revoke`, {})).status).toBe(200);
}

/** Both processes explain each image as the model does, once what they keep is too old. */
async function agreed(model: Model): Promise<void> {
  const wanted = ENFORCING.flatMap((name) =>
    [...model.held(name)].map((position) => ({
      path: `/api/images/__local__/standing?repository=${model.repository(name)}&reference=${model.digest(position)}`,
      isServed: model.serves(position, name),
    })),
  );
  await Promise.all(
    wanted.flatMap(({ path, isServed }) =>
      ann.map((client) =>
        expect
          .poll(async () => (await json(client.get(path))).outcome === 'served', {
            interval: 20,
            message: path,
          })
          .toBe(isServed),
      ),
    ),
  );
}

async function assertDoors(model: Model): Promise<void> {
  for (const name of FOLDERS)
    for (const position of model.held(name))
      await assertPulls(model, { image: position, folder: name });
}

async function assertPulls(model: Model, where: InFolder): Promise<void> {
  if (!model.held(where.folder).has(where.image)) return;
  const served = model.serves(where.image, where.folder);
  for (const process of [api, second]) {
    const statuses = await pull(model, where, process);
    expect([where, statuses.map((status) => status === 200)]).toEqual([
      where,
      statuses.map(() => served),
    ]);
  }
}

/** By digest, and by tag where it has one. */
async function pull(
  model: Model,
  { image: position, folder: name }: InFolder,
  from: TestApi,
): Promise<number[]> {
  const credentials = { username: 'ann', password: 'pass-of-ann' };
  const tags = model.present.get(name)?.has(position) ? [`${position}`] : [];
  const references = [model.digest(position), ...tags];
  const replies = await Promise.all(
    references.map((reference) =>
      fetchManifest(from.url, model.repository(name), reference, { credentials }),
    ),
  );
  return replies.map(({ status }) => status);
}
