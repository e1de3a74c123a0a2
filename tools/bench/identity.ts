/**
 * `npm run bench -- identity`: times authentication and authorisation of one request in
 * microseconds; first with cold caches, then with a credential seen a moment ago. Real database,
 * real Redis, real bcrypt.
 */
import { type Principal, UNLIMITED_SCOPES } from '@portcullis/domain';
import { createTransport } from '@portcullis/oci/remote';
import { createPasswords } from '@portcullis/passwords';
import { createLogger, openRedis, redisReady, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { createDatabase, startRedis } from '@portcullis/testing';
import { createIdentity } from '../../apps/api/src/identity/identity.ts';
import { makeToken } from '../../apps/api/src/identity/personal-tokens.ts';
import { createRights } from '../../apps/api/src/identity/rights.ts';

const HOT = 50_000;
const COLD = 20;
const FOLDERS = 1_000;
const secretKey = Buffer.alloc(32, 1);
const log = createLogger({ name: 'bench', level: 'error' });

const [database, redisServer] = await Promise.all([createDatabase(), startRedis()]);
const redis = openRedis(redisServer.url, { mode: 'fail-fast', log });
await redisReady(redis);
const passwords = createPasswords();
const real = openStore(database.url, sealer(secretKey));
let queries = 0;
const identity = createIdentity({
  store: counting(real),
  redis,
  passwords,
  secretKey,
  log,
  passwordRule: { allows: async () => true },
  limits: { perAccount: 1e6, perAddress: 1e6, windowSeconds: 60 },
  oidcTokenDays: null,
  publicUrl: null,
  sessionSeconds: 3600,
  transport: createTransport(),
});
const rights = createRights(identity.principals.knownFolders);

/** An account in ten groups, each with a hundred folders. */
async function populate() {
  const user = await real.users.insert({
    username: 'bench',
    passwordHash: await passwords.hash('a password'),
  });
  const groups = await Promise.all(
    Array.from({ length: 10 }, (_, n) => real.groups.insertGroup({ name: `group-${n}` })),
  );
  for (const { id } of groups) await real.groups.addMember(id, user.id);
  for (let n = 0; n < FOLDERS; n++) {
    const folder = await real.folders.insertFolder({ name: `team-${n}` });
    await real.folders.grant(folder.id, groups[n % 10]?.id ?? '', { canPull: true });
  }
  return user;
}

function counting(store: Store): Store {
  const countCalls = <T extends object>(aggregate: T): T =>
    new Proxy(aggregate, {
      get(target, name) {
        queries++;
        return Reflect.get(target, name);
      },
    });
  const { users, sessions, tokens, groups, folders } = store;
  return {
    ...store,
    users: countCalls(users),
    sessions: countCalls(sessions),
    tokens: countCalls(tokens),
    groups: countCalls(groups),
    folders: countCalls(folders),
  };
}

type Ask = () => Promise<Principal | null>;

async function decide(ask: Ask): Promise<void> {
  const principal = await ask();
  if (!principal) throw new Error('the credential was not taken');
  const { allowed } = await rights.decide(principal, {
    action: 'pull',
    repository: 'team-999/app',
  });
  if (!allowed) throw new Error('the pull was not allowed');
}

async function each(
  times: number,
  work: () => Promise<void>,
): Promise<{ us: number; queries: number }> {
  const [began, before] = [performance.now(), queries];
  for (let n = 0; n < times; n++) await work();
  return { us: ((performance.now() - began) * 1000) / times, queries: (queries - before) / times };
}

async function row(name: string, ask: Ask): Promise<void> {
  const cold = await each(COLD, async () => {
    identity.forget();
    await decide(ask);
  });
  await each(HOT / 10, () => decide(ask));
  const hot = await each(HOT, () => decide(ask));
  process.stdout.write(
    `| ${name} | ${cold.us.toFixed(0)} µs, ${cold.queries} queries | **${hot.us.toFixed(1)} µs**, ${hot.queries} queries |\n`,
  );
}

const user = await populate();
const session = await identity.sessions.open(user);
const made = { userId: user.id, name: 'ci', hint: '', expiresAt: new Date(Date.now() + 3_600_000) };
const [rest, docker] = [makeToken(), makeToken()];
await real.tokens.insert({ ...made, scope: UNLIMITED_SCOPES.api, hash: rest.hash });
await real.tokens.insert({ ...made, scope: UNLIMITED_SCOPES.docker, hash: docker.hash });
const request = (token: string) => ({
  headers: { authorization: `Bearer ${token}` },
  protocol: 'http',
});
const { authenticateBasic, principalById } = identity.registryAccounts;
const basic = await authenticateBasic('bench', 'a password', '127.0.0.1');
if (!basic) throw new Error('the password was not taken');

process.stdout.write(
  '| credential | after a change of rights | seen in the last minute |\n|---|---|---|\n',
);
await row('session (REST)', () => identity.authenticate(request(session.token)));
await row('personal token (REST)', () => identity.authenticate(request(rest.token)));
await row('password (/v2 Basic)', () => authenticateBasic('bench', 'a password', '127.0.0.1'));
await row('personal token (/v2 Basic)', () =>
  authenticateBasic('bench', docker.token, '127.0.0.1'),
);
await row('token of /v2/token, its signature aside', () =>
  principalById(user.id, { auth: 'basic', tokenId: basic.tokenId ?? '' }),
);
const hashing = await each(
  3,
  async () => void (await passwords.verify('a password', user.passwordHash)),
);
process.stdout.write(
  `\nOne bcrypt, which none of these does: ${(hashing.us / 1000).toFixed(0)} ms.\n`,
);

identity.close();
await passwords.close();
redis.disconnect();
await real.close();
await Promise.all([database.stop(), redisServer.stop()]);
