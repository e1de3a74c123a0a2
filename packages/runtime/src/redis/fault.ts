/**
 * Describes a failed connection to Redis for operators: the cause in words, without addresses,
 * names and passwords.
 */

/** Error codes of Node's sockets, DNS and TLS. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused: nothing listens at the address of REDIS_URL',
  ECONNRESET: 'it closes the connection: is it TLS (rediss://) on one side only?',
  ENOENT: 'the socket that REDIS_URL names is not there',
  EACCES: 'this account may not open the socket that REDIS_URL names',
  EHOSTUNREACH: 'there is no route to the host of REDIS_URL',
  ENETUNREACH: 'there is no route to the host of REDIS_URL',
  ETIMEDOUT:
    'nothing answers at the address of REDIS_URL; with rediss:// also where it does not speak TLS',
  ENOTFOUND: 'the name in REDIS_URL does not resolve',
  EAI_AGAIN: 'the name in REDIS_URL does not resolve now',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: REDIS_URL begins with rediss://',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

export const IS_CLUSTER =
  'it is a node of a Redis Cluster; Portcullis needs one primary, with Sentinels or without (redis+sentinel://)';

/** The first word of an error reply is its code (RESP § Simple errors). */
const REPLIES: Readonly<Record<string, string>> = {
  WRONGPASS: 'it refuses the password of REDIS_URL',
  NOAUTH: 'it wants a password, and REDIS_URL has none',
  NOPERM: 'its account may not do what Portcullis needs',
  LOADING: 'it is loading its data and will answer later',
  READONLY: 'it is a replica, which takes no writes',
  UNBLOCKED: 'it became a replica, which takes no writes',
  MASTERDOWN: 'it is a replica that is cut off from its primary',
  NOREPLICAS: 'it is cut off from its replicas, and takes no writes (min-replicas-to-write)',
  CLUSTERDOWN: IS_CLUSTER,
  CROSSSLOT: IS_CLUSTER,
  MOVED: IS_CLUSTER,
  DENIED: 'it refuses connections from other machines (protected mode)',
};

/** ioredis' words for both faults, with the last error, which may be a Sentinel's reply. */
const NO_SENTINEL = /^All sentinels are unreachable/;
const UNKNOWN_NAME = /No such master/;

export function describeRedisFault(fault: unknown): string {
  if (fault === undefined) return 'it does not answer';
  if (fault instanceof Error && NO_SENTINEL.test(fault.message))
    return UNKNOWN_NAME.test(fault.message)
      ? 'the Sentinels know no primary by the name in REDIS_URL'
      : 'no Sentinel that REDIS_URL names answers';
  const code = codeOf(fault);
  if (UNTRUSTED.has(code))
    return `its certificate is not trusted (${code}); see NODE_EXTRA_CA_CERTS`;
  return (
    REASONS[code] ??
    describeRedisReply(fault) ??
    (code === '' ? 'the connection fails' : `the connection fails (${code})`)
  );
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'string'
    ? fault.code
    : '';
}

/** Of an error reply that has a known code; a script passes on that of its command. */
export function describeRedisReply(fault: unknown): string | undefined {
  const words = fault instanceof Error ? fault.message.matchAll(/(?:^|[ -])([A-Z]+)(?= |$)/g) : [];
  for (const [, word = ''] of words)
    if (REPLIES[word] !== undefined) return REPLIES[word] + commandIn(fault);
  return undefined;
}

/** The command that an account may not use. */
function commandIn(fault: unknown): string {
  const text = fault instanceof Error ? fault.message : '';
  const command = /^NOPERM .*the '([\w|-]{1,40})' command/i.exec(text)?.[1];
  return command === undefined ? '' : ` (${command})`;
}
