/** Explains what the gate decides about an image at a door. */
import { decisionLines, type Result } from '@portcullis/command';
import {
  ALLOWED,
  decide,
  folderOf,
  GATE_DOORS,
  type GateDoor,
  POLICY_SETTING,
  type Principal,
  policyInForce,
} from '@portcullis/domain';
import { invalid, notFound } from '@portcullis/errors';
import {
  createGate,
  createShapes,
  decideAt,
  explain,
  explainImage,
  type Gate,
} from '@portcullis/gate';
import type { Store } from '@portcullis/store';
import type { Command, CommandCall } from '../command.ts';
import { withStore } from '../connections.ts';
import { localImage, type OpenRepository, withRegistry } from '../local-image.ts';

type Account = Pick<Principal, 'isAdmin' | 'canBypassVulnBlock' | 'grants'>;

interface Question {
  door: GateDoor;
  repository: string;
  reference: string;
  /** The repository that has the image. */
  from: string;
  /** Null: an account that may use the door and has no right to bypass. */
  account: Account | null;
}

const PATIENCE_MS = 20_000;

export const explainCommand: Command = {
  name: 'explain',
  words: ['<image>'],
  summary: 'why the gate serves or refuses an image of the built-in registry',
  help: [
    'The image is repository:tag or repository@digest. It prints the decision of this moment and every step: the report,',
    'the policy with the rules that match, the waivers that do not cover a finding and why, and the grace period.',
    'It changes nothing. `--json` prints the form of the REST API and of audit events.',
  ],
  options: {
    account: {
      type: 'string',
      help: 'the account that uses the door; by default any without bypass',
    },
    door: { type: 'string', help: `${GATE_DOORS.join(', ')}; by default pull` },
    from: { type: 'string', help: 'the repository that has the image, if another' },
  },
  services: ['postgres', 'registry'],
  async run(call) {
    const image = localImage(call, call.words[0] ?? '');
    const door = doorOf(call.value('door') ?? 'pull');
    const from = call.value('from') ?? image.repository;
    return withStore(call, async (store) => {
      const account = await accountOf(store, call.value('account'));
      const { repository } = image;
      const question = {
        door,
        repository,
        reference: image.reference,
        from,
        account,
      };
      return withRegistry(call, (open) => answer(call, question, { store, open }));
    });
  },
};

function doorOf(word: string): GateDoor {
  const door = GATE_DOORS.find((each) => each === word);
  if (door === undefined) throw invalid('USAGE', `--door is one of ${GATE_DOORS.join(', ')}`);
  return door;
}

async function accountOf(store: Store, name: string | undefined): Promise<Account | null> {
  if (name === undefined) return null;
  const user = await store.users.findByUsername(name);
  if (!user || user.disabled)
    throw notFound('USER_UNKNOWN', `there is no account ${name}, or it is disabled`);
  return { ...user, grants: user.isAdmin ? [] : await store.folders.grantsFor(user.id) };
}

async function answer(
  { config }: CommandCall,
  { door, repository, reference, from, account }: Question,
  { store, open }: { store: Store; open: OpenRepository },
): Promise<Result> {
  const folders = new Set(await store.folders.names());
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { digest } = await open(from).resolve(reference, { signal });
  const image = { digest, repository, folder: folderOf(repository, folders) };
  const gate = gateOf(store, open, config);
  const action = door === 'push' || door === 'copy_to' ? 'push' : 'pull';
  const mirrors = await store.mirrors.byFolder();
  const access = account && decide(account, { action, repository, folders, mirrors });
  const decided = await decideAt(
    { door, image, account: account ?? ANY_ACCOUNT, contentIn: from },
    { rules: gate.rules, decide: gate.preview },
  );
  const facts = await explainImage(explain(decided, access ?? ALLOWED), store.signatureFacts);
  return { lines: decisionLines(facts), facts };
}

const ANY_ACCOUNT = { isAdmin: false, canBypassVulnBlock: false };

function gateOf(
  store: Store,
  open: OpenRepository,
  { policy, scans }: CommandCall['config'],
): Gate {
  return createGate({
    store,
    policy: async () => policyInForce(await store.settings.find(POLICY_SETTING), policy, scans),
    shapeOf: createShapes(open),
    // Nothing is kept in memory: the command decides once.
    watch: () => ({ live: () => false, close() {} }),
    now: () => new Date(),
  });
}
