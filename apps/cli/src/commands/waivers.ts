/** Lists and reviews waivers. */
import type { Result } from '@portcullis/command';
import { NewWaiver } from '@portcullis/contract';
import {
  assertAllowed,
  isWaiverEnd,
  mayRequestWaiver,
  type Principal,
  WAIVER_ORDERS,
  WAIVER_STATES,
  type WaiverState,
} from '@portcullis/domain';
import { invalid } from '@portcullis/errors';
import { createWaiverReviews } from '@portcullis/gate';
import type { Store, StoredWaiver } from '@portcullis/store';
import type { Command, CommandCall } from '../command.ts';
import { announceChange, withStore } from '../connections.ts';
import { DEFAULT_DAYS, principalOf, waiverDays } from '../waiver-orders.ts';
import { exportVex, importVex } from './waivers-vex.ts';

const ACTIONS = [
  'list',
  'request',
  'approve',
  'reject',
  'revoke',
  'import-vex',
  'export-vex',
] as const;
type Action = (typeof ACTIONS)[number];
type Change = Exclude<Action, 'list' | 'import-vex' | 'export-vex'>;
const STATES = [...WAIVER_STATES, 'expired'] as const;

const EVENTS = {
  request: 'waiver.requested',
  approve: 'waiver.approved',
  reject: 'waiver.rejected',
  revoke: 'waiver.revoked',
} as const satisfies Record<Change, string>;

const DAY_MS = 86_400_000;
const PAGE = 200;

export const waiversCommand: Command = {
  name: 'waivers',
  words: [
    '<list|request|approve|reject|revoke|import-vex|export-vex>',
    '[id, vulnerability, file or image]',
  ],
  summary: 'list, request and review waivers',
  help: [
    '`waivers list` prints the first 200, by default of all states and the newest first. All other actions have exactly the rights of the',
    'account that `--account` names, as on the page: `waivers request <vulnerability> --account dev --folder team --reason …`',
    'needs the right to push to the folder, or to bring images into it where it is a mirror, and `waivers approve <id>',
    '--account rita` an account that reviews and that did not request the waiver. `waivers import-vex <file>` requests what an OpenVEX document says; `waivers export-vex <image>` or `--folder team`',
    'prints the waivers in force as one. The audit log has that account, and as `host_user` who ran the command.',
  ],
  options: {
    account: {
      type: 'string',
      help: 'the account that acts; required for all but list and export-vex',
    },
    state: { type: 'string', help: `for list: ${STATES.join(', ')}` },
    sort: { type: 'string', help: `for list: ${WAIVER_ORDERS.join(', ')}; written --sort=-state` },
    package: { type: 'string', help: 'for request: one package only' },
    'package-version': { type: 'string', help: 'for request: one version of it only' },
    repository: { type: 'string', help: 'for request: a pattern of repositories' },
    digest: { type: 'string', help: 'for request: one image only' },
    folder: {
      type: 'string',
      help: 'for request and import-vex: a folder; without it all folders. For export-vex: its images',
    },
    reason: { type: 'string', help: 'why; required for request and reject' },
    ticket: { type: 'string', help: 'for request: a ticket' },
    days: {
      type: 'string',
      help: `for request and import-vex: days until the end; by default ${DEFAULT_DAYS}`,
    },
  },
  services: ['postgres', 'redis'],
  async run(call) {
    const [given, word] = call.words;
    const action = ACTIONS.find((each) => each === given);
    if (action === 'list' && word === undefined) return list(call);
    if (action === 'import-vex' && word !== undefined) return importVex(call, word);
    if (action === 'export-vex') return exportVex(call, word);
    if (action === undefined || !isChange(action) || word === undefined)
      throw invalid(
        'USAGE',
        'usage: portcullis waivers list, or waivers <action> <id> --account …',
      );
    const { by, waiver } = await withStore(call, (store) => change(call, { action, word, store }));
    const warnings = await announce(call, { action, by, waiver });
    return { lines: [lineOf(waiver), ...warnings], facts: { ...factsOf(waiver), warnings } };
  },
};

function isChange(action: Action): action is Change {
  return Object.hasOwn(EVENTS, action);
}

async function list(call: CommandCall): Promise<Result> {
  const word = call.value('state');
  const state = STATES.find((each) => each === word);
  if (word !== undefined && state === undefined)
    throw invalid('USAGE', `--state is one of ${STATES.join(', ')}`);
  const order = call.value('sort');
  const sort = WAIVER_ORDERS.find((each) => each === order);
  if (order !== undefined && sort === undefined)
    throw invalid('USAGE', `--sort is one of ${WAIVER_ORDERS.join(', ')}`);
  const { items, total } = await withStore(call, (store) =>
    store.waivers.list({ state, sort, limit: PAGE }, new Date()),
  );
  const more = total > items.length ? [`… and ${total - items.length} more`] : [];
  return {
    lines: items.length === 0 ? ['There is no such waiver.'] : [...items.map(lineOf), ...more],
    facts: { total, waivers: items.map(factsOf) },
  };
}

interface Order {
  action: Change;
  word: string;
  store: Store;
}

async function change(
  call: CommandCall,
  { action, word, store }: Order,
): Promise<{ by: Principal; waiver: StoredWaiver }> {
  const by = await principalOf(store, call.value('account'));
  if (action === 'request') return { by, waiver: await request(call, { by, word, store }) };
  const waiver = await store.waivers.get(word);
  const approvalsNeeded = call.config.waiverApprovals;
  const reviews = createWaiverReviews({ store, approvalsNeeded, now: () => new Date() });
  const reason = call.value('reason')?.trim() || null;
  if (action === 'approve') return { by, waiver: await reviews.approve(by, waiver) };
  if (action === 'revoke') return { by, waiver: await reviews.revoke(by, waiver, reason) };
  if (reason === null) throw invalid('USAGE', 'rejecting needs --reason');
  return { by, waiver: await reviews.reject(by, waiver, reason) };
}

async function request(
  call: CommandCall,
  { by, word, store }: { by: Principal; word: string; store: Store },
): Promise<StoredWaiver> {
  const { expires_at: end, package_version: packageVersion, ...asked } = parse(call, word);
  const expiresAt = new Date(end);
  assertAllowed(mayRequestWaiver(by, asked, await store.mirrors.byFolder()));
  if (!isWaiverEnd(expiresAt, new Date()))
    throw invalid('WAIVER_END_INVALID', '--days is between 1 and 365');
  return store.waivers.insertWaiver({
    ...asked,
    packageVersion,
    vexDocument: null,
    requestedById: by.id,
    expiresAt,
  });
}

/** By the schema of the REST API. @throws invalid with every wrong field */
function parse(call: CommandCall, vulnerability: string): NewWaiver {
  const days = waiverDays(call);
  const terms = ['package', 'repository', 'digest', 'folder', 'ticket'] as const;
  const result = NewWaiver.safeParse({
    vulnerability,
    ...Object.fromEntries(terms.map((name) => [name, call.value(name) ?? null])),
    package_version: call.value('package-version') ?? null,
    status: 'accepted',
    reason: call.value('reason') ?? '',
    expires_at: new Date(Date.now() + days * DAY_MS).toISOString(),
  });
  if (result.success) return result.data;
  const faults = result.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the waiver'}: ${message}`,
  );
  throw invalid('USAGE', faults.join('; '));
}

function announce(
  call: CommandCall,
  { action, by, waiver }: { action: Change; by: Principal; waiver: StoredWaiver },
): Promise<string[]> {
  const { id, vulnerability: name, folder } = waiver;
  return announceChange(call, {
    event: EVENTS[action],
    action: `waivers ${action}`,
    resource: { kind: 'waiver', id, name, ...(folder !== null && { folder }) },
    detail: { account: by.username, ...factsOf(waiver) },
    change: 'gate',
  });
}

function lineOf(waiver: StoredWaiver): string {
  const { id, vulnerability, requestedBy, reason } = waiver;
  const scope = (['package', 'repository', 'digest', 'folder'] as const)
    .filter((term) => waiver[term] !== null)
    .map((term) => `${term} ${waiver[term]}`);
  const where = scope.length === 0 ? 'every image' : scope.join(', ');
  const until = waiver.expiresAt.toISOString().slice(0, 10);
  const why = reason.replaceAll(/\s+/g, ' ');
  return `${id}  ${stateOf(waiver)}  ${vulnerability} (${where}) until ${until}, by ${requestedBy}: ${why}`;
}

function stateOf({ state, expiresAt }: StoredWaiver): WaiverState | 'expired' {
  const isOver = expiresAt <= new Date() && (state === 'requested' || state === 'approved');
  return isOver ? 'expired' : state;
}

function factsOf(waiver: StoredWaiver) {
  const { id, vulnerability, repository, digest, folder, status, reason, ticket } = waiver;
  return {
    ...{ id, vulnerability, package: waiver.package, package_version: waiver.packageVersion },
    ...{ repository, digest, folder },
    ...{ status, reason, ticket, state: stateOf(waiver), requested_by: waiver.requestedBy },
    approvals: waiver.approvals.map(({ accountId, username = null }) => ({
      id: accountId,
      username,
    })),
    expires_at: waiver.expiresAt.toISOString(),
  };
}
