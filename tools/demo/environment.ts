/** The environment of the product in the demonstration. */
import type { SampleSource } from './source.ts';

/**
 * Where programs are found and downloaded. Settings of another installation, such as DATABASE_URL,
 * are left out.
 */
const INHERITED = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'PORTCULLIS_CACHE',
  'PROGRAM_RELEASES_URL',
  'TRIVY_PATH',
  'GOPROXY',
  'GOSUMDB',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'NODE_COMPILE_CACHE',
];

export interface ProductSettings {
  port: number;
  dataDir: string;
  adminPassword: string;
  source: Pick<SampleSource, 'host' | 'artifacts'>;
}

export function productEnv(
  given: NodeJS.ProcessEnv,
  { port, dataDir, adminPassword, source: { host, artifacts } }: ProductSettings,
): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) => (given[name] ? [[name, given[name]]] : []));
  return {
    ...Object.fromEntries(inherited),
    SAMPLE_DATA: 'true',
    // Nothing is shared here, so what is due may be found at once.
    SWEEP_SECONDS: '1',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: adminPassword,
    EGRESS_ALLOW: host,
    TRIVY_DB_REPOSITORY: artifacts.database,
    TRIVY_JAVA_DB_REPOSITORY: artifacts.javaIndex,
    KEV_URL: artifacts.kev,
    EPSS_URL: artifacts.epss,
    PORTCULLIS_PARENT: String(process.pid),
  };
}
