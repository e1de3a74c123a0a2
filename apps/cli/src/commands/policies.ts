/** Lists, shows and applies policies from files. */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Result } from '@portcullis/command';
import { NewPolicy, policyDifference, policyRules, policyTerms } from '@portcullis/contract';
import { invalid, notFound } from '@portcullis/errors';
import type { PolicyUse, Store, StoredPolicy } from '@portcullis/store';
import type { Command, CommandCall } from '../command.ts';
import { announceChange, withStore } from '../connections.ts';
import { readDocument } from './json-document.ts';

export const policies: Command = {
  name: 'policies',
  words: ['<list|show|apply>', '[name or file]'],
  summary: 'list policies, print one, or save one from a file',
  help: [
    '`policies apply <file>` creates the policy that the JSON file names, or makes its terms the next version. Terms that',
    'the file does not have get their defaults; the same terms make no version. It applies at once in every process.',
    '`policies show <name>` prints a policy as such a file. The default policy is made from the scan settings.',
  ],
  options: {},
  services: ['postgres', 'redis'],
  async run(call) {
    const [action, word] = call.words;
    if (action === 'list' && word === undefined) return list(call);
    if (action === 'show' && word !== undefined) return show(call, word);
    if (action === 'apply' && word !== undefined) return apply(call, word);
    throw invalid(
      'USAGE',
      'usage: portcullis policies list, policies show <name>, or policies apply <file>',
    );
  },
};

async function list(call: CommandCall): Promise<Result> {
  const [stored, uses] = await withStore(call, (store) =>
    Promise.all([store.policies.list(), store.policies.uses()]),
  );
  const unused: PolicyUse = { folders: [], registries: [] };
  const shown = stored.map((policy) => ({ policy, use: uses.get(policy.id) ?? unused }));
  return {
    lines:
      shown.length === 0
        ? ['There is no policy besides the default one, which is made from the scan settings.']
        : shown.map(lineOf),
    facts: {
      policies: shown.map(({ policy, use }) => ({
        id: policy.id,
        ...documentOf(policy),
        version: policy.version,
        used_by: use,
      })),
    },
  };
}

function lineOf({ policy, use }: { policy: StoredPolicy; use: PolicyUse }): string {
  const users = [...use.folders, ...use.registries.map(({ name }) => name)];
  const usedBy = users.length === 0 ? 'not used' : `used by ${users.join(', ')}`;
  return `${policy.name}: version ${policy.version}, ${policy.rules.rules.length} rules, ${usedBy}`;
}

async function show(call: CommandCall, name: string): Promise<Result> {
  const found = await withStore(call, (store) => findByName(store, name));
  if (!found) throw notFound('POLICY_UNKNOWN', `there is no policy ${name}`);
  const document = documentOf(found);
  return { lines: JSON.stringify(document, null, 2).split('\n'), facts: document };
}

interface Applied {
  /** Null: it was created. */
  before: StoredPolicy | null;
  after: StoredPolicy;
}

async function apply(call: CommandCall, file: string): Promise<Result> {
  const { name, ...terms } = await readDocument(path.resolve(call.config.cwd, file), NewPolicy, {
    codes: { invalid: 'POLICY_INVALID', large: 'POLICY_TOO_LARGE' },
    fault: 'is not a policy',
  });
  const rules = policyRules(terms);
  const { before, after } = await withStore(call, (store) => save(store, { name, rules }));
  const isChanged = before?.version !== after.version;
  const warnings = isChanged ? await announce(call, { before, after }) : [];
  const outcome = before === null ? 'created' : isChanged ? 'changed' : 'unchanged';
  return {
    lines: [`${name}: ${outcome}, version ${after.version}`, ...warnings],
    facts: { id: after.id, name, outcome, version: after.version, warnings },
  };
}

async function save(
  store: Store,
  { name, rules }: Pick<StoredPolicy, 'name' | 'rules'>,
): Promise<Applied> {
  const before = await findByName(store, name);
  if (before === null)
    return { before, after: await store.policies.insertPolicy({ name, rules, savedBy: SAVED_BY }) };
  if (isDeepStrictEqual(before.rules, rules)) return { before, after: before };
  const change = { rules, version: before.version, savedBy: SAVED_BY };
  return { before, after: await store.policies.update(before.id, change) };
}

const SAVED_BY = 'cli';

function announce(call: CommandCall, { before, after }: Applied): Promise<string[]> {
  const terms = policyTerms(after.rules);
  return announceChange(call, {
    event: before === null ? 'policy.create' : 'policy.update',
    action: 'policies apply',
    resource: { kind: 'policy', id: after.id, name: after.name },
    detail:
      before === null
        ? { ...terms }
        : {
            version: { from: before.version, to: after.version },
            ...policyDifference(policyTerms(before.rules), terms),
          },
    change: 'gate',
  });
}

async function findByName(store: Store, name: string): Promise<StoredPolicy | null> {
  return (await store.policies.list()).find((policy) => policy.name === name) ?? null;
}

/** What `apply` reads. */
function documentOf({ name, rules }: StoredPolicy) {
  return { name, ...policyTerms(rules) };
}
