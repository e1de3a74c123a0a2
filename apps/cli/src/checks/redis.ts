/** Checks Redis: its version, its persistence and what it does when it is full. */
import { IS_CLUSTER, type Redis } from '@portcullis/runtime';
import { withRedisServer } from '../connections.ts';
import { clock, type DoctorCheck, type DoctorFinding, fail, ok, warn } from './finding.ts';

const ABOUT = 'redis';
const OLDEST = [6, 2];

export const checkRedis: DoctorCheck = (call) =>
  withRedisServer(call, async (redis) => {
    const facts = infoOf(await redis.info());
    return [
      ...clusterOf(facts),
      versionOf(facts),
      evictionOf(facts),
      persistenceOf(facts),
      ...(await clockOf(redis)),
    ];
  });

/** `name:value` lines under headings. */
export function infoOf(text: string): Map<string, string> {
  return new Map(
    text
      .split(/\r?\n/)
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
}

/** Of a node of a Redis Cluster, whose keys may be on different nodes. */
export function clusterOf(facts: Map<string, string>): DoctorFinding[] {
  return facts.get('cluster_enabled') === '1'
    ? [fail(ABOUT, IS_CLUSTER, 'Give Portcullis a Redis without cluster-enabled.')]
    : [];
}

export function versionOf(facts: Map<string, string>): DoctorFinding {
  const valkey = facts.get('valkey_version');
  const version = valkey ?? facts.get('redis_version') ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldMajor = 0, oldMinor = 0] = OLDEST;
  const name = `${valkey === undefined ? 'Redis' : 'Valkey'} ${version}`;
  const recent = major > oldMajor || (major === oldMajor && minor >= oldMinor);
  return recent
    ? ok(ABOUT, name)
    : fail(ABOUT, name, `Portcullis needs Redis ${OLDEST.join('.')} or newer.`);
}

export function evictionOf(facts: Map<string, string>): DoctorFinding {
  const policy = facts.get('maxmemory_policy') ?? 'unknown';
  if (policy === 'noeviction') return ok(ABOUT, 'it never evicts keys (noeviction)');
  const message = `maxmemory-policy is ${policy}: it may evict queued work and audit events`;
  return fail(ABOUT, message, 'Set maxmemory-policy to noeviction.');
}

export function persistenceOf(facts: Map<string, string>): DoctorFinding {
  if (facts.get('aof_enabled') !== '1') {
    const message =
      'its append-only file is off: a crash loses audit events that were not delivered yet';
    return warn(ABOUT, message, 'Set appendonly to yes.');
  }
  if (facts.get('aof_last_write_status') === 'err')
    return fail(
      ABOUT,
      'it can not write its append-only file',
      'See its log: its disk may be full.',
    );
  return ok(ABOUT, 'it keeps an append-only file');
}

async function clockOf(redis: Redis): Promise<DoctorFinding[]> {
  const from = Date.now();
  const [seconds, micros] = await redis.time();
  return clock(ABOUT, Number(seconds) * 1000 + Number(micros) / 1000, { from, to: Date.now() });
}
