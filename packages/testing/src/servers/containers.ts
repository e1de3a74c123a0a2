/**
 * The same servers from container images, for machines with a container engine that lack the
 * programs: `TEST_CONTAINERS=1`. Tests that need the server's files (a registry's storage,
 * certificates, accounts) use the local programs. On podman's socket: `DOCKER_HOST=unix://…`,
 * `TESTCONTAINERS_RYUK_DISABLED=true`, and in a container `TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1`.
 */
import { randomBytes } from 'node:crypto';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import type { TestServer } from './server.ts';

const POSTGRES = 'docker.io/library/postgres:18-bookworm';
const REDIS = 'docker.io/library/redis:8-bookworm';

export async function postgresContainer(): Promise<TestServer> {
  const password = randomBytes(12).toString('hex');
  const settings = [
    'max_connections=200',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
  ];
  const started = await new GenericContainer(POSTGRES)
    .withEnvironment({
      POSTGRES_USER: 'portcullis',
      POSTGRES_DB: 'portcullis',
      POSTGRES_PASSWORD: password,
    })
    .withCommand(['postgres', ...settings.flatMap((each) => ['-c', each])])
    .withExposedPorts(5432)
    // It starts once to create the database, and once more to serve it.
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start();
  return asServer(
    started,
    5432,
    (host) => `postgresql://portcullis:${password}@${host}/portcullis`,
  );
}

export async function redisContainer(): Promise<TestServer> {
  const password = randomBytes(12).toString('hex');
  const started = await new GenericContainer(REDIS)
    .withCommand(['redis-server', '--requirepass', password, '--maxmemory-policy', 'noeviction'])
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
    .start();
  return asServer(started, 6379, (host) => `redis://:${password}@${host}/0`);
}

function asServer(
  started: StartedTestContainer,
  port: number,
  urlOf: (host: string) => string,
): TestServer {
  const host = `${started.getHost()}:${started.getMappedPort(port)}`;
  const stop = async () => void (await started.stop());
  return { url: urlOf(host), host, pid: 0, stop, [Symbol.asyncDispose]: stop };
}
