/**
 * Settings of the command: the environment, read once. What is not in it is stored by `pcs login`.
 */
import os from 'node:os';
import path from 'node:path';

const VERSION = '0.1.0';

export interface PcsConfig {
  /** `PORTCULLIS_URL`. */
  site: string | undefined;
  /** `PORTCULLIS_TOKEN`. */
  token: string | undefined;
  /** The file with the authority of `PORTCULLIS_CA`. */
  caFile: string | undefined;
  /** Where `pcs login` stores the credentials. */
  credentialsFile: string;
  proxy: { HTTP_PROXY?: string; HTTPS_PROXY?: string; NO_PROXY?: string };
  /** Whether progress is written as lines, as in a log. */
  plain: boolean;
  identity: IdentityConfig;
  /** `host:port` of the API server of the cluster that this runs in. */
  kubernetes: string | undefined;
  /** What `pcs agent` writes while it runs, for a health check. */
  heartbeatFile: string | undefined;
  version: string;
}

/** Where a CI system has the identity token of the run. */
interface IdentityConfig {
  /** The token itself: `id_tokens` of GitLab, and others. */
  token: string | undefined;
  /** The address that issues one: GitHub. */
  requestUrl: string | undefined;
  requestToken: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(env: Environment): PcsConfig {
  const text = (...names: string[]) => names.map((name) => env[name]).find(Boolean);
  return {
    site: text('PORTCULLIS_URL'),
    token: text('PORTCULLIS_TOKEN'),
    caFile: text('PORTCULLIS_CA'),
    credentialsFile: path.join(configFolder(env), 'portcullis', 'pcs.json'),
    proxy: Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => {
        const value = text(name, name.toLowerCase());
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    plain: text('CI') !== undefined || text('TERM') === 'dumb',
    identity: {
      token: text('PORTCULLIS_ID_TOKEN'),
      requestUrl: text('ACTIONS_ID_TOKEN_REQUEST_URL'),
      requestToken: text('ACTIONS_ID_TOKEN_REQUEST_TOKEN'),
    },
    heartbeatFile: text('HEARTBEAT_FILE'),
    kubernetes: serverOf(text('KUBERNETES_SERVICE_HOST'), text('KUBERNETES_SERVICE_PORT')),
    version: VERSION,
  };
}

/** Kubernetes writes IPv6 addresses without brackets. */
function serverOf(host: string | undefined, port = '443'): string | undefined {
  if (host === undefined) return undefined;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** By the conventions of the operating system. */
function configFolder(env: Environment): string {
  if (env.XDG_CONFIG_HOME) return env.XDG_CONFIG_HOME;
  const home = env.HOME || os.homedir();
  if (process.platform === 'win32') return env.APPDATA ?? path.join(home, 'AppData', 'Roaming');
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Application Support');
  return path.join(home, '.config');
}
